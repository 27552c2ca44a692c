package photon.tools.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.cli.Captured;
import photon.cli.LocalProcess;
import photon.core.testing.Await;
import photon.demo.chaos.PipelineFault;

/** {@code photon chaos} as a user starts it: what it refuses, what it tells, what it leaves. */
class ChaosTest {
    @TempDir Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--duration 6s | --duration is 6s: expected from 10s to 2h",
                "--duration 121m | --duration is 121m: expected",
                "--duration 5 | --duration is '5': expected a duration with its unit, such as 5s",
                "--rate 99 | --rate is 99: expected from 100",
                "--shards 9 | --shards is 9: expected from 1 to 8",
                "--only fire | --only is 'fire': expected one of [kill-leader",
                "--count 3 | --count needs --only",
                "--only kill-leader --count 0 | --count is 0: expected from 1",
                "--rate 100000 --duration 2h | all of which are kept: expected at most",
            })
    void aWrongOptionIsRefusedWithWhatWouldBeRight(String options, String message) {
        refused("registry", options, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--duration 18s | --duration is 18s: expected from 20s to 1d",
                "--rate 0 | --rate is 0: expected from 1",
                "--only fire | --only is 'fire': expected one of [kill-joiner",
                "--rate 20000 --duration 1d | all of which are counted: expected at most",
            })
    void soIsOneOfAPipelines(String options, String message) {
        refused("pipeline", options, message);
    }

    private static void refused(String subject, String options, String message) {
        List<String> args = new ArrayList<>(List.of("chaos", subject));
        args.addAll(List.of(options.split(" ", -1)));
        Captured run = Captured.run(args.toArray(String[]::new));
        assertThat(run.status()).as(run.toString()).isEqualTo(2);
        assertThat(run.stderr()).contains(message).doesNotContain("\tat ");
        assertThat(run.stdout()).isEmpty();
    }

    @Test
    void withoutASubjectItSaysWhatThereIs() {
        Captured run = Captured.run("chaos");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.stderr()).contains("expected a command: registry, pipeline");
    }

    private List<Path> left() throws Exception {
        try (Stream<Path> files = Files.list(directory.resolve(LocalProcess.TEMPORARY))) {
            return files.filter(file -> file.getFileName().toString().startsWith("photon-chaos"))
                    .toList();
        }
    }

    @Test
    @Tag("crash")
    @EnabledOnOs(OS.LINUX)
    void aShortBadDayEndsWithoutAViolation() throws Exception {
        try (LocalProcess chaos =
                LocalProcess.start(
                        directory,
                        "",
                        "chaos",
                        "registry",
                        "--duration",
                        "36s",
                        "--rate",
                        "500",
                        "--seed",
                        "7",
                        "--json")) {
            JsonNode result = chaos.awaitBooks();
            assertThat(result.path("right").asBoolean()).isTrue();
            assertThat(result.path("violations").asInt(-1)).isZero();
            assertThat(result.path("contestedPercent").asDouble()).isGreaterThan(25);
            assertThat(result.path("answers").path("commit-accepted").asInt()).isPositive();
            assertThat(result.path("answers").path("commit-taken").asInt()).isPositive();
            assertThat(result.path("acceptedAfterLast").asInt()).isPositive();
            assertThat(result.path("actions")).isNotEmpty();
            assertThat(result.path("story")).isNotEmpty();
            assertThat(chaos.stderr()).contains("comparing replicas");
            assertThat(left()).isEmpty();
        }
    }

    @Test
    @Tag("crash")
    @EnabledOnOs(OS.LINUX)
    void monthsOfAPipelineInAMinuteLoseAndDoubleNothing() throws Exception {
        try (LocalProcess chaos =
                LocalProcess.start(
                        directory,
                        "",
                        "chaos",
                        "pipeline",
                        "--duration",
                        "1m",
                        "--rate",
                        "100",
                        "--seed",
                        "7",
                        "--json")) {
            JsonNode result = chaos.awaitBooks();
            assertThat(result.path("unmet")).isEmpty();
            assertThat(result.path("right").asBoolean()).isTrue();
            assertThat(result.path("expectedJoined").asInt()).isPositive();
            assertThat(result.path("faults").size()).isEqualTo(PipelineFault.values().length);
            assertThat(result.path("resources")).isNotEmpty();
            assertThat(left()).isEmpty();
        }
    }

    @Test
    @Tag("crash")
    @EnabledOnOs(OS.LINUX)
    void aSignalEndsItAndAllThatItHasStarted() throws Exception {
        try (LocalProcess chaos =
                LocalProcess.start(directory, "", "chaos", "registry", "--only", "pause-leader")) {
            Await.until(
                    Duration.ofMinutes(12),
                    "a pause",
                    chaos::messagesOrTrouble,
                    () -> chaos.stderr().contains("pause-leader"));
            List<ProcessHandle> children = chaos.children();
            assertThat(children).hasSizeGreaterThanOrEqualTo(5);
            chaos.terminate();
            assertThat(chaos.await()).as(chaos.messages()).isEqualTo(1);
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            assertThat(chaos.stdout()).isEmpty();
            assertThat(left()).isEmpty();
        }
    }
}
