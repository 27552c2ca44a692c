package photon.dispatcher.rules;

import java.time.Duration;

/**
 * Which foreign events stay in their log since the event store has not read so far that it can hold
 * their primary events (docs/protocol.md section 7). Before those it would only be asked in vain,
 * again and again, in time that it needs for reading. What is told of the event store is a hint, so
 * no event waits for longer than {@link #WAIT_MAX}, and one that goes on too early is put back. Not
 * thread-safe.
 */
public final class FrontierGate {
    /** Then an event goes on, and becomes a row if its primary event is not found. */
    public static final Duration WAIT_MAX = Duration.ofSeconds(10);

    /**
     * Of a fresh event, which the event store reads live; and where it does not say what is fresh,
     * of events of logs that are read live here beside others with a backlog.
     */
    public static final Duration WAIT_MAX_BESIDE_A_BACKLOG = Duration.ofSeconds(1);

    /** Everything is read. */
    public static final long OPEN = Long.MAX_VALUE;

    /** Until something is known, nothing is read. */
    private Frontier frontier = Frontier.unread(Long.MIN_VALUE);

    private Duration waitMax = WAIT_MAX;

    public void heard(Frontier now) {
        frontier = now;
    }

    /**
     * @param most no event that is not fresh waits for longer
     * @return whether that is new
     */
    public boolean waitMax(Duration most) {
        boolean changes = !most.equals(waitMax);
        waitMax = most;
        return changes;
    }

    /**
     * Whether an event goes on. Primary events come before the foreign ones that name them.
     *
     * @param micros its time, Unix microseconds
     * @param waitedNanos how long it has waited here
     */
    public boolean passes(long micros, long waitedNanos) {
        return waitedNanos >= waitNanosMax(micros);
    }

    /** How long an event waits at most; 0: it need not. */
    public long waitNanosMax(long micros) {
        if (isRead(micros, frontier.unreadMicros())) {
            return 0;
        }
        if (frontier.isFresh(micros)) {
            return isRead(micros, frontier.liveUnreadMicros())
                    ? 0
                    : WAIT_MAX_BESIDE_A_BACKLOG.toNanos();
        }
        return waitMax.toNanos();
    }

    private static boolean isRead(long micros, long unreadMicros) {
        return micros < unreadMicros || unreadMicros == OPEN;
    }
}
