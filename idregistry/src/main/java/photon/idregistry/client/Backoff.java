package photon.idregistry.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait before asking again: doubling, to a limit, with jitter. */
final class Backoff {
    private static final long MIN_MILLIS = 20;
    private static final int DOUBLINGS_MAX = 6;

    private final RandomGenerator random;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    /**
     * @param failures how often it failed in a row, from 1
     * @return half of the doubled delay, and up to as much again: 10 to 20 ms first, at most 1.28 s
     */
    Duration delay(int failures) {
        long full = MIN_MILLIS << Math.min(failures - 1, DOUBLINGS_MAX);
        return Duration.ofMillis(full / 2 + random.nextLong(full / 2 + 1));
    }
}
