/**
 * The replicated log of the simulated registry servers: what a client of Raft can see, without its
 * messages. Start at {@link photon.simulation.raft.SimulatedCluster}, which holds a {@link
 * photon.simulation.raft.SimulatedGroup} for each group; a {@link
 * photon.simulation.raft.SimulatedLeadership} takes entries in, {@link
 * photon.simulation.raft.SimulatedReplica}s apply what is committed.
 */
@NullMarked
package photon.simulation.raft;

import org.jspecify.annotations.NullMarked;
