package photon.bench.registry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import photon.core.metrics.DelayHistogram;
import photon.core.metrics.Percentiles;

/**
 * How long calls took, by the second of the measured time in which they were answered. Recorded by
 * one thread; read when that has ended its work.
 */
final class Latencies {
    private final long beganNanos;
    private final @Nullable DelayHistogram[] seconds;

    /** Counts of a set of calls, by upper bound in microseconds. */
    record Summary(SortedMap<Long, Long> counts) {
        long calls() {
            return counts.values().stream().mapToLong(count -> count).sum();
        }

        /** Milliseconds; empty without calls. */
        OptionalDouble percentileMillis(double percent) {
            return Percentiles.of(counts, percent).stream().mapToDouble(m -> m / 1e3).findFirst();
        }

        OptionalDouble maxMillis() {
            return counts.isEmpty()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(counts.lastKey() / 1e3);
        }
    }

    /**
     * @param beganNanos when the measured time begins: calls answered before are not recorded
     * @param seconds its length: nor are calls answered after
     */
    Latencies(long beganNanos, int seconds) {
        this.beganNanos = beganNanos;
        this.seconds = new DelayHistogram[seconds];
    }

    /**
     * @param startedNanos when the call should have begun
     * @param answeredNanos when its last answer came
     */
    void record(long startedNanos, long answeredNanos) {
        long after = answeredNanos - beganNanos;
        int second = (int) Math.min(after / 1_000_000_000L, seconds.length);
        if (after < 0 || second == seconds.length) {
            return;
        }
        DelayHistogram histogram = seconds[second];
        if (histogram == null) {
            histogram = new DelayHistogram();
            seconds[second] = histogram;
        }
        histogram.record((answeredNanos - startedNanos) / 1_000);
    }

    /** All of these together, in those seconds that are asked for. */
    static Summary of(List<Latencies> parts, IntPredicate wanted) {
        SortedMap<Long, Long> counts = new TreeMap<>();
        for (Latencies part : parts) {
            List<@Nullable DelayHistogram> all = new ArrayList<>(Arrays.asList(part.seconds));
            for (int second = 0; second < all.size(); second++) {
                DelayHistogram histogram = all.get(second);
                if (histogram != null && wanted.test(second)) {
                    histogram.counts().forEach((upper, n) -> counts.merge(upper, n, Long::sum));
                }
            }
        }
        return new Summary(counts);
    }
}
