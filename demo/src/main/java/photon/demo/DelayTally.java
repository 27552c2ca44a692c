package photon.demo;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Adds up the delays of several processes over chosen windows of time. Each process tells its
 * histogram since its own start; what it has grown by between two tellings counts if it grew in a
 * window. A process that tells less than before has been started anew. Not thread-safe.
 */
public final class DelayTally {
    private final Map<String, Map<Long, Long>> before = new HashMap<>();
    private final SortedMap<Long, Long> counted = new TreeMap<>();

    /**
     * @param sinceStart by upper bound in microseconds the number of delays in that bucket
     * @param inWindow whether the time since this process told last counts
     */
    public void observe(String process, Map<Long, Long> sinceStart, boolean inWindow) {
        Map<Long, Long> last = before.getOrDefault(process, Map.of());
        if (inWindow) {
            boolean same = isFurther(sinceStart, last);
            sinceStart.forEach(
                    (bound, count) -> {
                        long grown = count - (same ? last.getOrDefault(bound, 0L) : 0);
                        if (grown > 0) {
                            counted.merge(bound, grown, Long::sum);
                        }
                    });
        }
        before.put(process, Map.copyOf(sinceStart));
    }

    /** By upper bound in microseconds how many delays were in a window. */
    public SortedMap<Long, Long> counts() {
        return new TreeMap<>(counted);
    }

    private static boolean isFurther(Map<Long, Long> now, Map<Long, Long> last) {
        return last.entrySet().stream()
                .allMatch(bucket -> now.getOrDefault(bucket.getKey(), 0L) >= bucket.getValue());
    }
}
