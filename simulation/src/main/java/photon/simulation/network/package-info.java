/**
 * Messages between simulated processes. Start at {@link photon.simulation.network.Network}; what
 * goes wrong on which link is in {@link photon.simulation.network.SimulatedLinks}.
 */
@NullMarked
package photon.simulation.network;

import org.jspecify.annotations.NullMarked;
