/**
 * Finding primary events by id. Start at {@link photon.eventstore.lookup.LookupService}: it admits
 * or refuses, {@link photon.eventstore.lookup.PrimaryLookup} asks the cache and then the index,
 * {@link photon.eventstore.lookup.PrimaryLookupRule} says what a hit or a miss means.
 */
@NullMarked
package photon.eventstore.lookup;

import org.jspecify.annotations.NullMarked;
