package photon.simulation.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import photon.simulation.faults.FaultKind;

/**
 * The whole pipeline in many simulated worlds full of faults: in none is anything joined twice or
 * lost. How many is {@code -Dphoton.simulation.seeds}.
 */
class SeedsTest {
    private static final long SEEDS_DEFAULT = 500;
    private static final long FROM = 1;
    private static final int FAILURES_MAX = 10;

    /** From this number on, worlds show every kind of fault and run into every limit. */
    private static final long ALL_IS_MET_FROM = 50;

    @Test
    void nothingIsJoinedTwiceOrLostInAnyWorld() throws Exception {
        RunSummary run =
                new AllSeeds(OneSeed::run, System::nanoTime, new Messages())
                        .run(
                                new AllSeeds.Settings(
                                        FROM,
                                        Long.getLong("photon.simulation.seeds", SEEDS_DEFAULT),
                                        Runtime.getRuntime().availableProcessors(),
                                        FAILURES_MAX,
                                        Arrays.stream(FaultKind.values())
                                                .map(FaultKind::name)
                                                .toList()));
        System.out.printf(
                Locale.ROOT,
                "%d seeds: %.1f simulated hours in %.1f s; %s%n",
                run.seedsRun(),
                run.simulatedHours(),
                run.seconds(),
                run.totals());
        assertThat(run.failed().stream().map(SeedsTest::describe)).isEmpty();
        if (run.seedsRun() >= ALL_IS_MET_FROM) {
            assertThat(run.neverHappened()).as("kinds of faults that no world had").isEmpty();
            limitsAreMet(run.totals());
        }
    }

    /** A bound that no world reaches is one of which no world shows that it is kept. */
    private static void limitsAreMet(Map<String, Long> totals) {
        assertThat(totals.getOrDefault("woken", 0L))
                .as("rows tried since a hint came")
                .isPositive();
        assertThat(totals)
                .containsKeys(
                        "met.admitted events",
                        "met.commit entries of one shard",
                        "met.events held",
                        "met.events on their way",
                        "met.rows on their way");
    }

    private static String describe(SeedResult seed) {
        return "./photon simulate --seed " + seed.seed() + " --trace: " + seed.violations();
    }

    private static final class Messages implements AllSeeds.Watcher {
        @Override
        public void failed(SeedResult seed) {
            System.out.println(describe(seed));
            seed.story().forEach(line -> System.out.println("    " + line));
        }

        @Override
        public void slow(long seed, Duration wallTime) {
            System.out.println("seed " + seed + " still runs after " + wallTime.toSeconds() + " s");
        }
    }
}
