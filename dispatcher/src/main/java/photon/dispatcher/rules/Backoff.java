package photon.dispatcher.rules;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Delays between a shortest and a longest one, with jitter, so that retries do not march in step.
 */
public final class Backoff {
    private final long minMillis;
    private final long maxMillis;
    private final RandomGenerator random;

    public Backoff(Duration min, Duration max, RandomGenerator random) {
        this.minMillis = min.toMillis();
        this.maxMillis = max.toMillis();
        this.random = random;
        check(
                minMillis > 0 && minMillis <= maxMillis,
                "Expected a backoff of 0 < min <= max, but got %s to %s",
                min,
                max);
    }

    public long maxMillis() {
        return maxMillis;
    }

    /**
     * Doubles with each failure.
     *
     * @param failures so far, from 1
     */
    public long afterFailuresMillis(int failures) {
        return jittered(minMillis << Math.min(30, Math.max(0, failures - 1)));
    }

    /** As long as it has waited already: doubles, too, without a count. */
    public long afterWaitingMillis(long waitedMillis) {
        return jittered(waitedMillis);
    }

    /** Between three quarters of the delay and the whole of it. */
    private long jittered(long delayMillis) {
        long bounded = Math.max(minMillis, Math.min(maxMillis, delayMillis));
        return bounded - random.nextLong(bounded / 4 + 1);
    }
}
