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
 */
record Additions(Optional<RandomGenerator> emissions) {
    private static final long OUTPUTS = 0x6f75747075747304L;
    private static final int OUTPUTS_ONE_IN = 6;

    static Additions draw(long seed) {
        SplittableRandom outputs = new SplittableRandom(seed ^ OUTPUTS);
        return new Additions(
                outputs.nextInt(OUTPUTS_ONE_IN) == 0 ? Optional.of(outputs) : Optional.empty());
    }

    WorldSettings to(WorldSettings drawn) {
        return emissions.isPresent() ? drawn.withSeveralOutputs() : drawn;
    }
}
