package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Disorder;
import photon.cli.JoinedPairs;
import photon.cli.LocalProcess;
import photon.cli.Repository;
import photon.core.testing.Await;

/** A run that is ended from outside, by SIGTERM or SIGKILL, and started again. */
class SignalTest {
    private static final Duration JOINED_WITHIN = Duration.ofMinutes(4);

    @TempDir Path root;

    /** Of the run that is looked at. */
    private Path directory;

    @BeforeEach
    void begin() {
        directory = root;
    }

    private Path config(String paths) throws IOException {
        return Files.writeString(
                directory.resolve("photon.yaml"), LocalTest.JOBS.formatted(paths, paths, ""));
    }

    private LocalProcess start(String... more) throws IOException {
        List<String> args =
                Stream.concat(
                                Stream.of(
                                        "local",
                                        "--config",
                                        directory.resolve("photon.yaml").toString(),
                                        "--json"),
                                Stream.of(more))
                        .toList();
        return LocalProcess.start(directory, "", args.toArray(String[]::new));
    }

    private int published() throws IOException {
        return JoinedPairs.read(directory.resolve("photon-out")).count();
    }

    private void assertTheAnswerIsRight(JsonNode books) throws Exception {
        JsonNode answer = Repository.answer("jobs");
        assertThat(books.get("joined").asInt())
                .as(books.toString())
                .isEqualTo(answer.get("joined").asInt());
        assertThat(books.get("waiting").asInt()).isEqualTo(answer.get("waiting").asInt());
        assertThat(JoinedPairs.read(directory.resolve("photon-out")).sha256())
                .isEqualTo(answer.get("sha256").asText());
    }

    /** One that could not finish in time may leave work for a repair: not each. */
    @Test
    void aRunThatIsTerminatedEndsInGoodOrderAndGoesOnWhenItIsStartedAgain() throws Exception {
        boolean clean = false;
        long begun = System.nanoTime();
        for (int attempt = 1; !clean; attempt++) {
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .as("attempts to be closed cleanly: %s", attempt - 1)
                    .isLessThan(Duration.ofMinutes(10));
            directory = Files.createDirectory(root.resolve("attempt-" + attempt));
            clean = isClosedCleanlyAndGoesOn();
        }
    }

    private boolean isClosedCleanlyAndGoesOn() throws Exception {
        List<String> lines = Disorder.lines(Repository.files("jobs", ".csv.gz"));
        int half = lines.size() / 2;
        config("events-*.csv");
        write("events-0.csv", lines.subList(0, half));
        boolean clean;
        try (LocalProcess run = start()) {
            Await.until(JOINED_WITHIN, "joins", run::messagesOrTrouble, () -> published() > 50);
            run.terminate();
            int status = run.await();
            if (run.stderr().contains("not shut down within")) {
                assertThat(status).isEqualTo(1);
                return false;
            }
            assertThat(status).as(run.messages()).isZero();
            clean = !run.stderr().contains("was not closed cleanly");
            JsonNode books = new ObjectMapper().readTree(run.stdout());
            assertThat(books.get("joined").asInt()).isGreaterThan(50).isEqualTo(published());
            assertThat(run.isAlive()).isFalse();
        }
        if (clean) {
            assertThat(leftBehind()).isEmpty();
        }

        write("events-1.csv", lines.subList(half, lines.size()));
        try (LocalProcess run = start("--until-idle", "1s")) {
            JsonNode books = run.awaitBooks();
            assertTheAnswerIsRight(books);
            if (clean) {
                assertThat(books.get("repaired").asInt()).as("nothing was open").isZero();
            }
        }
        assertThat(leftBehind()).isEmpty();
        return clean;
    }

    /** Temporaries, and work logs that were not published. */
    private List<String> leftBehind() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> directory.relativize(file).toString())
                    .filter(
                            file ->
                                    file.startsWith(LocalProcess.TEMPORARY)
                                            || file.matches("photon-.*/(_tmp|work-|frozen-)[^/]*")
                                            || file.matches("photon-.*[.]new"))
                    .toList();
        }
    }

    @Test
    @Tag("crash")
    void killsAtRandomMomentsLoseAndDoubleNothing() throws Exception {
        long seed = Long.getLong("photon.test.seed", System.nanoTime());
        Random random = new Random(seed);
        config(Repository.example("jobs") + "/*.csv.gz");
        for (int kill = 0; kill < 3; kill++) {
            try (LocalProcess run = start()) {
                run.awaitAtMost(Duration.ofMillis(500 + random.nextInt(5_000)));
                run.kill();
            }
        }
        try (LocalProcess run = start("--until-idle", "1s")) {
            JsonNode books = run.awaitBooks();
            assertThat(books.get("duplicates").asInt()).as("seed " + seed).isZero();
            assertTheAnswerIsRight(books);
        }
    }

    private void write(String name, List<String> lines) throws IOException {
        Path aside = directory.resolve("." + name);
        Files.writeString(aside, String.join("\n", lines) + "\n", StandardCharsets.UTF_8);
        Files.move(aside, directory.resolve(name));
    }
}
