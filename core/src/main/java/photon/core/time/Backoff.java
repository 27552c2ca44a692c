package photon.core.time;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Delays before something is tried again: doubling between a shortest and a longest one. Half of
 * each is random, so that those who failed together do not come back together. Not thread-safe.
 */
public final class Backoff {
    private static final int DOUBLINGS_MAX = 30;

    private final long minMillis;
    private final long maxMillis;
    private final RandomGenerator random;

    /**
     * @param min taken for 1 ms if it is less
     * @param random for the jitter; its numbers alone decide the delays
     */
    public Backoff(Duration min, Duration max, RandomGenerator random) {
        this.minMillis = Math.max(1, min.toMillis());
        this.maxMillis = Math.max(1, max.toMillis());
        this.random = random;
        check(
                minMillis <= maxMillis,
                "Expected a backoff from a shorter to a longer delay, but got %s to %s",
                min,
                max);
    }

    public Duration max() {
        return Duration.ofMillis(maxMillis);
    }

    /**
     * Doubles with each failure.
     *
     * @param failures in a row, from 1
     */
    public Duration afterFailures(int failures) {
        return jittered(minMillis << Math.min(DOUBLINGS_MAX, Math.max(0, failures - 1)));
    }

    /** As long as was waited already: this doubles, too, without a count. */
    public Duration afterWaiting(Duration waited) {
        return jittered(waited.toMillis());
    }

    /** Between half of the delay and the whole of it. */
    private Duration jittered(long delayMillis) {
        long bounded = Math.max(minMillis, Math.min(maxMillis, delayMillis));
        return Duration.ofMillis(bounded / 2 + random.nextLong(bounded / 2 + 1));
    }
}
