package photon.idregistry.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.idregistry.server.TestClient.id;
import static photon.idregistry.server.TestRegistry.await;
import static photon.registry.api.RegistryClient.CommitResult.ACCEPTED;
import static photon.registry.api.RegistryClient.CommitResult.FENCED;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.idregistry.raft.GroupIds;
import photon.idregistry.raft.RaftTuning;
import photon.proto.v1.DropPipelineResponse.Verdict;
import photon.registry.api.PipelineDroppedException;
import photon.registry.api.RegistrationRefusedException;
import photon.registry.api.RegistryClient.Commit;

/** A pipeline is dropped on three real servers, one of which is down meanwhile. */
@Timeout(300)
class DroppedPipelineTest {
    private static final int SHARDS = 2;

    @TempDir Path root;

    private static Commit[] commits(Incarnation by, int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> new Commit(id(n), CommitToken.of(by, n)))
                .toArray(Commit[]::new);
    }

    /** Of the pipeline's groups, whatever lies of them under this server's directory. */
    private List<Path> filesOf(UUID pipeline, int server) {
        List<Path> found = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            String group = GroupIds.shard(pipeline, 1, shard).toString();
            try (Stream<Path> files = Files.walk(root.resolve("r" + server))) {
                files.filter(file -> file.toString().contains(group)).forEach(found::add);
            } catch (IOException | UncheckedIOException e) {
                // They are being deleted: look again.
                found.add(root);
            }
        }
        return found;
    }

    @Test
    void nothingIsLeftOfItOnAnyServerAndItsNameMayBeAnothersFromThenOn() {
        // Little memory and snapshots at every few batches, so that there are files of all kinds.
        RaftTuning tuning =
                RaftTuning.LAN
                        .withElection(
                                java.time.Duration.ofMillis(400), java.time.Duration.ofMillis(800))
                        .withLog(64 << 10, 1, 30_000);
        try (TestRegistry registry = new TestRegistry(root, tuning)) {
            registry.startAll();
            try (TestClient client = new TestClient(registry, "gone", SHARDS);
                    TestClient other = new TestClient(registry, "stays", 1)) {
                Incarnation east = client.register("east/joiner-0", "01");
                Incarnation there = other.register("east/joiner-0", "01");
                assertThat(client.commit(commits(east, 2_000))).containsOnly(ACCEPTED);
                assertThat(other.commit(commits(there, 100))).containsOnly(ACCEPTED);
                for (int n = 0; n < 3; n++) {
                    int server = n;
                    await(() -> filesOf(client.pipeline, server).size() > 10);
                }
                assertThat(client.drop(false).getVerdict()).isEqualTo(Verdict.INCARNATIONS_LIVE);
                assertThat(client.commit(commits(east, 1))).containsExactly(ACCEPTED);

                int away = (registry.leader("control") + 1) % 3;
                registry.stop(away);
                assertThat(client.drop(true).getVerdict()).isEqualTo(Verdict.DROPPED);
                for (int n = 0; n < 3; n++) {
                    int server = n;
                    if (n != away) {
                        await(() -> filesOf(client.pipeline, server).isEmpty());
                    }
                }
                assertThat(filesOf(client.pipeline, away)).isNotEmpty();

                // Whoever is there still is told at once, and for good.
                assertThat(client.commit(commits(east, 3))).containsOnly(FENCED);
                assertThatThrownBy(() -> client.remove(commits(east, 1)))
                        .hasRootCauseInstanceOf(PipelineDroppedException.class);
                assertThatThrownBy(() -> client.fence(east))
                        .hasRootCauseInstanceOf(PipelineDroppedException.class);
                assertThatThrownBy(() -> client.register("east/joiner-0", "02"))
                        .hasRootCauseInstanceOf(RegistrationRefusedException.class)
                        .hasMessageContaining("pipeline gone of UUID " + client.pipeline);
                assertThatThrownBy(() -> client.lookupLocal(id(1)))
                        .hasMessageContaining(client.pipeline.toString());
                assertThatThrownBy(() -> new TestClient(registry, "gone", SHARDS))
                        .hasRootCauseInstanceOf(PipelineDroppedException.class)
                        .hasMessageContaining("gone")
                        .hasMessageContaining(client.pipeline.toString());

                registry.start(away);
                await(() -> filesOf(client.pipeline, away).isEmpty());
                assertThat(other.commit(commits(there, 101))).containsOnly(ACCEPTED);

                try (TestClient again = new TestClient(registry, "gone", SHARDS, new UUID(7, 7))) {
                    assertThat(again.pipeline).isEqualTo(new UUID(7, 7));
                    Incarnation first = again.register("east/joiner-0", "01");
                    assertThat(first).isNotEqualTo(east);
                    assertThat(again.commit(commits(first, 100))).containsOnly(ACCEPTED);
                    assertThat(client.commit(commits(east, 3))).containsOnly(FENCED);
                    // Who comes with the old UUID sees that it is another pipeline.
                    try (TestClient late = new TestClient(registry, "gone", SHARDS)) {
                        assertThat(late.pipeline).isEqualTo(new UUID(7, 7));
                    }
                }
            }
            registry.stopAll();
            registry.startAll();
            try (TestClient again = new TestClient(registry, "gone", SHARDS, new UUID(7, 7))) {
                Incarnation second = again.register("east/joiner-0", "02");
                assertThat(again.commit(new Commit(id(5_000), CommitToken.of(second, 1))))
                        .containsExactly(ACCEPTED);
            }
            assertThat(registry.bugs).isEmpty();
        }
    }
}
