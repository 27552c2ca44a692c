/**
 * Writes, keeps, checks and reads the snapshots of one group on disk (docs/snapshots.md).
 *
 * <p>Start at {@link photon.idregistry.raft.snapshot.StateSnapshots}: it freezes a state, writes it
 * beside the apply thread and restores it at a start. {@link
 * photon.idregistry.raft.snapshot.SnapshotStorage} is the directory, {@link
 * photon.idregistry.raft.snapshot.SnapshotDraft} a snapshot that is being written, {@link
 * photon.idregistry.raft.snapshot.StoredSnapshot} one that is complete. When a snapshot is due is
 * decided outside, by {@code raft.SnapshotScheduler}. Nothing here may know a replica or a node.
 */
@NullMarked
package photon.idregistry.raft.snapshot;

import org.jspecify.annotations.NullMarked;
