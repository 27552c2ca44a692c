package photon.idregistry.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.idregistry.api.RegistryClient.CommitResult.ACCEPTED;
import static photon.idregistry.api.RegistryClient.CommitResult.TAKEN;
import static photon.idregistry.server.TestClient.id;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.error.ConfigException;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.core.loop.ThreadLoop;
import photon.idregistry.api.RegistryClient.Commit;
import photon.idregistry.raft.RaftTuning;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.Progress;
import photon.proto.v1.ReplaceMemberRequest;
import photon.proto.v1.ReplaceMemberResponse;
import photon.proto.v1.ReplicaStatus;

/** Disks behind the names of real servers: blank ones, lost ones, and those that come back. */
@Timeout(600)
class MembersTest {
    private static final RaftTuning TUNING =
            RaftTuning.LAN
                    .withElection(Duration.ofMillis(500), Duration.ofMillis(1_000))
                    // Short logs, so that a new disk begins with a snapshot.
                    .withLog(64 << 10, 1, 20_000);

    private static final int BATCH = 50;
    private static final int PATIENCE_SECONDS = 180;

    @TempDir Path root;

    private static void wipe(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        }
    }

    private static DescribeServerResponse describe(TestRegistry registry, int n) {
        return registry.server(n).describe().orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static void awaitKnown(TestRegistry registry, int asked, int disks) {
        TestRegistry.await(
                () ->
                        describe(registry, asked).getDisksList().stream()
                                        .filter(disk -> !disk.getDisk().isEmpty())
                                        .count()
                                == disks,
                PATIENCE_SECONDS);
    }

    private static MemberDisk disk(TestRegistry registry, int asked, String name) {
        return describe(registry, asked).getDisksList().stream()
                .filter(disk -> disk.getName().equals(name))
                .findFirst()
                .orElse(MemberDisk.getDefaultInstance());
    }

    private static void awaitSettled(TestRegistry registry, int asked, String name, int number) {
        TestRegistry.await(
                () -> {
                    MemberDisk disk = disk(registry, asked, name);
                    return disk.getNumber() == number
                            && !disk.getDisk().isEmpty()
                            && !disk.getJoining();
                },
                PATIENCE_SECONDS);
    }

    /** As an operator's tool does: of one server after the other until one has decided. */
    private static ReplaceMemberResponse replace(TestRegistry registry, String name, int number) {
        ThreadLoop loop =
                new ThreadLoop(
                        "replace", 1_000, (where, bug) -> registry.bugs.add(where + ": " + bug));
        try {
            ReplaceMemberRequest request =
                    ReplaceMemberRequest.newBuilder().setName(name).setNumber(number).build();
            ReplaceMemberResponse[] decided = {ReplaceMemberResponse.getDefaultInstance()};
            TestRegistry.await(
                    () -> {
                        for (RegistryServerConfig.Peer peer : registry.peers) {
                            decided[0] = ask(loop, peer, request);
                            if (decided[0].getProgress() == Progress.DECIDED) {
                                return true;
                            }
                        }
                        return false;
                    },
                    PATIENCE_SECONDS);
            return decided[0];
        } finally {
            loop.close();
        }
    }

    private static ReplaceMemberResponse ask(
            ThreadLoop loop, RegistryServerConfig.Peer peer, ReplaceMemberRequest request) {
        CompletableFuture<ReplaceMemberResponse> answer = new CompletableFuture<>();
        loop.execute(
                () -> {
                    MembersClient client = new MembersClient(loop);
                    Consumer<ReplaceMemberResponse> done =
                            said -> {
                                client.close();
                                answer.complete(said);
                            };
                    client.replace(
                            peer.service(),
                            request,
                            done,
                            why -> done.accept(ReplaceMemberResponse.getDefaultInstance()));
                });
        return answer.join();
    }

    private static Commit[] batch(int from, Incarnation by) {
        return IntStream.range(from, from + BATCH)
                .mapToObj(n -> new Commit(id(n), CommitToken.of(by, n)))
                .toArray(Commit[]::new);
    }

    /** Commits without a pause; what was asked without an answer is asked again by the client. */
    private static final class Load implements AutoCloseable {
        final AtomicInteger committed = new AtomicInteger();
        private final AtomicBoolean stop = new AtomicBoolean();
        private final CompletableFuture<Void> ended;

        Load(TestClient client, Incarnation by) {
            ended =
                    CompletableFuture.runAsync(
                            () -> {
                                while (!stop.get()) {
                                    int from = committed.get();
                                    assertThat(client.commit(batch(from, by)))
                                            .containsOnly(ACCEPTED);
                                    committed.set(from + BATCH);
                                }
                            },
                            task -> new Thread(task, "load").start());
        }

        void awaitMore() {
            int from = committed.get();
            TestRegistry.await(
                    () -> committed.get() > from + 5 * BATCH || ended.isDone(), PATIENCE_SECONDS);
        }

        @Override
        public void close() {
            stop.set(true);
            ended.orTimeout(60, TimeUnit.SECONDS).join();
        }
    }

    /** Every id is held by the token that was told so, and every replica of each shard has them. */
    private static void assertNothingLost(
            TestRegistry registry, TestClient client, int committed, int servers) {
        Incarnation other = client.register("west/joiner-0", "09");
        for (int from = 0; from < committed; from += BATCH) {
            assertThat(client.commit(batch(from, other))).containsOnly(TAKEN);
        }
        TestRegistry.await(
                () -> {
                    Set<List<Long>> states = new HashSet<>();
                    for (int n = 0; n < servers; n++) {
                        states.add(
                                describe(registry, n).getReplicasList().stream()
                                        .filter(ReplicaStatus::hasShard)
                                        .sorted(Comparator.comparing(r -> r.getShard().getShard()))
                                        .map(r -> r.getState().getIds())
                                        .toList());
                    }
                    return states.size() == 1
                            && states.iterator().next().stream().mapToLong(n -> n).sum()
                                    == committed;
                },
                PATIENCE_SECONDS);
    }

    @Test
    void aBlankDiskWithAnOldNameIsRefused() throws Exception {
        try (TestRegistry registry = new TestRegistry(root, TUNING)) {
            registry.startAll();
            awaitKnown(registry, 0, 3);
            registry.stop(1);
            // Its logs alone are gone.
            wipe(registry.data(1).resolve("raft"));
            assertThatThrownBy(() -> registry.start(1))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContainingAll("has lost its logs", "members replace r1");
            wipe(registry.data(1));
            assertThatThrownBy(() -> registry.start(1))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContainingAll(
                            registry.data(1).toString(), "is blank", "members replace r1");
            assertThatThrownBy(() -> registry.start(1)).isInstanceOf(ConfigException.class);
            // Without a quorum nobody can say so, and it waits.
            registry.stop(2);
            CompletableFuture<Void> starting =
                    CompletableFuture.runAsync(
                            () -> registry.start(1), task -> new Thread(task).start());
            assertThatThrownBy(() -> starting.get(3, TimeUnit.SECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            registry.start(2);
            assertThatThrownBy(() -> starting.orTimeout(60, TimeUnit.SECONDS).join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(ConfigException.class);
            assertThat(registry.bugs).isEmpty();
        }
    }

    @Test
    void eachIsReplacedInTurnUnderLoadAndNothingIsLost() throws Exception {
        try (TestRegistry registry = new TestRegistry(root, TUNING)) {
            registry.startAll();
            awaitKnown(registry, 0, 3);
            try (TestClient client = new TestClient(registry, "p", 2)) {
                Incarnation east = client.register("east/joiner-0", "01");
                Load load = new Load(client, east);
                try (load) {
                    for (int n = 0; n < 3; n++) {
                        load.awaitMore();
                        replaceDisk(registry, n);
                    }
                    load.awaitMore();
                }
                theLostOneIsRefused(registry);
                assertNothingLost(registry, client, load.committed.get(), 3);
            }
            // A group that is made now begins with the disks of now.
            try (TestClient client = new TestClient(registry, "q", 1)) {
                Incarnation east = client.register("east/joiner-0", "01");
                assertThat(client.commit(batch(0, east))).containsOnly(ACCEPTED);
            }
            registry.stopAll();
            registry.startAll();
            try (TestClient client = new TestClient(registry, "q", 1)) {
                Incarnation west = client.register("west/joiner-0", "02");
                assertThat(client.commit(batch(0, west))).containsOnly(TAKEN);
            }
            assertThat(registry.bugs).isEmpty();
        }
    }

    private void replaceDisk(TestRegistry registry, int n) throws IOException {
        registry.stop(n);
        Files.move(registry.data(n), root.resolve("lost-" + n));
        assertThat(replace(registry, "r" + n, 1).getVerdict())
                .isEqualTo(ReplaceMemberResponse.Verdict.AWAITED);
        assertThat(
                        replace(
                                        registry,
                                        "r" + (n + 1) % 3,
                                        disk(registry, (n + 1) % 3, "r" + (n + 1) % 3).getNumber())
                                .getVerdict())
                .as("two of three at once")
                .isEqualTo(ReplaceMemberResponse.Verdict.TOO_MANY);
        registry.start(n);
        awaitSettled(registry, (n + 1) % 3, "r" + n, 2);
        assertThat(describe(registry, n).getReplicasList())
                .allSatisfy(
                        replica ->
                                assertThat(replica.getMembersList())
                                        .contains("r" + n + "#2")
                                        .doesNotContain("r" + n));
    }

    /** Its files stand where the new disk was: the server says so, and ends. */
    private void theLostOneIsRefused(TestRegistry registry) throws IOException {
        registry.stop(2);
        Files.move(registry.data(2), root.resolve("new-2"));
        Files.move(root.resolve("lost-2"), registry.data(2));
        assertThatThrownBy(() -> registry.start(2))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("was replaced", registry.data(2).toString());
        Files.move(registry.data(2), root.resolve("lost-2"));
        Files.move(root.resolve("new-2"), registry.data(2));
        registry.start(2);
    }

    @Test
    void twoOfFiveAreLostAndALeaderInTheMiddleOfIt() throws Exception {
        try (TestRegistry registry = new TestRegistry(root, TUNING, 5)) {
            registry.startAll();
            awaitKnown(registry, 0, 5);
            try (TestClient client = new TestClient(registry, "p", 2)) {
                Incarnation east = client.register("east/joiner-0", "01");
                Load load = new Load(client, east);
                try (load) {
                    load.awaitMore();
                    for (int n = 3; n < 5; n++) {
                        registry.stop(n);
                        wipe(registry.data(n));
                    }
                    assertThat(replace(registry, "r3", 1).getVerdict())
                            .isEqualTo(ReplaceMemberResponse.Verdict.AWAITED);
                    assertThat(replace(registry, "r4", 1).getVerdict())
                            .isEqualTo(ReplaceMemberResponse.Verdict.AWAITED);
                    IntStream.of(3, 4).parallel().forEach(registry::start);
                    // Whoever leads the change is gone and comes back: another goes on with it.
                    int leader = registry.leader("control");
                    registry.stop(leader);
                    registry.start(leader);
                    awaitSettled(registry, leader, "r3", 2);
                    awaitSettled(registry, leader, "r4", 2);
                    load.awaitMore();
                }
                assertNothingLost(registry, client, load.committed.get(), 5);
            }
            assertThat(registry.bugs).isEmpty();
        }
    }

    @Test
    void aReplacedServerThatStillRunsAnswersNothingMore() throws Exception {
        try (TestRegistry registry = new TestRegistry(root, TUNING)) {
            registry.startAll();
            awaitKnown(registry, 0, 3);
            try (TestClient client = new TestClient(registry, "p", 1)) {
                Incarnation east = client.register("east/joiner-0", "01");
                assertThat(client.commit(batch(0, east))).containsOnly(ACCEPTED);
                int follower = (registry.leader("control") + 1) % 3;
                assertThat(replace(registry, "r" + follower, 1).getVerdict())
                        .isEqualTo(ReplaceMemberResponse.Verdict.AWAITED);
                TestRegistry.await(() -> !registry.bugs.isEmpty(), PATIENCE_SECONDS);
                assertThat(registry.bugs.poll()).contains("r" + follower, "was replaced");
                assertThat(describe(registry, follower).getReplicasList())
                        .noneMatch(ReplicaStatus::getCaughtUp);
            }
            assertThat(registry.bugs).isEmpty();
        }
    }
}
