package photon.idregistry.raft;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a replica is, for people and metrics: nothing is decided by it.
 *
 * @param leads believes to lead, and is ready to
 * @param caughtUp as {@link Replica#caughtUp}
 * @param leader the leader's name as known here; null while none is
 * @param appliedIndex the last log index that the state holds; -1 for none
 * @param committedIndex the last index that is known here to be committed; -1 for none
 * @param logBytes of the log's files on disk, what is preallocated included
 * @param snapshot the newest durable one; null before the first
 * @param snapshotFailures since the start; each left the log and the last snapshot as they were
 * @param members all members, as known here
 */
public record ReplicaStats(
        boolean leads,
        boolean caughtUp,
        @Nullable String leader,
        long appliedIndex,
        long committedIndex,
        long logBytes,
        @Nullable Snapshot snapshot,
        long snapshotFailures,
        List<Member> members) {
    public ReplicaStats {
        members = List.copyOf(members);
    }

    /**
     * A snapshot.
     *
     * @param index the last that it holds
     * @param bytes of all its files, those shared with other snapshots included
     * @param madeMillis when it was complete, by the file system; since the epoch
     */
    public record Snapshot(long index, long bytes, long madeMillis) {}

    /**
     * A member of the group. Only its leader knows how the others are.
     *
     * @param address of its Raft port
     * @param lag entries of the leader's log that it has not got, or not said so; -1 unknown
     * @param silentMillis since it last answered the leader; -1 unknown
     */
    public record Member(String name, String address, long lag, long silentMillis) {}
}
