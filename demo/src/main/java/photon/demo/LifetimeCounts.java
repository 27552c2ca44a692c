package photon.demo;

import java.util.HashMap;
import java.util.Map;
import photon.testbed.process.ProcessName;

/**
 * Adds up what processes count from their start on, over all lives of all of them: a count that has
 * fallen is a new life's. What a process counted between its last telling and its death is missed.
 * Not thread-safe.
 */
final class LifetimeCounts {
    private final Map<Key, Long> last = new HashMap<>();
    private final Map<Key, Long> totals = new HashMap<>();

    private record Key(String counter, ProcessName process) {}

    void observe(String counter, ProcessName process, long value) {
        Key key = new Key(counter, process);
        Long before = last.put(key, value);
        long grown = before == null || value < before ? value : value - before;
        totals.merge(key, grown, Long::sum);
    }

    /** Of all processes; 0 if none was observed. */
    long total(String counter) {
        return totals.entrySet().stream()
                .filter(each -> each.getKey().counter().equals(counter))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Of one process; 0 if it was not observed. */
    long total(String counter, ProcessName process) {
        return totals.getOrDefault(new Key(counter, process), 0L);
    }
}
