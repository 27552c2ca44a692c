package photon.dispatcher.rules;

import java.time.Duration;

/**
 * Slows the reading of foreign logs while the event store is behind: reading on would only turn
 * events into rows that wait for primary events that stand in logs yet unread, and take the event
 * store's time with lookups in vain. Never stops it: rows of events that have no primary event at
 * all may be among them. Not thread-safe.
 */
public final class IntakeGate {
    /** So many rows may wait for the event store before the reading slows down. */
    static final int ROWS_BEHIND_MAX = 4_096;

    /** Then it reads once in this. */
    static final Duration SLOW_EVERY = Duration.ofSeconds(5);

    private long readNanos;

    public IntakeGate(long nanoTime) {
        this.readNanos = nanoTime - SLOW_EVERY.toNanos();
    }

    /**
     * How long not to read; 0: read now.
     *
     * @param rowsBehind rows whose event store was behind when they were tried last
     */
    public long pauseNanos(int rowsBehind, long nanoTime) {
        if (rowsBehind < ROWS_BEHIND_MAX) {
            return 0;
        }
        return Math.max(0, SLOW_EVERY.toNanos() - (nanoTime - readNanos));
    }

    /** Something is being read. */
    public void reads(long nanoTime) {
        readNanos = nanoTime;
    }
}
