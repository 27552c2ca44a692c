package photon.simulation.run;

import java.util.function.LongFunction;

/** Runs the world of one seed. Thread-safe: every run has a world of its own. */
public final class OneSeed implements LongFunction<String> {
    /** What {@link #apply} returns for a seed that has passed. */
    public static final String PASSED = "ok";

    public static SeedResult run(long seed, boolean keepTrace) {
        return new World(seed, keepTrace).run(seed);
    }

    /**
     * @return {@link #PASSED}, or the first violation: its invariant, a colon, its text
     */
    @Override
    public String apply(long seed) {
        SeedResult result = run(seed, false);
        if (result.passed()) {
            return PASSED;
        }
        SeedResult.Violation first = result.violations().get(0);
        return first.invariant() + ": " + first.text();
    }
}
