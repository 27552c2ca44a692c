package photon.core.metrics;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How often a delay was how long, since the start. A delay is told apart from others to a sixteenth
 * of itself; that takes 5 KiB, whatever is recorded. Recorded without making an object, by one
 * thread ({@link #record}) or by several ({@link #recordShared}); read by any.
 */
public final class DelayHistogram {
    /** Buckets for each power of two: 16, so that a bucket is as wide as 1/16 of its lower end. */
    private static final int STEP_BITS = 4;

    private static final int STEPS = 1 << STEP_BITS;

    /** Delays are below 2^42 microseconds, 50 days; longer ones count as that. */
    private static final int DELAY_BITS = 42;

    private static final long LONGEST_MICROS = (1L << DELAY_BITS) - 1;

    private final AtomicLongArray counts = new AtomicLongArray(bucket(LONGEST_MICROS) + 1);

    /**
     * @param micros below 0 counts as 0
     */
    public void record(long micros) {
        int bucket = bucketOf(micros);
        // One thread writes, so this needs no compare-and-set.
        counts.lazySet(bucket, counts.get(bucket) + 1);
    }

    /** As {@link #record}, by any thread, if all threads record so. */
    public void recordShared(long micros) {
        counts.getAndIncrement(bucketOf(micros));
    }

    private static int bucketOf(long micros) {
        return bucket(Math.min(Math.max(micros, 0), LONGEST_MICROS));
    }

    /**
     * A moment ago.
     *
     * @return the longest delay of each bucket that is not empty, in microseconds, and how many
     *     were in it
     */
    public SortedMap<Long, Long> counts() {
        SortedMap<Long, Long> taken = new TreeMap<>();
        for (int bucket = 0; bucket < counts.length(); bucket++) {
            long count = counts.get(bucket);
            if (count > 0) {
                taken.put(longest(bucket), count);
            }
        }
        return taken;
    }

    /** Delays below 16 have a bucket each; above, the highest five bits tell the bucket. */
    private static int bucket(long micros) {
        if (micros < STEPS) {
            return (int) micros;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros) - STEP_BITS;
        return (shift << STEP_BITS) + (int) (micros >>> shift);
    }

    private static long longest(int bucket) {
        if (bucket < STEPS) {
            return bucket;
        }
        int shift = (bucket >>> STEP_BITS) - 1;
        long first = (long) (bucket - (shift << STEP_BITS)) << shift;
        return first + (1L << shift) - 1;
    }
}
