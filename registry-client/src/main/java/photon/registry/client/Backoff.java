package photon.registry.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait before asking again: doubling, to a limit, with jitter. Not thread-safe. */
final class Backoff {
    private static final long MIN_MILLIS = 20;
    private static final int DOUBLINGS_MAX = 6;

    /** An election takes about a second: what is waited behind it is part of the gap. */
    private static final int HUNT_DOUBLINGS_MAX = 4;

    private final RandomGenerator random;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    /**
     * @param failures how often it failed in a row, from 1
     * @return half of the doubled delay, and up to as much again: 10 to 20 ms first, at most 1.28 s
     */
    Duration delay(int failures) {
        return delay(failures, DOUBLINGS_MAX);
    }

    /**
     * The same while a group has no leader that we know, which costs the servers next to nothing.
     *
     * @param failures how often it failed in a row, from 1
     * @return at most 320 ms
     */
    Duration hunt(int failures) {
        return delay(failures, HUNT_DOUBLINGS_MAX);
    }

    private Duration delay(int failures, int doublingsMax) {
        long full = MIN_MILLIS << Math.min(failures - 1, doublingsMax);
        return Duration.ofMillis(full / 2 + random.nextLong(full / 2 + 1));
    }
}
