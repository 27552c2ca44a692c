package photon.simulation.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** Sums up seeds as they end. Not thread-safe: the thread that collects owns it. */
final class RunTotals {
    private static final String FAULT = "fault.";

    private final AllSeeds.Settings settings;
    private final List<SeedResult> failed = new ArrayList<>();
    private final TreeMap<String, Long> totals = new TreeMap<>();
    private long run;
    private long runTwice;
    private long simulatedNanos;
    private long steps;

    RunTotals(AllSeeds.Settings settings) {
        this.settings = settings;
    }

    void add(SeedResult result, boolean twice) {
        run++;
        runTwice += twice ? 1 : 0;
        simulatedNanos += result.simulatedNanos();
        steps += result.steps();
        result.totals().forEach((name, count) -> totals.merge(name, count, Long::sum));
        if (!result.passed()) {
            failed.add(result);
        }
    }

    long run() {
        return run;
    }

    int failed() {
        return failed.size();
    }

    /** So far. */
    RunSummary summary(long wallNanos) {
        return new RunSummary(
                settings.from(),
                settings.count(),
                run,
                runTwice,
                failed.stream().sorted(Comparator.comparingLong(SeedResult::seed)).toList(),
                new TreeMap<>(totals),
                settings.faultKinds().stream()
                        .filter(kind -> totals.getOrDefault(FAULT + kind, 0L) == 0)
                        .toList(),
                simulatedNanos,
                steps,
                wallNanos);
    }
}
