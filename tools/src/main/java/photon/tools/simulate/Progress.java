package photon.tools.simulate;

import java.time.Duration;
import java.util.Locale;
import photon.server.terminal.TerminalLine;
import photon.simulation.run.AllSeeds;
import photon.simulation.run.SeedResult;

/** Tells on stderr how a run goes: on a terminal a line, everywhere what has failed or hangs. */
public final class Progress implements AllSeeds.Watcher, AutoCloseable {
    private static final long SHOW_EVERY_NANOS = 1_000_000_000L;

    private final TerminalLine line;
    private final boolean showFailed;
    private final long seeds;
    private final long start = System.nanoTime();
    private long shownAt = start;

    /**
     * @param seeds how many there will be
     * @param people true: results are printed for people, so failing seeds are shown at once
     */
    public Progress(long seeds, boolean people) {
        this.line = TerminalLine.onTerminal(people);
        this.showFailed = people;
        this.seeds = seeds;
    }

    @Override
    public void goesOn(long seedsRun, long seedsFailed) {
        long now = System.nanoTime();
        if (now - shownAt >= SHOW_EVERY_NANOS) {
            shownAt = now;
            line.show(
                    String.format(
                            Locale.ROOT,
                            "%,d of %,d seeds, %,d failed, %.1f seeds/s",
                            seedsRun,
                            seeds,
                            seedsFailed,
                            seedsRun / ((now - start) / 1e9)));
        }
    }

    @Override
    public void failed(SeedResult seed) {
        if (showFailed) {
            line.clear();
            SimulationText.failed(seed).forEach(System.out::println);
            System.out.println();
        }
    }

    @Override
    public void slow(long seed, Duration wallTime) {
        line.clear();
        System.err.println(
                "photon: seed "
                        + seed
                        + " has been running for "
                        + wallTime.toSeconds()
                        + " s and may never end");
    }

    @Override
    public void close() {
        line.close();
    }
}
