package photon.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * How long ago the newest record that a reader has read was written, by counts alone: the reader is
 * where the writer was when it had written as many. Not thread-safe.
 */
final class LagWatch {
    private final Map<String, Deque<Written>> unread = new HashMap<>();

    private record Written(long atMillis, long records) {}

    /**
     * @param written records so far, never less than before
     * @param read records so far, by this reader
     * @return milliseconds; 0 if it has read all that had been written when it was last asked for
     */
    long observe(String reader, long nowMillis, long written, long read) {
        Deque<Written> marks = unread.computeIfAbsent(reader, name -> new ArrayDeque<>());
        while (!marks.isEmpty() && marks.peekFirst().records() <= read) {
            marks.removeFirst();
        }
        long lag = marks.isEmpty() ? 0 : nowMillis - marks.peekFirst().atMillis();
        if (marks.isEmpty() || marks.peekLast().records() < written) {
            marks.addLast(new Written(nowMillis, written));
        }
        return lag;
    }
}
