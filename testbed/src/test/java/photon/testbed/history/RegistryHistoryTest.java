package photon.testbed.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Registries of real processes that are killed, stopped and cut off while callers ask: whatever
 * they answered, some order of decisions explains all of it, and the replicas end up the same.
 */
@Tag("crash")
@Isolated("Replicas that get no processor for seconds say nothing of the registry.")
class RegistryHistoryTest {
    private static final long OPERATIONS = Long.getLong("photon.history.operations", 100_000);
    private static final long SEED =
            Long.getLong("photon.history.seed", new Random().nextInt(1_000_000));

    /** Repetitions after 61 s need a run that is somewhat longer. */
    private static final Duration AT_LEAST = Duration.ofSeconds(85);

    @TempDir Path directory;

    @Test
    void threeReplicasAnswerAsOneThatDecidesOneThingAfterAnother(TestReporter reporter)
            throws Exception {
        run(3, 2, reporter);
    }

    @Test
    void fiveReplicasAnswerAsOneThatDecidesOneThingAfterAnother(TestReporter reporter)
            throws Exception {
        run(5, 1, reporter);
    }

    private void run(int replicas, int shards, TestReporter reporter) throws Exception {
        try (HistoryRun run = HistoryRun.start(directory, replicas, shards, SEED)) {
            HistoryRun.Outcome outcome = run.until(OPERATIONS, AT_LEAST);
            reporter.publishEntry("seed " + SEED, outcome.toString());
            assertThat(outcome.violations().stream().limit(3).toList())
                    .as("seed %s: %s%n%s", SEED, outcome, run.messages())
                    .isEmpty();
            assertThat(outcome.differences()).as("seed %s: %s", SEED, outcome).isEmpty();
            assertThat(outcome.operations()).isGreaterThanOrEqualTo(OPERATIONS);
            assertThat(outcome.contestedPercent()).isGreaterThanOrEqualTo(30);
            assertThat(outcome.results().keySet())
                    .containsExactlyInAnyOrderElementsOf(
                            EnumSet.complementOf(EnumSet.of(Operation.Result.TOO_OLD)));
            assertThat(outcome.faults().keySet()).containsExactlyInAnyOrder(Nemesis.Fault.values());
            assertThat(outcome.fences()).isPositive();
            assertThat(
                            List.of(
                                    outcome.tally().after61Seconds,
                                    outcome.tally().afterLeaderChange,
                                    outcome.tally().afterInstallation))
                    .allMatch(repetitions -> repetitions > 100);
        }
    }
}
