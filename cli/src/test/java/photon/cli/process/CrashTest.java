package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import photon.cli.JoinedPairs;
import photon.cli.LocalProcess;
import photon.cli.Repository;
import photon.core.crash.CrashPoint;
import photon.server.lifecycle.HaltAt;

/**
 * Processes that are halted, as by a power cut, between two steps, and started again until all is
 * done.
 */
@Execution(ExecutionMode.CONCURRENT)
class CrashTest {
    @TempDir Path directory;

    private Path config() throws Exception {
        Path jobs = Repository.example("jobs");
        // Small batches, and a new incarnation for each file: every step is passed many times.
        return Files.writeString(
                directory.resolve("photon.yaml"),
                LocalTest.JOBS.formatted(
                        jobs + "/*.csv.gz",
                        jobs + "/*.csv.gz",
                        ", eventsInFlightMax: 40, commitsInFlightMax: 40, rollFiles: 1"));
    }

    private LocalProcess start(Path config, String haltAt) throws Exception {
        return start(config, haltAt, "1s");
    }

    private LocalProcess start(Path config, String haltAt, String untilIdle) throws Exception {
        return LocalProcess.start(
                directory,
                haltAt,
                "local",
                "--config",
                config.toString(),
                "--until-idle",
                untilIdle,
                "--json");
    }

    private void assertTheAnswerIsRight(JsonNode books) throws Exception {
        JsonNode answer = Repository.answer("jobs");
        assertThat(books.get("joined").asInt())
                .as(books.toString())
                .isEqualTo(answer.get("joined").asInt());
        assertThat(books.get("waiting").asInt())
                .as(books.toString())
                .isEqualTo(answer.get("waiting").asInt());
        assertThat(JoinedPairs.read(directory.resolve("photon-out")).sha256())
                .isEqualTo(answer.get("sha256").asText());
    }

    @Test
    @Tag("crash")
    void aCrashAtEachStepLosesAndDoublesNothing() throws Exception {
        Path config = config();
        // Each of these is passed by what the crash before it left behind.
        List<CrashPoint> order =
                List.of(
                        CrashPoint.COMMIT_SENT,
                        CrashPoint.COMMIT_ACCEPTED,
                        CrashPoint.REPAIRING,
                        CrashPoint.WORK_LOG_WRITTEN,
                        CrashPoint.WORK_LOG_FLUSHED,
                        CrashPoint.ANSWERED,
                        CrashPoint.JOURNAL_WRITTEN,
                        CrashPoint.CHECKPOINT_WRITTEN,
                        CrashPoint.PUBLISHING,
                        CrashPoint.ROLLED,
                        CrashPoint.DRAINED);
        assertThat(order).containsExactlyInAnyOrder(CrashPoint.values());
        for (CrashPoint point : order) {
            // It must not end while the step is on its way.
            try (LocalProcess run = start(config, point.label() + ":1", "30s")) {
                assertThat(run.await()).as(point + ": " + run.messages()).isEqualTo(HaltAt.STATUS);
            }
        }
        try (LocalProcess run = start(config, "")) {
            assertTheAnswerIsRight(run.awaitBooks());
        }
    }

    @Test
    void whatWasAcceptedAndNotWrittenIsRepaired() throws Exception {
        Path config = config();
        try (LocalProcess run = start(config, CrashPoint.COMMIT_ACCEPTED.label() + ":2")) {
            assertThat(run.await()).as(run.messages()).isEqualTo(HaltAt.STATUS);
        }
        try (LocalProcess run = start(config, "")) {
            JsonNode books = run.awaitBooks();
            assertTheAnswerIsRight(books);
            assertThat(books.get("repaired").asInt()).isPositive();
        }
    }

    @Test
    @Tag("crash")
    void crashesAtRandomStepsLoseAndDoubleNothing() throws Exception {
        long seed = Long.getLong("photon.test.seed", 42L);
        Random random = new Random(seed);
        Path config = config();
        List<CrashPoint> points = List.of(CrashPoint.values());
        List<String> halts = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            CrashPoint point = points.get(random.nextInt(points.size()));
            String halt = point.label() + ":" + (1 + random.nextInt(6));
            halts.add(halt);
            try (LocalProcess run = start(config, halt)) {
                // A run that has nothing left to do may end before it is halted.
                assertThat(run.await())
                        .as("seed " + seed + " " + halts + run.messages())
                        .isIn(HaltAt.STATUS, 0);
            }
        }
        try (LocalProcess run = start(config, "")) {
            assertTheAnswerIsRight(run.awaitBooks());
        }
    }
}
