/**
 * Carries a {@link photon.idregistry.replicated.ReplicatedState} over Apache Ratis. Only this
 * package and those below it import Ratis; they decide nothing. Start at {@link
 * photon.idregistry.raft.RaftNode}, one a process, which has a {@link
 * photon.idregistry.raft.Replica} a group. An entry goes in through {@link
 * photon.idregistry.raft.RatisLog}, is applied by {@link photon.idregistry.raft.StateCarrier} on
 * every replica, and its result comes back to the one that submitted it.
 *
 * <p>Snapshots on disk are in {@code raft.snapshot}; what Ratis gets wrong is put right in {@code
 * raft.workaround}. Both know nothing of this package, which puts them together.
 */
@NullMarked
package photon.idregistry.raft;

import org.jspecify.annotations.NullMarked;
