package photon.idregistry.raft;

import java.time.Duration;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.server.DivisionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a leader's log its followers need behind a snapshot that one of them is sent: with
 * less, it would be sent the next snapshot, and so on without end.
 */
final class FollowerNeeds {
    /**
     * One that has the snapshot and has not answered for so long is dead, or away: it is sent a
     * newer one. One that is being sent it may be syncing it, and answers nothing meanwhile.
     */
    static final Duration SILENT_MAX = Duration.ofMinutes(1);

    private FollowerNeeds() {}

    /**
     * Up to where the log may go.
     *
     * @param index of the snapshot that was just made: no more goes
     * @param sent of the oldest that is being sent, or was a moment ago; below {@code index}
     */
    static long purgeable(long index, long sent, DivisionInfo info) {
        if (!info.isLeader()) {
            return index; // nobody else sends any
        }
        try {
            return purgeable(
                    index,
                    sent,
                    info.getFollowerNextIndices(),
                    info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList().stream()
                            .mapToLong(ServerRpcProto::getLastRpcElapsedTimeMs)
                            .toArray());
        } catch (IllegalStateException e) {
            return index; // it has just lost the leadership
        }
    }

    /**
     * @param next what each follower is sent next; null: not known
     * @param silentMillis for how long each has not answered, in the same order; of another length
     *     while the members change
     */
    static long purgeable(long index, long sent, long @Nullable [] next, long[] silentMillis) {
        if (next == null || next.length != silentMillis.length) {
            return sent;
        }
        long purgeable = index;
        for (int i = 0; i < next.length; i++) {
            if (next[i] <= sent || silentMillis[i] <= SILENT_MAX.toMillis()) {
                // Who is being sent the snapshot goes on behind it, who has it where it is.
                purgeable = Math.min(purgeable, Math.max(sent, next[i] - 1));
            }
        }
        return purgeable;
    }
}
