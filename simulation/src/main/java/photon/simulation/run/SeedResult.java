package photon.simulation.run;

import java.util.List;
import java.util.SortedMap;

/**
 * What came of one seed.
 *
 * @param violations what was broken, the first first; empty: the seed has passed
 * @param traceHash the same whenever the seed is run by the same program
 * @param trace every line, where it was asked for
 * @param story the faults, and what happened to the events of the violations; empty if there are
 *     none
 * @param totals counts by name, those of faults named {@code fault.KIND}
 * @param simulatedNanos how long the world lived, in its own time
 * @param steps tasks that were run
 */
public record SeedResult(
        long seed,
        List<Violation> violations,
        long traceHash,
        List<String> trace,
        List<String> story,
        SortedMap<String, Long> totals,
        long simulatedNanos,
        long steps) {

    /**
     * One thing that must never be.
     *
     * @param invariant I1 to I6, {@code replicas}, or {@code bug} for a failed check in the code
     */
    public record Violation(String invariant, String text) {}

    public boolean passed() {
        return violations.isEmpty();
    }
}
