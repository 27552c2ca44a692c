package photon.core.metrics;

import static photon.core.error.Checks.check;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;

/** Percentiles by nearest rank: always a value that was there, never one between two. */
public final class Percentiles {
    private Percentiles() {}

    /**
     * @param percent above 0, at most 100
     * @return empty if there are no values
     */
    public static OptionalDouble of(List<Double> values, double percent) {
        if (values.isEmpty()) {
            return OptionalDouble.empty();
        }
        long rank = rank(values.size(), percent);
        return values.stream().sorted().skip(rank - 1).mapToDouble(v -> v).findFirst();
    }

    /**
     * @param counts of a histogram, by upper bound
     * @return the upper bound of the bucket that holds it; empty if nothing was counted
     */
    public static OptionalLong of(SortedMap<Long, Long> counts, double percent) {
        long total = counts.values().stream().mapToLong(count -> count).sum();
        if (total == 0) {
            return OptionalLong.empty();
        }
        long left = rank(total, percent);
        for (Map.Entry<Long, Long> bucket : counts.entrySet()) {
            left -= bucket.getValue();
            if (left <= 0) {
                return OptionalLong.of(bucket.getKey());
            }
        }
        throw new IllegalStateException("A rank is at most the number of values");
    }

    private static long rank(long size, double percent) {
        check(percent > 0 && percent <= 100, "Expected a percentage, but got %s", percent);
        // Multiplied first: 0.99 has no exact form, and 0.99 * 100 may come out above 99.
        return Math.max(1, (long) Math.ceil(percent * size / 100));
    }
}
