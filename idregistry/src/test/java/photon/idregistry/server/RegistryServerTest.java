package photon.idregistry.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.idregistry.server.TestClient.id;
import static photon.idregistry.server.TestRegistry.await;
import static photon.registry.api.RegistryClient.CommitResult.ACCEPTED;
import static photon.registry.api.RegistryClient.CommitResult.FENCED;
import static photon.registry.api.RegistryClient.CommitResult.ID_IN_FUTURE;
import static photon.registry.api.RegistryClient.CommitResult.ID_TOO_OLD;
import static photon.registry.api.RegistryClient.CommitResult.TAKEN;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.error.ConfigException;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.UserKey;
import photon.core.rpc.HostPort;
import photon.registry.api.ControlClient.Fenced;
import photon.registry.api.ControlClient.ScanPage;
import photon.registry.api.FeatureLevelTooLowException;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.Found;
import photon.registry.api.RegistryClient.RemoveResult;
import photon.registry.api.ReshardClient;

/**
 * The whole registry, three servers with real Raft and gRPC; each test has a pipeline of its own.
 */
@Timeout(300)
class RegistryServerTest {
    @TempDir static Path root;

    private static TestRegistry registry;

    @BeforeAll
    static void start() {
        registry = new TestRegistry(root);
        registry.startAll();
    }

    @AfterAll
    static void stop() {
        registry.close();
    }

    @AfterEach
    void nothingThatMustNotHappenHas() {
        assertThat(registry.bugs).isEmpty();
    }

    private static Commit commit(int number, Incarnation by, long sequence) {
        return new Commit(id(number), CommitToken.of(by, sequence));
    }

    @Test
    void aRetryIsAcceptedAgainAndAnotherTokenIsTold() {
        try (TestClient client = new TestClient(registry, "retry", 2)) {
            Incarnation east = client.register("east/joiner-0", "01");
            Incarnation west = client.register("west/joiner-0", "02");
            assertThat(client.commit(commit(1, east, 1), commit(2, east, 2)))
                    .containsExactly(ACCEPTED, ACCEPTED);
            assertThat(client.commit(commit(1, east, 1))).containsExactly(ACCEPTED);
            assertThat(client.answers(commit(1, west, 1)))
                    .containsExactly(new TestClient.Answer(TAKEN, CommitToken.of(east, 1)));
            await(() -> registry.sum().committedIds() >= 4);
            assertThat(registry.sum().commitEntries()).isGreaterThan(0);
        }
    }

    @Test
    void anIdOfTheFutureIsRefusedAndTheRestOfItsBatchIsNot() {
        try (TestClient client = new TestClient(registry, "future", 1)) {
            Incarnation east = client.register("east/joiner-0", "01");
            long edge = TestRegistry.NOW_MICROS + TestRegistry.MAX_SKEW.toNanos() / 1_000;
            UserKey key = UserKey.of(List.of("a"));
            assertThat(
                            client.commit(
                                    commit(1, east, 1),
                                    new Commit(
                                            EventId.ofUser(edge + 1, key), CommitToken.of(east, 2)),
                                    new Commit(EventId.ofUser(edge, key), CommitToken.of(east, 3))))
                    .containsExactly(ACCEPTED, ID_IN_FUTURE, ACCEPTED);
        }
    }

    @Test
    void aFencedIncarnationCommitsNothingMoreAndOnlyThenCanBeRemoved() {
        try (TestClient client = new TestClient(registry, "fence", 2)) {
            Incarnation first = client.register("east/joiner-0", "01");
            Commit held = commit(1, first, 1);
            assertThat(client.commit(held)).containsExactly(ACCEPTED);
            assertThat(client.remove(held)).containsExactly(RemoveResult.NOT_FENCED);

            List<Fenced> fenced = client.fence(first);
            assertThat(fenced).hasSize(2);
            assertThat(client.commit(commit(2, first, 2))).containsExactly(FENCED);
            assertThat(client.commit(held)).containsExactly(FENCED);
            assertThat(client.remove(held, commit(3, first, 3)))
                    .containsExactly(RemoveResult.REMOVED, RemoveResult.REMOVED);

            Incarnation second = client.register("east/joiner-0", "02");
            assertThat(client.commit(commit(1, second, 1))).containsExactly(ACCEPTED);
            assertThat(client.incarnations())
                    .extracting(info -> info.incarnation() + " fenced " + info.fenced())
                    .containsExactly(first + " fenced true", second + " fenced false");
        }
    }

