package photon.eventstore.tail;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * From which time on primary events are probably not read yet: a log is about in order of time, so
 * of each that is being read the newest that was read tells. Logs that were not begun do not count,
 * since they hold what is newer still, unless they are old: newer logs are read before those. Not
 * thread-safe.
 */
final class ReadFrontier {
    /** By file: the time of the last event that was read; only of files with something unread. */
    private final Map<Integer, Long> readTo = new HashMap<>();

    private long micros = Long.MIN_VALUE;

    /**
     * @param eventMicros of the last event that was read of the file, Unix microseconds
     */
    void read(int file, long eventMicros) {
        readTo.put(file, eventMicros);
    }

    /**
     * As {@link #micros(IntPredicate)}, with old logs that were not begun.
     *
     * @param notBegunMillis when the oldest of them was modified last: what is in it is older
     */
    long micros(IntPredicate unread, long notBegunMillis) {
        long begun = micros(unread);
        return notBegunMillis >= begun / 1_000 ? begun : notBegunMillis * 1_000;
    }

    /**
     * Unix microseconds; lowest while nothing was read. Stays where it is while no log that was
     * begun has anything unread.
     */
    long micros(IntPredicate unread) {
        readTo.keySet().removeIf(file -> !unread.test(file));
        if (!readTo.isEmpty()) {
            micros = Long.MAX_VALUE;
            readTo.values().forEach(to -> micros = Math.min(micros, to));
        }
        return micros;
    }
}
