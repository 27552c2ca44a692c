package photon.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.cli.Captured;
import photon.cli.JoinedPairs;
import photon.cli.LocalProcess;
import photon.core.testing.Await;

/** {@code photon generate}: its flags, its end, and that Photon joins what it writes. */
class GenerateCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir Path directory;

    private Path logs() {
        return directory.resolve("logs");
    }

    private void refused(String message, String... args) {
        List<String> all = new ArrayList<>(List.of("generate", "--output", logs().toString()));
        all.addAll(List.of(args));
        Captured run = Captured.run(all.toArray(String[]::new));
        assertThat(run.status()).as(run.toString()).isEqualTo(2);
        assertThat(run.stderr()).contains(message).doesNotContain("\tat ");
        assertThat(logs()).doesNotExist();
    }

    @Test
    void refusesNonsense() {
        refused("--events is 0: expected from 1 to 100000000", "--events", "0");
        refused("--events", "--events", "many");
        refused("--span is 'soon': expected a duration", "--span", "soon");
        refused("--span is '0s': expected a duration above 0", "--span", "0s");
        refused("--rate is 0.0", "--rate", "0");
        refused("--rate is NaN", "--rate", "NaN");
        refused("expected two of them", "--rate", "1", "--events", "9", "--span", "1h");
        refused("events per second: expected at most", "--events", "100000000", "--span", "1s");
        refused("--format is 'csv': expected json-lines or framed", "--format", "csv");
        refused("--processes is 0: expected from 1 to 1000", "--processes", "0");
        refused("--orphans is 101: expected from 0 to 100", "--orphans", "101");
        refused("--early is -1", "--early=-1");
        refused("--late-files is 200", "--late-files", "200");
        refused(
                "--rotate-size is '9': expected a size with its unit, such as 9B",
                "--rotate-size",
                "9");
        refused("--rotate-size is 0", "--rotate-size", "0B");
        refused("--clock-offset-max is 2d: expected at most 1d", "--clock-offset-max", "2d");
        refused("--duration is 5s: it needs --live", "--duration", "5s");
        refused("--duration is '0s'", "--live", "--duration", "0s");
        refused("--span does not apply with --live", "--live", "--span", "1h");
    }

    @Test
    void refusesADirectoryWithSomethingInIt() throws IOException {
        Files.createDirectory(logs());
        Path precious = Files.writeString(logs().resolve("precious"), "mine");
        Captured run = Captured.run("generate", "--output", logs().toString());
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.stderr()).contains("expected a new or empty directory");
        assertThat(precious).hasContent("mine");
        run = Captured.run("generate", "--output", precious.toString());
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.stderr()).contains("expected a directory, but it is a file");
    }

    @Test
    void printsTheAnswerForPeopleAndForPrograms() throws IOException {
        Captured run =
                Captured.run(
                        "generate", "--output", logs().toString(), "--events", "500", "--json");
        assertThat(run.status()).as(run.toString()).isZero();
        JsonNode json = JSON.readTree(run.stdout());
        JsonNode answer = JSON.readTree(logs().resolve("answer.json").toFile());
        assertThat(json.get("sha256")).isEqualTo(answer.get("sha256"));
        assertThat(json.get("primaryEvents").asLong() + json.get("foreignEvents").asLong())
                .isEqualTo(500);
        assertThat(json.get("eventsPerSecond").asDouble()).isPositive();
        run =
                Captured.run(
                        "generate",
                        "--output",
                        directory.resolve("more").toString(),
                        "--rate",
                        "10",
                        "--span",
                        "10s");
        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.stdout()).contains("can be joined", "./photon local --config");
    }

    @Tag("crash")
    @ParameterizedTest
    @ValueSource(strings = {"json-lines", "framed"})
    void photonJoinsExactlyWhatTheAnswerSays(String format) throws Exception {
        Captured generated =
                Captured.run(
                        ("generate --output %s --format %s --events 3000 --gzip --rotate-every 3h"
                                        + " --orphans 5 --repeats 5 --early 10 --late-files 30 --clicks 1.5")
                                .formatted(logs(), format)
                                .split(" "));
        assertThat(generated.status()).as(generated.toString()).isZero();
        JsonNode answer = JSON.readTree(logs().resolve("answer.json").toFile());
        try (LocalProcess run =
                LocalProcess.start(
                        directory,
                        "",
                        "local",
                        "--config",
                        logs().resolve("photon.yaml").toString(),
                        "--until-idle",
                        "1s",
                        "--json")) {
            JsonNode books = run.awaitBooks();
            assertThat(books.get("joined")).isEqualTo(answer.get("joinable"));
            assertThat(books.get("waiting")).isEqualTo(answer.get("orphans"));
            assertThat(books.get("foreignEvents")).isEqualTo(answer.get("foreignEvents"));
            assertThat(books.get("badRecords").asInt()).isZero();
            assertThat(books.get("conflictingRepeats").asInt()).isZero();
        }
        assertThat(JoinedPairs.read(logs().resolve("photon-out")).sha256())
                .isEqualTo(answer.get("sha256").asText());
        assertThat(answer.get("joinable").asInt()).isGreaterThan(1_000);
    }

    @Test
    void aLiveRunThatIsTerminatedLeavesACompleteAnswer() throws Exception {
        try (LocalProcess run =
                LocalProcess.start(
                        directory,
                        "",
                        ("generate --live --rate 2000 --click-delay-median 50ms --json --output "
                                        + logs())
                                .split(" "))) {
            Await.until(
                    Duration.ofMinutes(4),
                    "clicks",
                    run::messagesOrTrouble,
                    () -> bytes() > 20_000);
            assertThat(logs().resolve("answer.json")).doesNotExist();
            run.terminate();
            assertThat(run.await()).as(run.messages()).isZero();
            JsonNode said = JSON.readTree(run.stdout());
            JsonNode answer = JSON.readTree(logs().resolve("answer.json").toFile());
            assertThat(said.get("sha256")).isEqualTo(answer.get("sha256"));
            assertThat(Files.readAllLines(logs().resolve("joinable.tsv")))
                    .hasSize(answer.get("joinable").asInt())
                    .isNotEmpty();
        }
    }

    private long bytes() throws IOException {
        Path foreign = logs().resolve("foreign");
        if (!Files.isDirectory(foreign)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(foreign)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }
}