    /** Its servers understand the kind, and a new registry begins with what they understand. */
    @Test
    void anIdThatWasHeldUnmatchedIsHeldSoAgainOrNotAtAll() {
        try (TestClient client = new TestClient(registry, "kind", 2)) {
            Incarnation first = mayUseUnmatchedTokens(client, "east/joiner-0", "01");
            Incarnation second = mayUseUnmatchedTokens(client, "west/joiner-0", "02");
            Commit held = new Commit(TestClient.id(1), CommitToken.of(first, 1).asUnmatched());
            Commit upgrade = new Commit(TestClient.id(1).upgrade(), CommitToken.of(second, 1));
            assertThat(client.commit(held)).containsExactly(ACCEPTED);
            assertThat(client.commit(upgrade)).containsExactly(ACCEPTED);
            client.fence(first);
            assertThat(client.remove(held)).containsExactly(RemoveResult.REMOVED);
            assertThat(client.commit(commit(1, second, 2))).containsExactly(TAKEN);
            assertThat(
                            client.commit(
                                    new Commit(
                                            TestClient.id(1),
                                            CommitToken.of(second, 2).asUnmatched())))
                    .containsExactly(ACCEPTED);
            assertThat(client.remove(held)).containsExactly(RemoveResult.REMOVED);
            assertThat(client.commit(commit(1, second, 3))).containsExactly(TAKEN);
        }
    }

    /** Once the servers have told what they understand. */
    private static Incarnation mayUseUnmatchedTokens(TestClient client, String slot, String nonce) {
        AtomicReference<Incarnation> issued = new AtomicReference<>();
        await(
                () -> {
                    try {
                        issued.set(client.register(slot, nonce, true));
                        return true;
                    } catch (CompletionException e) {
                        assertThat(e).hasCauseInstanceOf(FeatureLevelTooLowException.class);
                        return false;
                    }
                });
        return Objects.requireNonNull(issued.get());
    }

    @Test
    void registeringFencesTheOldGenerationInEveryShardByItself() {
        try (TestClient client = new TestClient(registry, "slots", 2)) {
            Incarnation first = client.register("east/joiner-0", "01");
            assertThat(client.register("east/joiner-0", "01")).isEqualTo(first);
            Incarnation second = client.register("east/joiner-0", "02");
            assertThat(second.generation()).isGreaterThan(first.generation());
            for (int n = 0; n < 20; n++) {
                int number = n;
                await(
                        () ->
                                client.commit(commit(number, first, 100)).equals(List.of(FENCED))
                                        || client.commit(commit(1_000 + number, first, 1))
                                                .equals(List.of(FENCED)));
            }
            assertThat(client.commit(commit(5_000, second, 1))).containsExactly(ACCEPTED);
        }
    }

    @Test
    void aScanPagesThroughWhatTheIncarnationHoldsAndNothingElse() {
        try (TestClient client = new TestClient(registry, "scan", 2)) {
            Incarnation east = client.register("east/joiner-0", "01");
            Incarnation west = client.register("west/joiner-0", "02");
            Commit[] mine =
                    IntStream.range(0, 50).mapToObj(n -> commit(n, east, n)).toArray(Commit[]::new);
            assertThat(client.commit(mine)).containsOnly(ACCEPTED);
            assertThat(client.commit(commit(100, west, 1))).containsExactly(ACCEPTED);

            List<Commit> held = new ArrayList<>();
            for (Fenced group : client.fence(east)) {
                EventId after = null;
                ScanPage page;
                do {
                    page = client.scan(group, east, after, 7);
                    held.addAll(page.held());
                    after = page.held().isEmpty() ? after : last(page.held()).id();
                } while (page.more());
            }
            assertThat(held).containsExactlyInAnyOrder(mine);
        }
    }

