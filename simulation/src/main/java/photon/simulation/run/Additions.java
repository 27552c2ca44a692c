package photon.simulation.run;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * What some worlds have besides their settings. It is drawn apart from all else, so that a new
 * addition changes only the worlds that have it: the others keep what their seeds have shown.
 *
 * @param emissions draws what the adapter makes of each event, in several outputs; empty: one
 *     joined event each, in the main output
 * @param retirement draws when one of three datacenters is stopped, to be retired; empty: all stay
 */
record Additions(Optional<RandomGenerator> emissions, Optional<RandomGenerator> retirement) {
    private static final long OUTPUTS = 0x6f75747075747304L;
    private static final int OUTPUTS_ONE_IN = 6;
    private static final long RETIREMENT = 0x72657469726564b0L;

    /** Of those that have three datacenters. */
    private static final int RETIREMENT_ONE_IN = 3;

    static Additions draw(long seed) {
        SplittableRandom outputs = new SplittableRandom(seed ^ OUTPUTS);
        SplittableRandom retirement = new SplittableRandom(seed ^ RETIREMENT);
        return new Additions(oneIn(OUTPUTS_ONE_IN, outputs), oneIn(RETIREMENT_ONE_IN, retirement));
    }

    private static Optional<RandomGenerator> oneIn(int worlds, RandomGenerator random) {
        return random.nextInt(worlds) == 0 ? Optional.of(random) : Optional.empty();
    }

    WorldSettings to(WorldSettings drawn) {
        return emissions.isPresent() ? drawn.withSeveralOutputs() : drawn;
    }
}
