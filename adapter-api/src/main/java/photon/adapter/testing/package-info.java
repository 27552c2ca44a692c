/**
 * The kit that an adapter's author tests with, without a joiner. Start at {@link
 * photon.adapter.testing.AdapterKit}.
 */
@NullMarked
package photon.adapter.testing;

import org.jspecify.annotations.NullMarked;