    private static Commit last(List<Commit> page) {
        return page.get(page.size() - 1);
    }

    @Test
    void theBoundaryNeverGoesBack() {
        try (TestClient client = new TestClient(registry, "boundary", 1)) {
            Incarnation east = client.register("east/joiner-0", "01");
            assertThat(client.commit(commit(1, east, 1))).containsExactly(ACCEPTED);
            long boundary = id(5).micros();
            client.keepFrom(boundary);
            client.promise(east, boundary);
            await(() -> client.lookupLocal(id(1)).get(0).state() == Found.State.TOO_OLD);
            client.keepFrom(10);
            assertThat(client.commit(commit(1, east, 1), commit(5, east, 2)))
                    .containsExactly(ID_TOO_OLD, ACCEPTED);
            assertThat(client.remove(commit(1, east, 1))).containsExactly(RemoveResult.ID_TOO_OLD);
            await(
                    () ->
                            client.lookupLocal(id(1), id(5), id(6)).stream()
                                    .map(Found::state)
                                    .toList()
                                    .equals(
                                            List.of(
                                                    Found.State.TOO_OLD,
                                                    Found.State.HELD,
                                                    Found.State.ABSENT)));
        }
    }

    /** One that takes too long is given up. */
    private static ReshardClient.Result reshardAtLast(TestClient client, long start) {
        ReshardClient.Result result = client.reshard(1, 2, start, "20");
        for (int attempt = 1; attempt < 5 && result.end() == ReshardClient.End.ABORTED; attempt++) {
            result = client.reshard(1, 2, start, "2" + attempt);
        }
        return result;
    }

    @Test
    void theShardMapChangesWhileClientsAreThere() {
        try (TestClient client = new TestClient(registry, "reshard", 1);
                TestClient other = new TestClient(registry, "reshard", 1)) {
            Incarnation east = client.register("east/joiner-0", "01");
            assertThat(client.commit(commit(1, east, 1))).containsExactly(ACCEPTED);
            long start = id(3).micros();
            assertThat(client.reshard(1, 2, id(1).micros(), "01").end())
                    .as("an id of that time is accepted")
                    .isEqualTo(ReshardClient.End.ABORTED);
            assertThat(reshardAtLast(client, start))
                    .isEqualTo(
                            new ReshardClient.Result(ReshardClient.End.COMMITTED, 2, "committed"));
            assertThat(client.reshard(1, 3, start, "03").end())
                    .isEqualTo(ReshardClient.End.REFUSED);
            // With the old map: routed anew, each to its own group.
            assertThat(
                            other.commit(
                                    commit(1, east, 2),
                                    commit(2, east, 3),
                                    commit(3, east, 4),
                                    commit(4, east, 5),
                                    commit(5, east, 6)))
                    .containsExactly(TAKEN, ACCEPTED, ACCEPTED, ACCEPTED, ACCEPTED);
            assertThat(other.shards()).hasSize(3);
            assertThat(client.fence(east)).hasSize(3);
            // The client's map is the old one still.
            assertThat(client.remove(commit(4, east, 5), commit(1, east, 1)))
                    .containsExactly(RemoveResult.REMOVED, RemoveResult.REMOVED);
            Incarnation next = client.register("east/joiner-0", "02");
            assertThat(client.commit(commit(4, next, 1), commit(5, next, 2)))
                    .containsExactly(ACCEPTED, TAKEN);
        }
    }

    @Test
    void aTakenPortEndsTheStartAndFreesWhatItHad() throws Exception {
        TestRegistry other = new TestRegistry(root.resolve("other"));
        HostPort service = other.peers.get(0).service();
        other.startAll();
        other.stop(0);
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port()));
            assertThatThrownBy(() -> other.start(0))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(service.toString());
        }
        other.start(0);
        other.close();
        assertThat(other.bugs).isEmpty();
    }
}
