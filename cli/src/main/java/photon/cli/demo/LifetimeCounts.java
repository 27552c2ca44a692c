package photon.cli.demo;

import java.util.HashMap;
import java.util.Map;

/**
 * Adds up what processes count from their start on, over all lives of all of them: a count that has
 * fallen is a new life's. What a process counted between its last telling and its death is missed.
 * Not thread-safe.
 */
final class LifetimeCounts {
    private final Map<Key, Long> last = new HashMap<>();
    private final Map<String, Long> totals = new HashMap<>();

    private record Key(String counter, ProcessName process) {}

    void observe(String counter, ProcessName process, long value) {
        Long before = last.put(new Key(counter, process), value);
        long grown = before == null || value < before ? value : value - before;
        totals.merge(counter, grown, Long::sum);
    }

    /** Of all processes; 0 if none was observed. */
    long total(String counter) {
        return totals.getOrDefault(counter, 0L);
    }
}
