package photon.tools.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.junit.jupiter.params.provider.ValueSource;
import photon.cli.Captured;
import photon.cli.LocalProcess;

/** {@code photon bench} as a user starts it: what it refuses, and that what it tells is true. */
class BenchTest {
    @TempDir Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--replicas 2 | --replicas is 2: expected 1, 3 or 5",
                "--callers 0 | --callers is 0: expected from 1 to 100000",
                "--batch 4097 | --batch is 4097: expected from 1 to 4096",
                "--rate 0 | --rate is 0: expected from 1",
                "--contested 101 | --contested is 101: expected from 0 to 100",
                "--contested 5 --callers 1 | expected --callers of at least 2",
                "--duration 0s | --duration is '0s': expected a duration above 0",
                "--duration 1500ms | --duration is '1500ms': expected whole seconds",
                "--warm-up 30 | --warm-up is '30': expected a duration with its unit, such as 30s",
                "--preload -1 | --preload is -1: expected from 0",
                "--wan-delay 2001ms | --wan-delay in milliseconds is 2001: expected from 0 to 2000",
                "--lookups some | --lookups is 'some': expected a number of ids per second, 'closed' or 'none'",
                "--lookups 0 | --lookups is 0: expected from 1",
                "--replica-heap 64MiB | --replica-heap is 64 MiB: expected at least 128 MiB",
                "--callers 100000 --in-flight 10 --batch 256 | is 256000000 ids: expected at most",
                "--rate 5 --closed-loop | mutually exclusive",
                "--drop --lookups none | --drop without --preload: expected ids that can be dropped",
                "--drop --preload 5 | --drop with --lookups: expected --lookups none",
                "--drop --preload 5 --duration 39s --lookups none | --drop with --duration 39s: expected at least 40s",
            })
    void aWrongOptionIsRefusedWithWhatWouldBeRight(String options, String message) {
        List<String> args = new ArrayList<>(List.of("bench", "registry"));
        args.addAll(List.of(options.split(" ", -1)));
        Captured run = Captured.run(args.toArray(String[]::new));
        assertThat(run.status()).as(run.toString()).isEqualTo(2);
        assertThat(run.stderr()).contains(message).doesNotContain("\tat ");
        assertThat(run.stdout()).isEmpty();
    }

    @Test
    void allThatIsWrongIsToldAtOnce() {
        Captured run = Captured.run("bench", "registry", "--replicas", "4", "--batch", "0");
        assertThat(run.stderr()).contains("--replicas is 4").contains("--batch is 0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--clicks 11 | --clicks is 11: expected 10 or 100",
                "--events 999 | --events is 999: expected from 1000 to 20000000",
                "--datacenters 3 | --datacenters is 3: expected 1 or 2",
                "--compare spark | --compare is 'spark': expected flink",
                "-o yaml | -o is 'yaml': expected one of table, json",
                "-o table --json | mutually exclusive",
            })
    void aWrongOptionOfThePipelineIsRefused(String options, String message) {
        List<String> args = new ArrayList<>(List.of("bench", "pipeline"));
        args.addAll(List.of(options.split(" ", -1)));
        Captured run = Captured.run(args.toArray(String[]::new));
        assertThat(run.status()).as(run.toString()).isEqualTo(2);
        assertThat(run.stderr()).contains(message).doesNotContain("\tat ");
        assertThat(run.stdout()).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void withoutItsJarsFlinkIsNotComparedWith() {
        String before = System.getProperty("photon.home", ".");
        System.setProperty("photon.home", directory.toString());
        try {
            Captured run = Captured.run("bench", "pipeline", "--compare", "flink");
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.stderr())
                    .contains("Flink is not there")
                    .contains("mvn -Pflink -pl bench/flink package");
        } finally {
            System.setProperty("photon.home", before);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Tag("crash")
    @EnabledOnOs(OS.LINUX)
    void aSmallPipelineIsMeasuredAndRight(int datacenters) throws Exception {
        String[] args = {
            "bench",
            "pipeline",
            "--events",
            "3000",
            "--clicks",
            "100",
            "-o",
            "json",
            "--datacenters",
            Integer.toString(datacenters)
        };
        try (LocalProcess bench = LocalProcess.start(directory, "", args)) {
            JsonNode result = bench.awaitBooks();
            assertThat(result.get("right").asBoolean()).as(result.toString()).isTrue();
            assertThat(result.at("/photon/joined")).isEqualTo(result.at("/load/joinable"));
            assertThat(result.at("/load/joinable").asLong()).isGreaterThan(1_000);
            assertThat(result.get("datacenters").asInt()).isEqualTo(datacenters);
            for (String positive :
                    List.of(
                            "startSeconds",
                            "inputsPerSecond",
                            "cpuMicrosPerInput",
                            "allocatedBytesPerInput",
                            "peakMiB",
                            "idsPerEntry")) {
                assertThat(result.get("photon").get(positive).asDouble()).as(positive).isPositive();
            }
            JsonNode parts = result.at("/photon/cpuMicrosPerInputByPart");
            for (String part : List.of("event store", "dispatcher", "joiner", "registry", "JIT")) {
                assertThat(parts.get(part).asDouble()).as(part).isPositive();
            }
            assertNothingIsLeft();
        }
    }

    @Test
    void withoutASubjectItSaysWhatThereIs() {
        Captured run = Captured.run("bench");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.stderr()).contains("registry").contains("pipeline");
    }

    private JsonNode run(String... more) throws Exception {
        return run(6, more);
    }

    private JsonNode run(int seconds, String... more) throws Exception {
        List<String> args =
                Stream.concat(
                                Stream.of(
                                        "bench",
                                        "registry",
                                        "--json",
                                        "--duration",
                                        seconds + "s",
                                        "--warm-up",
                                        "1s",
                                        "--lookup-duration",
                                        "4s",
                                        "--replica-heap",
                                        "256MiB",
                                        "--callers",
                                        "8",
                                        "--batch",
                                        "64",
                                        // What its compiler would take, a few seconds do not
                                        // give back.
                                        "--replica-java-options=-XX:TieredStopAtLevel=1"),
                                Stream.of(more))
                        .toList();
        try (LocalProcess bench = LocalProcess.start(directory, "", args.toArray(String[]::new))) {
            JsonNode result = bench.awaitBooks();
            assertNothingIsLeft();
            return result;
        }
    }

    private void assertNothingIsLeft() throws IOException {
        try (Stream<Path> left = Files.list(directory.resolve(LocalProcess.TEMPORARY))) {
            assertThat(left.filter(p -> p.getFileName().toString().startsWith("photon-bench")))
                    .isEmpty();
        }
    }

    private static void assertRight(JsonNode result) {
        assertThat(result.get("right").asBoolean()).as(result.toString()).isTrue();
        assertThat(result.get("wrongAnswers").asLong()).isZero();
        assertThat(result.get("acceptedIds").asLong())
                .isPositive()
                .isEqualTo(result.get("distinctIds").asLong());
        assertThat(result.get("takenAnswers")).isEqualTo(result.get("contestedIds"));
        for (String positive :
                List.of(
                        "acceptedIdsPerSecond",
                        "idsPerEntry",
                        "cpuMicrosPerId",
                        "bytesWrittenPerId",
                        "fsyncs",
                        "jitShare",
                        "lookupIdsPerSecond")) {
            assertThat(result.get(positive).asDouble()).as(positive).isPositive();
        }
        for (String calls : List.of("commit", "lookup")) {
            JsonNode node = result.get(calls);
            assertThat(node.get("calls").asLong()).isPositive();
            assertThat(node.get("p50Millis").asDouble())
                    .isPositive()
                    .isLessThanOrEqualTo(node.get("p99Millis").asDouble());
            assertThat(node.get("p99Millis").asDouble())
                    .isLessThanOrEqualTo(node.get("p999Millis").asDouble());
        }
        assertThat(result.get("warmedUp").asBoolean()).isFalse();
        assertThat(result.get("residentBytes").get("r0").asLong()).isGreaterThan(256L << 20);
    }

    @Test
    @Tag("crash")
    @EnabledOnOs(OS.LINUX)
    void eachIdIsAcceptedOnceThoughTwoWantIt() throws Exception {
        JsonNode result = run("--replicas", "1", "--contested", "40", "--connections", "2");
        assertRight(result);
        assertThat(result.get("contestedIds").asLong()).isPositive();
        assertThat(result.get("mode").asText()).isEqualTo("closed-loop");
        assertThat(result.get("leader").asText()).isEqualTo("r0");
    }

    @Test
    @Tag("crash")
    @EnabledOnOs(OS.LINUX)
    void farReplicasAtARateAndOneIsKilledAfterAPreload() throws Exception {
        JsonNode result =
                run(
                        "--replicas",
                        "3",
                        "--rate",
                        "2000",
                        "--wan-delay",
                        "20ms",
                        "--preload",
                        "5000",
                        "--lookups",
                        "20000",
                        "--profile");
        assertRight(result);
        assertThat(result.get("mode").asText()).isEqualTo("open-loop");
        assertThat(result.get("commit").get("p50Millis").asDouble())
                .as("there and back")
                .isGreaterThanOrEqualTo(40);
        assertThat(result.get("preload").get("ids").asLong()).isEqualTo(5_000);
        JsonNode recovery = result.get("recovery");
        assertThat(recovery.get("wrongAnswers").asLong()).isZero();
        assertThat(recovery.get("lookedUp").asLong()).isPositive();
        assertThat(recovery.get("servesAfterSeconds").asDouble()).isPositive();
        assertThat(result.get("threads").get("load").size()).isPositive();
        assertThat(result.get("profile").get("r0").size()).isPositive();
    }

    @Test
    @Tag("crash")
    @EnabledOnOs(OS.LINUX)
    void preloadedIdsAreDroppedUnderLoadAndAreTooOldFromThenOn() throws Exception {
        JsonNode result =
                run(
                        50,
                        "--replicas",
                        "3",
                        "--shards",
                        "2",
                        "--rate",
                        "2000",
                        "--preload",
                        "50000",
                        "--drop",
                        "--lookups",
                        "none");
        assertThat(result.get("right").asBoolean()).as(result.toString()).isTrue();
        assertThat(result.get("drop").get("secondsDropping").asInt()).isPositive();
        assertThat(result.get("drop").get("idsHeldAfterwards").asLong())
                .isLessThanOrEqualTo(result.get("acceptedIds").asLong() - 50_000);
        assertThat(result.get("drop").get("p99Ratio").asDouble()).isPositive();
        assertThat(result.get("commitWhileDropping").get("calls").asLong()).isPositive();
    }
}
