package photon.tools.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import photon.cli.LocalProcess;

/**
 * Five replicas as processes are ended by SIGTERM and started again, one after another, while ids
 * are committed: no answer is wrong over the whole history, and nobody waits for long.
 */
@Tag("crash")
@EnabledOnOs(OS.LINUX)
@Isolated("What is measured is how long commits wait.")
class RollingRestartTest {
    /** Far above what is measured: a machine that does other work meanwhile is no fault. */
    private static final int GAP_MILLIS_MAX = 120_000;

    @TempDir Path directory;

    @Test
    void nothingIsLostAndNobodyWaitsLong(TestReporter reporter) throws Exception {
        try (LocalProcess chaos =
                LocalProcess.start(
                        directory,
                        "",
                        "chaos",
                        "registry",
                        "--only",
                        "rolling-restart",
                        "--count",
                        "1",
                        "--duration",
                        "4m",
                        "--rate",
                        "500",
                        "--seed",
                        "4",
                        "--json")) {
            JsonNode result = chaos.awaitBooks();
            JsonNode restarts = result.path("actions").path("rolling-restart");
            reporter.publishEntry("gaps", restarts.toString());
            assertThat(result.path("right").asBoolean()).as(result.toString()).isTrue();
            assertThat(result.path("violations").asInt(-1)).isZero();
            assertThat(result.path("answers").path("commit-accepted").asInt()).isPositive();
            assertThat(result.path("acceptedAfterLast").asInt()).isPositive();
            assertThat(restarts.path("outcomes").path("done").asInt()).isEqualTo(1);
            assertThat(restarts.path("longestGapMillis").asInt(-1)).isBetween(0, GAP_MILLIS_MAX);
        }
    }
}
