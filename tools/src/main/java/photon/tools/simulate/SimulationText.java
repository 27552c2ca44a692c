package photon.tools.simulate;

import static photon.core.text.RootLocale.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import photon.simulation.run.RunSummary;
import photon.simulation.run.SeedResult;

/** Results of simulated worlds, for people. */
public final class SimulationText {
    static final String FAULT = "fault.";
    private static final int FAULTS_A_LINE = 5;

    private SimulationText() {}

    /** What shows a failure again, with all that happened in it. */
    static String command(SeedResult seed) {
        return "./photon simulate --seed " + seed.seed() + " --trace";
    }

    static String hash(SeedResult seed) {
        return String.format("%016x", seed.traceHash());
    }

    /** What was broken in a seed that has failed, and how it came about. */
    public static List<String> failed(SeedResult seed) {
        List<String> lines = new ArrayList<>();
        lines.add("seed " + seed.seed() + " FAILED");
        seed.violations().forEach(v -> lines.add("  " + v.invariant() + ": " + v.text()));
        lines.add("  again: " + command(seed));
        if (!seed.story().isEmpty()) {
            lines.add("  what happened:");
            seed.story().forEach(line -> lines.add("    " + line));
        }
        return lines;
    }

    /** A run of one seed. */
    public static List<String> one(SeedResult seed) {
        List<String> lines = new ArrayList<>();
        if (seed.passed()) {
            lines.add("seed " + seed.seed() + " passed");
        } else {
            lines.addAll(failed(seed));
        }
        lines.add(row("trace hash", hash(seed)));
        lines.add(
                row(
                        "simulated",
                        format(
                                "%.1f minutes, %,d steps",
                                seed.simulatedNanos() / 60e9, seed.steps())));
        lines.addAll(counts(seed.totals()));
        return lines;
    }

    /** A run of many; those that failed are told of by {@link #failed}. */
    public static List<String> all(RunSummary run) {
        List<String> lines = new ArrayList<>();
        lines.add(
                row(
                        "seeds",
                        format(
                                "%,d, from %d on: %,d passed, %,d failed; %,d run twice",
                                run.seedsRun(),
                                run.from(),
                                run.seedsRun() - run.failed().size(),
                                run.failed().size(),
                                run.seedsRunTwice())));
        lines.add(
                row(
                        "simulated",
                        format(
                                "%,.1f hours in %.1f s: %.2f simulated hours per second, %.1f seeds per second, %,d steps",
                                run.simulatedHours(),
                                run.seconds(),
                                run.simulatedHoursPerSecond(),
                                run.seedsPerSecond(),
                                run.steps())));
        lines.addAll(counts(run.totals()));
        if (run.missesFaults()) {
            lines.add("FAILED: no world had " + String.join(", ", run.neverHappened()));
        } else if (!run.neverHappened().isEmpty()) {
            lines.add(
                    format(
                            "note: no world had %s; a run of %d seeds or more fails then",
                            String.join(", ", run.neverHappened()),
                            RunSummary.ALL_KINDS_FROM_SEEDS));
        }
        if (run.stoppedEarly()) {
            lines.add(
                    format(
                            "stopped early, with %,d seeds requested (--keep-going runs them all)",
                            run.seedsAsked()));
        }
        return lines;
    }

    private static List<String> counts(SortedMap<String, Long> totals) {
        List<String> faults = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (Map.Entry<String, Long> total : totals.entrySet()) {
            String name = total.getKey();
            String count = format("%,d", total.getValue());
            if (name.startsWith(FAULT)) {
                faults.add(name.substring(FAULT.length()) + " " + count);
            } else {
                others.add(row(name, count));
            }
        }
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < faults.size(); i += FAULTS_A_LINE) {
            List<String> some = faults.subList(i, Math.min(i + FAULTS_A_LINE, faults.size()));
            lines.add(row(i == 0 ? "faults" : "", String.join(", ", some)));
        }
        lines.addAll(others);
        return lines;
    }

    private static String row(String name, String value) {
        return format("  %-24s %s", name, value);
    }
}
