package photon.simulation.run;

/** Makes the world of a seed, runs it to its end and tells what came of it. */
@FunctionalInterface
public interface SeedRun {
    /**
     * Called from several threads at once, for different worlds, which share nothing.
     *
     * @param keepTrace true: the result has the trace as text; changes nothing else
     */
    SeedResult run(long seed, boolean keepTrace);
}
