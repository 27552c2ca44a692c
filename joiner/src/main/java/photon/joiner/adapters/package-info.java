/**
 * How a pair becomes joined events. Start at {@link photon.joiner.adapters.PairAdapter}; {@link
 * photon.joiner.adapters.load.Adapters} finds the one that the configuration names.
 */
@NullMarked
package photon.joiner.adapters;

import org.jspecify.annotations.NullMarked;
