package photon.core.metrics;

import static photon.core.error.Checks.check;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * How often a value was how large, by fixed bounds, since the start. Recorded by any thread without
 * a lock or an object; read by any.
 */
public final class Histogram {
    private final long[] bounds;
    private final AtomicLongArray counts;
    private final LongAdder sum = new LongAdder();

    /**
     * A moment ago. The counts are not of one instant, each is right for itself.
     *
     * @param bounds a value is counted at the first bound that it does not exceed
     * @param counts one more than bounds: the last is of values above the last bound
     */
    public record Counts(long[] bounds, long[] counts, long sum) {}

    /**
     * @param bounds ascending
     */
    public Histogram(long... bounds) {
        this.bounds = bounds.clone();
        for (int i = 1; i < bounds.length; i++) {
            check(bounds[i - 1] < bounds[i], "Expected ascending bounds, but got %s", bounds[i]);
        }
        this.counts = new AtomicLongArray(bounds.length + 1);
    }

    public void record(long value) {
        int at = Arrays.binarySearch(bounds, value);
        counts.incrementAndGet(at >= 0 ? at : -at - 1);
        sum.add(value);
    }

    public Counts counts() {
        long[] taken = new long[counts.length()];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = counts.get(i);
        }
        return new Counts(bounds.clone(), taken, sum.sum());
    }
}
