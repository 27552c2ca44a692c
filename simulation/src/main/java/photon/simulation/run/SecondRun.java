package photon.simulation.run;

import java.util.ArrayList;
import java.util.List;
import photon.simulation.run.SeedResult.Violation;

/**
 * A seed that cannot be replayed is worth nothing: some are run a second time, and must come to the
 * same in everything. So is every seed that fails. The second run keeps its trace, so it has the
 * story of a failure, and a trace that changes its world shows too.
 */
final class SecondRun implements SeedRun {
    private static final int ONE_IN = 100;
    private static final int CHOSEN_REMAINDER = 7;

    /** More runs in search of the first line that differs. */
    private static final int MORE_RUNS = 3;

    private final SeedRun seedRun;
    private final long from;
    private final long count;

    /** Of a run of these seeds. */
    SecondRun(SeedRun seedRun, long from, long count) {
        this.seedRun = seedRun;
        this.from = from;
        this.count = count;
    }

    /** True for 1 % of all seeds, and for one of every run. */
    boolean chosen(long seed) {
        if (Math.floorMod(seed, ONE_IN) == CHOSEN_REMAINDER) {
            return true;
        }
        long toNextChosen = Math.floorMod(CHOSEN_REMAINDER - from, (long) ONE_IN);
        return seed == from && toNextChosen >= count;
    }

    /** The first run's result, with one violation more if the second comes to another. */
    @Override
    public SeedResult run(long seed, boolean keepTrace) {
        SeedResult first = seedRun.run(seed, keepTrace);
        if (first.passed() && !chosen(seed)) {
            return first;
        }
        SeedResult second = seedRun.run(seed, true);
        List<Violation> violations = new ArrayList<>(first.violations());
        List<String> story =
                new ArrayList<>(first.story().isEmpty() ? second.story() : first.story());
        if (!same(first, second)) {
            violations.add(new Violation("determinism", difference(first, second)));
            story.addAll(whereTheyPart(second));
        }
        return new SeedResult(
                first.seed(),
                violations,
                first.traceHash(),
                first.trace(),
                violations.isEmpty() ? List.of() : story,
                first.totals(),
                first.simulatedNanos(),
                first.steps());
    }

    private static boolean same(SeedResult first, SeedResult second) {
        return first.traceHash() == second.traceHash()
                && first.steps() == second.steps()
                && first.simulatedNanos() == second.simulatedNanos()
                && first.violations().equals(second.violations())
                && first.totals().equals(second.totals());
    }

    private static String difference(SeedResult first, SeedResult second) {
        if (first.traceHash() != second.traceHash()) {
            return String.format(
                    "two runs have the trace hashes %016x and %016x",
                    first.traceHash(), second.traceHash());
        }
        return "two runs have the same trace hash, but ended differently: "
                + ending(first)
                + ", and "
                + ending(second);
    }

    private static String ending(SeedResult result) {
        return result.steps()
                + " steps, violations "
                + result.violations()
                + ", totals "
                + result.totals();
    }

    private List<String> whereTheyPart(SeedResult second) {
        for (int i = 0; i < MORE_RUNS; i++) {
            SeedResult another = seedRun.run(second.seed(), true);
            int line = firstDifference(second.trace(), another.trace());
            if (line >= 0) {
                return List.of(
                        "two runs part at line " + (line + 1) + " of the trace:",
                        "  one:   " + lineOrEnd(second.trace(), line),
                        "  other: " + lineOrEnd(another.trace(), line));
            }
        }
        return List.of(
                "the lines of "
                        + (MORE_RUNS + 1)
                        + " traces are alike: what differs is hashed without a line, or the run"
                        + " without a trace differs from those with one");
    }

    /** -1 if they are alike. */
    private static int firstDifference(List<String> one, List<String> other) {
        int both = Math.min(one.size(), other.size());
        for (int i = 0; i < both; i++) {
            if (!one.get(i).equals(other.get(i))) {
                return i;
            }
        }
        return one.size() == other.size() ? -1 : both;
    }

    private static String lineOrEnd(List<String> trace, int line) {
        return line < trace.size() ? trace.get(line) : "(has ended)";
    }
}
