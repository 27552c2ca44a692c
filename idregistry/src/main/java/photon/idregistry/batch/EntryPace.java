package photon.idregistry.batch;

import java.time.Duration;

/**
 * When an entry is worth what it costs: each is sent to every follower, synced on every disk and
 * answered, whatever it holds. One of many ids always is. A small one goes if nothing is in flight,
 * and else only as often as {@link #SMALL_EVERY}: what comes meanwhile goes in one. How often that
 * is follows from the time that a commit takes when nothing disturbs it. So a commit between near
 * replicas waits for the one before, and one between far ones does not wait for a round trip. Not
 * thread-safe.
 */
final class EntryPace {
    /** About so long lies between small entries. */
    static final Duration SMALL_EVERY = Duration.ofMillis(25);

    /** The shortest commit of so long ago counts no more: the leader may have other neighbours. */
    static final Duration REMEMBERED = Duration.ofMinutes(1);

    /**
     * This part of the largest entry is worth an entry of its own: 256 ids, while an entry costs
     * about as much as 200 do.
     */
    private static final int LARGE_PART = 16;

    private final BatchLimits limits;
    private final int largeIds;
    private long shortestNanos = Long.MAX_VALUE;
    private long shortestBeforeNanos = Long.MAX_VALUE;
    private long periodEndNanos;
    private boolean begun;

    EntryPace(BatchLimits limits) {
        this.limits = limits;
        this.largeIds = Math.max(1, limits.idsPerEntryMax() / LARGE_PART);
    }

    /**
     * @param inFlight entries that are not settled
     * @param waitingIds what the next one would hold, or more
     */
    boolean mayGo(int inFlight, int waitingIds) {
        return inFlight < limits.entriesInFlightMax()
                && (waitingIds >= largeIds || inFlight < smallInFlight());
    }

    /** An entry was committed so long after it was handed to the log. */
    void committed(long nanos, long nowNanos) {
        if (!begun || nowNanos - periodEndNanos >= 0) {
            begun = true;
            shortestBeforeNanos = shortestNanos;
            shortestNanos = Long.MAX_VALUE;
            periodEndNanos = nowNanos + REMEMBERED.toNanos() / 2;
        }
        shortestNanos = Math.min(shortestNanos, nanos);
    }

    private int smallInFlight() {
        long shortest = Math.min(shortestNanos, shortestBeforeNanos);
        return shortest == Long.MAX_VALUE
                ? 1
                : (int) Math.min(1 + shortest / SMALL_EVERY.toNanos(), limits.entriesInFlightMax());
    }
}
