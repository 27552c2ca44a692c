package photon.simulation.run;

import java.util.List;
import java.util.SortedMap;

/**
 * What came of many seeds.
 *
 * @param from the first seed
 * @param seedsAsked how many were to be run
 * @param seedsRun fewer than asked if the run stopped at so many failures
 * @param seedsRunTwice of these, how many were compared with a second run
 * @param failed the failing seeds, lowest first
 * @param totals the sums over all seeds, by name
 * @param neverHappened kinds of faults that no seed had, in the order given
 * @param wallNanos how long the run took
 */
public record RunSummary(
        long from,
        long seedsAsked,
        long seedsRun,
        long seedsRunTwice,
        List<SeedResult> failed,
        SortedMap<String, Long> totals,
        List<String> neverHappened,
        long simulatedNanos,
        long steps,
        long wallNanos) {

    /** From so many seeds on every kind of fault must have happened. */
    public static final long ALL_KINDS_FROM_SEEDS = 100;

    private static final double NANOS_PER_HOUR = 3.6e12;

    /** In all it asked, every seed and every kind of fault. */
    public boolean passed() {
        return failed.isEmpty() && !missesFaults();
    }

    /** True if the run was long enough for every kind of fault, and had not every kind. */
    public boolean missesFaults() {
        return seedsRun >= ALL_KINDS_FROM_SEEDS && !neverHappened.isEmpty();
    }

    public boolean stoppedEarly() {
        return seedsRun < seedsAsked;
    }

    public double simulatedHours() {
        return simulatedNanos / NANOS_PER_HOUR;
    }

    public double seconds() {
        return wallNanos / 1e9;
    }

    /** Simulated hours per second of wall time; 0 for a run that took no time. */
    public double simulatedHoursPerSecond() {
        return wallNanos == 0 ? 0 : simulatedHours() / seconds();
    }

    public double seedsPerSecond() {
        return wallNanos == 0 ? 0 : seedsRun / seconds();
    }
}
