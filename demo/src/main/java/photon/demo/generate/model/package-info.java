/**
 * What happens in the generated world, decided from a seed: who logs what, when, and in which
 * order. Knows no files and no clock; times are microseconds since 1970 UTC, handed in. Start at
 * {@link photon.demo.generate.model.EventModel}.
 */
@NullMarked
package photon.demo.generate.model;

import org.jspecify.annotations.NullMarked;
