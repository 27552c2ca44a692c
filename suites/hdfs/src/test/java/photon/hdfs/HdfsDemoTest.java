package photon.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.LocalProcess;
import photon.core.testing.Await;

/** {@code photon demo --hdfs} as a user starts it, and what it leaves behind. */
@Tag("crash")
@EnabledIfSystemProperty(
        named = "photon.demo.hdfs",
        matches = "true",
        disabledReason = "25 processes, up to ten minutes on two cores: -Dphoton.demo.hdfs=true")
class HdfsDemoTest {
    private static final Duration LONG = Duration.ofMinutes(12);

    @TempDir Path directory;

    @Test
    void workersAndADataNodeDieAndAllIsJoinedOnce() throws Exception {
        try (LocalProcess demo =
                LocalProcess.start(
                        directory,
                        "",
                        "demo",
                        "--hdfs",
                        "--kill-workers",
                        "--kill-datanode",
                        "--duration",
                        "30s",
                        "--rate",
                        "100",
                        "--json")) {
            Await.until(
                    LONG,
                    "the load",
                    demo::messagesOrTrouble,
                    () -> demo.stderr().contains("the load begins"));
            List<ProcessHandle> children = demo.children();
            // Two NameNodes, four DataNodes, five replicas, and seven daemons in each datacenter.
            assertThat(children).hasSizeGreaterThanOrEqualTo(2 + 4 + 5 + 2 * 7);
            assertThat(demo.await()).as("exit status; %s", demo.messages()).isZero();
            JsonNode result = result(demo.stdout());
            assertThat(result.get("expectedJoined").asLong()).as(result.toString()).isPositive();
            assertThat(result.get("joined")).isEqualTo(result.get("expectedJoined"));
            assertThat(result.get("duplicates").asLong()).isZero();
            assertThat(result.get("unaccounted").asLong()).isZero();
            assertThat(result.get("lost").asLong()).isZero();
            assertThat(result.get("audit").asText()).isNotEqualTo("differs");
            JsonNode hdfs = result.get("hdfs");
            assertThat(hdfs.at("/killed/dispatchers").asInt()).as(result.toString()).isPositive();
            assertThat(hdfs.at("/killed/eventStores").asInt()).as(result.toString()).isPositive();
            assertThat(hdfs.at("/killed/dataNodes").asInt()).isEqualTo(1);
            assertThat(hdfs.at("/takeovers/0/seconds").asDouble()).isPositive();
            assertThat(hdfs.get("workers")).hasSize(12);
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            try (Stream<Path> left = Files.list(directory.resolve(LocalProcess.TEMPORARY))) {
                assertThat(left.filter(p -> p.getFileName().toString().startsWith("photon-demo")))
                        .isEmpty();
            }
        }
    }

    /** With the test's class path, what the Hadoop client logs goes to the same stream. */
    private static JsonNode result(String stdout) throws IOException {
        int at = stdout.startsWith("{") ? 0 : stdout.indexOf("\n{") + 1;
        assertThat(stdout.substring(at)).startsWith("{");
        return new ObjectMapper().readTree(stdout.substring(at));
    }
}
