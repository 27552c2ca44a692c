package photon.tools.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import photon.cli.LocalProcess;
import photon.core.testing.Await;

/** {@code photon demo} as a user starts it, and what it leaves behind. */
@Execution(ExecutionMode.CONCURRENT)
class DemoTest {
    private static final Duration SERVING_WITHIN = Duration.ofMinutes(12);

    @TempDir Path directory;

    private LocalProcess start(String... more) throws IOException {
        List<String> args =
                Stream.concat(Stream.of("demo", "--json", "--rate", "300"), Stream.of(more))
                        .toList();
        return LocalProcess.start(directory, "", args.toArray(String[]::new));
    }

    private void awaitLoad(LocalProcess demo) throws Exception {
        Await.until(
                SERVING_WITHIN,
                "the load",
                demo::messagesOrTrouble,
                () -> demo.stderr().contains("the load begins"));
    }

    private static void assertRight(JsonNode result) {
        assertThat(result.get("expectedJoined").asLong()).as(result.toString()).isPositive();
        assertThat(result.get("joined")).isEqualTo(result.get("expectedJoined"));
        assertThat(result.get("duplicates").asLong()).isZero();
        assertThat(result.get("unaccounted").asLong()).isZero();
        assertThat(result.get("lost").asLong()).isZero();
        assertThat(result.get("audit").asText()).isNotEqualTo("differs");
    }

    private void assertNothingIsLeft(List<ProcessHandle> children) throws IOException {
        assertThat(children).isNotEmpty().noneMatch(ProcessHandle::isAlive);
        assertNoDirectoryIsLeft();
    }

    private void assertNoDirectoryIsLeft() throws IOException {
        assertThat(directoriesLeft()).isEmpty();
    }

    private List<Path> directoriesLeft() throws IOException {
        try (Stream<Path> left = Files.list(directory.resolve(LocalProcess.TEMPORARY))) {
            return left.filter(p -> p.getFileName().toString().startsWith("photon-demo")).toList();
        }
    }

    @Test
    void inOneProcessAllIsJoinedOnceAndNothingIsLeft() throws Exception {
        try (LocalProcess demo = start("--single-process", "--duration", "10s")) {
            assertRight(demo.awaitBooks());
            assertNoDirectoryIsLeft();
            assertThat(demo.stdout().lines()).as("the JSON, and nothing else").hasSize(1);
            assertThat(demo.stderr().lines())
                    .as("no warning, no line of a log")
                    .allMatch(line -> line.matches("[0-9]{2}:[0-9]{2}  .*|exactly once: .*"));
        }
    }

    @Test
    @Tag("crash")
    void aDemoInOneProcessThatIsTerminatedLeavesNothing() throws Exception {
        try (LocalProcess demo = start("--single-process", "--duration", "300s")) {
            Await.until(
                    SERVING_WITHIN,
                    "a joined event",
                    demo::messagesOrTrouble,
                    () -> demo.stderr().matches("(?s).* [1-9][0-9,]* clicks joined.*"));
            demo.terminate();
            assertThat(demo.await()).as(demo.messages()).isEqualTo(1);
            assertThat(demo.stderr()).contains("ended early");
            assertThat(demo.stdout()).isEmpty();
            assertNoDirectoryIsLeft();
        }
    }

    @Test
    @Tag("crash")
    void aDatacenterDiesAndComesBackAndAllIsJoinedOnce() throws Exception {
        Path plot = directory.resolve("run.svg");
        Path page = directory.resolve("run.html");
        try (LocalProcess demo =
                start(
                        "--duration",
                        "60s",
                        "--kill-datacenter",
                        "--plot",
                        plot.toString(),
                        "--html",
                        page.toString())) {
            awaitLoad(demo);
            List<ProcessHandle> children = demo.children();
            JsonNode result = demo.awaitBooks();
            assertRight(result);
            assertThat(result.get("joinedDuringOutage").asLong()).isPositive();
            assertThat(result.get("leaderChanges").asLong()).isPositive();
            assertThat(result.get("eastJoinedAfterReturn").asLong()).isPositive();
            assertThat(result.get("resumeSeconds").isNumber()).isTrue();
            assertThat(Files.readString(plot)).contains("east killed");
            assertThat(Files.readString(page)).contains("east killed", "exactly once");
            assertThat(demo.stderr()).containsOnlyOnce("exactly once");
            assertNothingIsLeft(children);
        }
    }

    @Test
    @Tag("crash")
    void joinersDieOneAfterTheOtherAndWhatTheyLostIsRepaired() throws Exception {
        try (LocalProcess demo = start("--duration", "30s", "--kill-joiners")) {
            awaitLoad(demo);
            List<ProcessHandle> children = demo.children();
            assertThat(children).hasSizeGreaterThanOrEqualTo(15);
            JsonNode result = demo.awaitBooks();
            assertRight(result);
            assertThat(demo.stderr()).containsPattern("joiner-[01] killed");
            assertNothingIsLeft(children);
        }
    }

    @Test
    @Tag("crash")
    void aTerminatedDemoLeavesNothing() throws Exception {
        try (LocalProcess demo = start("--duration", "120s")) {
            awaitLoad(demo);
            List<ProcessHandle> children = demo.children();
            demo.terminate();
            assertThat(demo.await()).as(demo.messages()).isEqualTo(1);
            assertThat(demo.stderr()).contains("ended early");
            assertThat(demo.stdout()).isEmpty();
            assertNothingIsLeft(children);
        }
    }

    @Test
    @Tag("crash")
    void aPartThatDiesByItselfFailsTheDemoWhichKeepsItsFilesAndNamesThem() throws Exception {
        try (LocalProcess demo = start("--duration", "120s")) {
            awaitLoad(demo);
            List<ProcessHandle> children = demo.children();
            children.get(children.size() - 1).destroyForcibly();
            assertThat(demo.await()).as(demo.messages()).isEqualTo(1);
            assertThat(demo.stderr()).contains("to run, but it has ended");
            assertThat(children).isNotEmpty().noneMatch(ProcessHandle::isAlive);
            assertThat(directoriesLeft()).hasSize(1);
            assertThat(demo.stderr()).contains("Kept: " + directoriesLeft().get(0));
            assertThat(directoriesLeft().get(0).resolve("run-1/daemons")).isNotEmptyDirectory();
        }
    }
}
