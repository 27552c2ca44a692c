package photon.containers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import photon.core.testing.Await;

/**
 * Two datacenters and five registry servers of {@code deploy/compose}: all containers of one
 * datacenter are killed under a load, with its HDFS where it has one, and started again.
 */
@ExtendWith(OnEngine.class)
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class DatacenterKilledTest {
    /** Each look is a process or more. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(3);

    private static final Duration START_MAX = Duration.ofMinutes(8);
    private static final Duration GOES_ON_MAX = Duration.ofMinutes(5);

    /** How many events the other datacenter must join meanwhile. */
    private static final int ALONE = 200;

    /** What makes work first, then what does it, then what all of it needs. */
    private static final List<String> IN_GOOD_ORDER =
            List.of("dispatcher", "joiner", "verifier", "eventstore", "registry");

    /** Files that containers write belong to other users. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path work;

    @Test
    void withItsOutputOnADisk() throws Exception {
        theOtherOneGoesOnAndEachEventIsJoinedOnce(false);
    }

    /** By hand: 22 containers take five minutes of two cores. */
    @Test
    @EnabledIfSystemProperty(named = "photon.cluster.hdfs", matches = "true")
    void withItsHdfs() throws Exception {
        theOtherOneGoesOnAndEachEventIsJoinedOnce(true);
    }

    private void theOtherOneGoesOnAndEachEventIsJoinedOnce(boolean hdfs) throws Exception {
        try (ComposeCluster cluster = new ComposeCluster(hdfs ? "hdfs" : "disk", hdfs, work)) {
            cluster.up();
            waitFor(cluster, START_MAX, "all daemons to serve", cluster::allServe);
            for (String place : List.of("east", "west")) {
                waitFor(cluster, GOES_ON_MAX, place + " to join", () -> cluster.joined(place) > 0);
            }
            waitFor(
                    cluster,
                    GOES_ON_MAX,
                    "an operator to see five servers",
                    () -> seesAllServers(cluster));

            int published = cluster.joined("east");
            cluster.kill("east");
            assertThat(cluster.of("east")).noneMatch(c -> "running".equals(c.getState()));
            int alone = cluster.joined("west") + ALONE;
            waitFor(
                    cluster,
                    GOES_ON_MAX,
                    "west to go on alone",
                    () -> cluster.joined("west") >= alone);

            cluster.start("east");
            // Its HDFS, if it has one, has to serve before it can tell.
            waitFor(
                    cluster,
                    START_MAX,
                    "east to have what it had",
                    () -> cluster.joined("east") >= published);
            int before = cluster.joined("east");
            waitFor(
                    cluster,
                    START_MAX,
                    "east to join again",
                    () -> cluster.joined("east") > before);

            int joinable = joinable(cluster.stopLoad());
            waitFor(
                    cluster,
                    GOES_ON_MAX,
                    "all of %s events to be joined".formatted(joinable),
                    () -> cluster.joined("east") + cluster.joined("west") >= joinable);
            for (String kind : IN_GOOD_ORDER) {
                assertThat(cluster.stop(kind)).as("exit status; %s", cluster.logs()).isEmpty();
            }
            assertThat(audited(cluster)).isEqualTo(joinable);
        }
    }

    private static void waitFor(
            ComposeCluster cluster, Duration bound, String expected, Callable<Boolean> condition)
            throws Exception {
        long began = System.nanoTime();
        Await.until(bound, LOOK_EVERY, expected, cluster::logs, condition);
        // It is seen in the log which of them takes how long.
        System.out.printf(
                "%s: after %d s%n",
                expected, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began));
    }

    private static boolean seesAllServers(ComposeCluster cluster) throws Exception {
        try {
            return cluster.operator("registry", "status").contains("5 of 5 servers answer");
        } catch (IOException e) {
            return false; // as long as something is not well, it ends with status 1
        }
    }

    private static int joinable(Path logs) throws Exception {
        return new ObjectMapper()
                .readTree(logs.resolve("1/answer.json").toFile())
                .get("joinable")
                .asInt();
    }

    /**
     * Has the auditor judge, who knows nothing of Photon.
     *
     * @return how many lines are published
     */
    private int audited(ComposeCluster cluster) throws Exception {
        Path output = cluster.copyOutput();
        Path state = Files.createDirectories(work.resolve("state"));
        Files.writeString(
                state.resolve("pipeline.json"),
                """
                {
                  "pipeline": "containers",
                  "datacenters": ["east", "west"],
                  "primary": {
                    "paths": ["%1$s/logs/*/primary/*.log*"],
                    "format": {"type": "json-lines"},
                    "id": {"server": "server", "process": "process", "timestamp": "timestamp"}
                  },
                  "foreign": {
                    "paths": ["%1$s/logs/*/foreign/*.log*"],
                    "format": {"type": "json-lines"},
                    "id": {"server": "server", "process": "process", "timestamp": "timestamp"},
                    "primaryId": {"server": "primary.server", "process": "primary.process", "timestamp": "primary.timestamp"}
                  },
                  "adapter": {"type": "merge"},
                  "output": {"format": "json-lines", "compression": "none"},
                  "outputDirectory": "%2$s",
                  "stateDirectory": "%3$s"
                }
                """
                        .formatted(work, output, state));
        cluster.run(
                List.of(
                        "python3",
                        Images.REPOSITORY.resolve("docs/audit/audit.py").toString(),
                        "--output",
                        output.toString(),
                        "--state",
                        state.toString()));
        int lines = 0;
        try (Stream<Path> files = Files.walk(output)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".jsonl")).toList()) {
                if (file.toString().contains("/dt=")) {
                    lines += Files.readAllLines(file).size();
                }
            }
        }
        return lines;
    }
}
