/**
 * Carries a {@link photon.idregistry.replicated.ReplicatedState} over Apache Ratis. The only place
 * that imports Ratis; decides nothing. Start at {@link photon.idregistry.raft.RaftNode}, one a
 * process, which has a {@link photon.idregistry.raft.Replica} a group. An entry goes in through
 * {@link photon.idregistry.raft.RatisLog}, is applied by {@link
 * photon.idregistry.raft.StateCarrier} on every replica, and its result comes back to the one that
 * submitted it.
 */
@NullMarked
package photon.idregistry.raft;

import org.jspecify.annotations.NullMarked;
