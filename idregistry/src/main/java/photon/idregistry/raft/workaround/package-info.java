/**
 * What Ratis 3.3.0 gets wrong, put right around it. Each class names the defect that it works
 * around, with Ratis' class and method; a newer Ratis that has fixed the defect lets the class go:
 * docs/ratis.md tells how to see it.
 *
 * <p>Start at {@code raft.RaftPort}, which puts the interceptors in order between the network and
 * Ratis: {@link photon.idregistry.raft.workaround.RecipientCheck}, {@link
 * photon.idregistry.raft.workaround.AppendOrdering}, {@link
 * photon.idregistry.raft.workaround.LoggedMembers}, {@link
 * photon.idregistry.raft.workaround.StaleSnapshots}, {@link
 * photon.idregistry.raft.workaround.DurableAcknowledgements} and {@link
 * photon.idregistry.raft.workaround.ReadIndexes}. Nothing here may know the rest of {@code raft}.
 */
@NullMarked
package photon.idregistry.raft.workaround;

import org.jspecify.annotations.NullMarked;
