package photon.simulation.run;

import java.time.Duration;
import java.util.random.RandomGenerator;
import photon.simulation.parts.SharedWork;

/**
 * How two dispatchers share the state of each datacenter.
 *
 * @param work with a short term, so that many leases are lost
 * @param random draws when dispatchers fall asleep
 */
record Sharing(SharedWork work, RandomGenerator random) {
    private static final long TERM_MIN_MILLIS = 2_000;
    private static final long TERM_MAX_MILLIS = 20_000;
    private static final int PARTITIONS_MAX = 4;

    static Sharing draw(RandomGenerator random) {
        Duration term = Duration.ofMillis(random.nextLong(TERM_MIN_MILLIS, TERM_MAX_MILLIS));
        int partitions = 1 + random.nextInt(PARTITIONS_MAX);
        return new Sharing(new SharedWork(term, partitions), random);
    }
}
