package photon.idregistry.server;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.idregistry.server.TestClient.id;
import static photon.registry.api.RegistryClient.CommitResult.ACCEPTED;
import static photon.registry.api.RegistryClient.CommitResult.FENCED;
import static photon.registry.api.RegistryClient.CommitResult.TAKEN;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.idregistry.raft.RaftTuning;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.CommitResult;

/** What was accepted stays, whoever stops. */
@Timeout(300)
class RegistryRestartTest {
    private static final int BATCH = 500;

    @TempDir Path root;

    private static Commit[] batch(int from, Incarnation by, int firstSequence) {
        return IntStream.range(from, from + BATCH)
                .mapToObj(n -> new Commit(id(n), CommitToken.of(by, firstSequence + n)))
                .toArray(Commit[]::new);
    }

    private static List<CommitResult> all(CommitResult result) {
        return Collections.nCopies(BATCH, result);
    }

    @Test
    void aStoppedLeaderAndThenARestartOfAllLoseNothing() throws Exception {
        // Snapshots at every few batches, so that the restart reads snapshot and log.
        RaftTuning tuning =
                RaftTuning.LAN
                        .withElection(Duration.ofMillis(400), Duration.ofMillis(800))
                        .withLog(64 << 10, 1, 30_000);
        try (TestRegistry registry = new TestRegistry(root, tuning)) {
            registry.startAll();
            Incarnation east;
            Incarnation west;
            try (TestClient client = new TestClient(registry, "p", 2)) {
                east = client.register("east/joiner-0", "01");
                west = client.register("west/joiner-0", "02");
                for (int round = 0; round < 6; round++) {
                    assertThat(client.commit(batch(round * BATCH, east, 0)))
                            .isEqualTo(all(ACCEPTED));
                }
                int leader = registry.leader(client.pipeline + "/1/0");
                registry.stop(leader);
                assertThat(client.commit(batch(6 * BATCH, east, 0))).isEqualTo(all(ACCEPTED));
                assertThat(client.commit(batch(0, east, 0))).isEqualTo(all(ACCEPTED));
                assertThat(client.commit(batch(0, west, 0))).isEqualTo(all(TAKEN));
                registry.start(leader);
                client.fence(east);
                TestRegistry.await(this::hasShardSnapshot);
            }
            registry.stopAll();
            registry.startAll();
            try (TestClient client = new TestClient(registry, "p", 2)) {
                for (int round = 0; round < 7; round++) {
                    assertThat(client.commit(batch(round * BATCH, west, 10))).isEqualTo(all(TAKEN));
                }
                assertThat(client.commit(batch(0, east, 0))).isEqualTo(all(FENCED));
                assertThat(client.commit(batch(10 * BATCH, west, 0))).isEqualTo(all(ACCEPTED));
                assertThat(client.register("west/joiner-0", "02")).isEqualTo(west);
            }
            assertThat(registry.bugs).isEmpty();
        }
    }

    private boolean hasShardSnapshot() {
        try (Stream<Path> files = Files.walk(root)) {
            return files.anyMatch(
                    file -> file.getFileName().toString().matches("snapshot-\\d+-\\d+"));
        } catch (java.io.IOException | java.io.UncheckedIOException e) {
            return false;
        }
    }
}
