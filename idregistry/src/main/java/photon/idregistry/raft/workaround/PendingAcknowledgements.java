package photon.idregistry.raft.workaround;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What Ratis sends on one call, in its order: a confirmation of entries waits until they are on
 * disk, and what comes behind it waits for it. One that cannot be given is refused in its place.
 * For one thread at a time.
 */
public final class PendingAcknowledgements {
    /** How long a confirmation waits at most; Ratis' leader forgets what it asked after 3 s. */
    static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

    private final Deque<Held> held = new ArrayDeque<>();
    private boolean ended;

    /** Where the entries are that are confirmed. */
    public interface Log {
        /** True if its entries up to there, as they are now, are on disk. Costs next to nothing. */
        boolean isOnDisk(long index);

        /** How often its end was cut off to make room for other entries. */
        long cuts();

        /** False once it was closed: another one may stand in its place. */
        boolean alive();
    }

    private record Held(
            @Nullable Log log,
            long index,
            long cuts,
            long sinceNanos,
            Runnable send,
            Runnable refuse) {
        boolean mayGo() {
            return log == null || (log.isOnDisk(index) && !isCut());
        }

        /** It may have spoken of other entries than those that are there now. */
        boolean isCut() {
            return log != null && log.cuts() != cuts;
        }
    }

    /**
     * True if this need not be held.
     *
     * @param log null if nothing of it is confirmed
     * @param index of the last entry that is confirmed
     */
    boolean passes(@Nullable Log log, long index) {
        return !ended && held.isEmpty() && (log == null || log.isOnDisk(index));
    }

    /**
     * Keeps what must not be sent yet.
     *
     * @param send sends it
     * @param refuse says in its place that it is not confirmed, so that it is asked for again
     * @param nanoTime monotonic
     * @return true for the first: somebody must {@link #release} from now on
     */
    boolean hold(@Nullable Log log, long index, Runnable send, Runnable refuse, long nanoTime) {
        if (ended) {
            return false;
        }
        held.add(new Held(log, index, log == null ? 0 : log.cuts(), nanoTime, send, refuse));
        return held.size() == 1;
    }

    /**
     * Sends what may be sent by now.
     *
     * @param nanoTime monotonic
     * @return true if something has to wait further
     */
    boolean release(long nanoTime) {
        while (!held.isEmpty()) {
            Held first = held.getFirst();
            if (first.mayGo()) {
                held.removeFirst();
                first.send().run();
            } else if (first.isCut() || nanoTime - first.sinceNanos() >= NANOS_MAX) {
                held.removeFirst();
                first.refuse().run();
            } else {
                return true;
            }
        }
        return false;
    }

    /** Nothing is sent on this call any more. */
    void end() {
        ended = true;
        held.clear();
    }

    /** True if nothing may be sent on this call any more. */
    boolean hasEnded() {
        return ended;
    }
}
