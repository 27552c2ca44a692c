package photon.simulation.run;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How two dispatchers share the state of each datacenter.
 *
 * @param term of a lease: short, so that many are lost
 * @param random draws when dispatchers fall asleep
 */
record Sharing(Duration term, RandomGenerator random) {
    private static final long TERM_MIN_MILLIS = 2_000;
    private static final long TERM_MAX_MILLIS = 20_000;

    static Sharing draw(RandomGenerator random) {
        return new Sharing(
                Duration.ofMillis(random.nextLong(TERM_MIN_MILLIS, TERM_MAX_MILLIS)), random);
    }
}
