package photon.dispatcher.rules;

import java.time.Duration;

/**
 * Which foreign events stay in their log since the event store has not read so far that it can hold
 * their primary events (docs/protocol.md section 7). Before those it would only be asked in vain,
 * again and again, in time that it needs for reading. What is told of the event store is a hint, so
 * no event waits for longer than {@link #WAIT_MAX}. Not thread-safe.
 */
public final class FrontierGate {
    /** Then an event goes on, and becomes a row if its primary event is not found. */
    public static final Duration WAIT_MAX = Duration.ofSeconds(10);

    /**
     * Where the event store has a backlog beside logs that it reads live, its backlog is what it
     * tells of, and what is logged now is read all the same.
     */
    public static final Duration WAIT_MAX_BESIDE_A_BACKLOG = Duration.ofSeconds(1);

    /** Everything is read. */
    public static final long OPEN = Long.MAX_VALUE;

    /** Until something is known, nothing is read. */
    private long unreadMicros = Long.MIN_VALUE;

    /**
     * @param micros from which time on primary events are probably not read yet, Unix microseconds;
     *     {@link #OPEN}: all are
     */
    public void unreadFrom(long micros) {
        unreadMicros = micros;
    }

    /**
     * Whether an event goes on. Primary events come before the foreign ones that name them.
     *
     * @param micros its time, Unix microseconds
     * @param waitedNanos how long it has waited here
     */
    public boolean passes(long micros, long waitedNanos) {
        return passes(micros, waitedNanos, WAIT_MAX);
    }

    /**
     * As {@link #passes(long, long)}.
     *
     * @param waitMax no event waits for longer
     */
    public boolean passes(long micros, long waitedNanos, Duration waitMax) {
        return micros < unreadMicros || unreadMicros == OPEN || waitedNanos >= waitMax.toNanos();
    }
}
