package photon.idregistry.server.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.idregistry.server.TestClient.id;
import static photon.registry.api.RegistryClient.CommitResult.ACCEPTED;
import static photon.registry.api.RegistryClient.CommitResult.TAKEN;

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
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import photon.core.error.ConfigException;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.idregistry.leaders.PreferredLeaderBalancer;
import photon.idregistry.raft.RaftTuning;
import photon.idregistry.raft.TestNodes;
import photon.idregistry.server.TestClient;
import photon.idregistry.server.TestRegistry;
import photon.proto.v1.ChangeRosterRequest;
import photon.proto.v1.ChangeRosterResponse;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.Progress;
import photon.proto.v1.ReplaceMemberRequest;
import photon.proto.v1.ReplaceMemberResponse;
import photon.proto.v1.ReplicaStatus;
import photon.registry.api.RegistryClient.Commit;

/** Disks behind the names of real servers: blank ones, lost ones, and those that come back. */
@Timeout(1_200)
@Execution(ExecutionMode.CONCURRENT)
class MembersTest {
    private static final Pattern CLOSED_WHILE_IT_CAME =
            Pattern.compile("^The replica r(\\d)#.* Ratis has closed it by itself");

    private static final RaftTuning TUNING =
            RaftTuning.LAN
                    .withElection(Duration.ofMillis(500), Duration.ofMillis(1_000))
                    // Short logs, so that a new disk begins with a snapshot.
                    .withLog(64 << 10, 1, 20_000);

    private static final ChangeRosterRequest.Change ADD = ChangeRosterRequest.Change.ADD;
    private static final ChangeRosterRequest.Change REMOVE = ChangeRosterRequest.Change.REMOVE;
    private static final ChangeRosterResponse.Verdict CHANGED =
            ChangeRosterResponse.Verdict.CHANGED;

    /** One at a time: they take the most memory. */
    private static final String FIVE_SERVERS = "five servers";

    private static final int BATCH = 50;

    /** As many as a machine can take would fill the memory of five servers in one process. */
    private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final int PATIENCE_SECONDS = 420;

    @TempDir Path root;

    private static void wipe(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        }
    }

    private static DescribeServerResponse describe(TestRegistry registry, int n) {
        return registry.server(n).describe().orTimeout(60, TimeUnit.SECONDS).join();
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

    /**
     * What each running server says of its replicas: where a group stands still, one of them is
     * why.
     */
    private static String replicas(TestRegistry registry) {
        return IntStream.range(0, registry.listed)
                .filter(registry::runs)
                .mapToObj(n -> "\nr" + n + ": " + describe(registry, n).getReplicasList())
                .collect(Collectors.joining());
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
                    startThoseAgainThatEnded(registry);
                    MemberDisk disk = disk(registry, asked, name);
                    return disk.getNumber() == number
                            && !disk.getDisk().isEmpty()
                            && !disk.getJoining();
                },
                PATIENCE_SECONDS,
                () -> name + " has not settled: " + registry.bugs + replicas(registry));
    }

    private static ReplaceMemberResponse replace(TestRegistry registry, String name, int number) {
        ReplaceMemberRequest request =
                ReplaceMemberRequest.newBuilder().setName(name).setNumber(number).build();
        return decided(
                registry,
                (client, at, done) ->
                        client.replace(
                                at,
                                request,
                                done,
                                why -> done.accept(ReplaceMemberResponse.getDefaultInstance())),
                ReplaceMemberResponse::getProgress);
    }

    private static ChangeRosterResponse.Verdict change(
            TestRegistry registry, ChangeRosterRequest.Change change, String name, long version) {
        ChangeRosterRequest request =
                ChangeRosterRequest.newBuilder()
                        .setChange(change)
                        .setName(name)
                        .setVersion(version)
                        .build();
        return decided(
                        registry,
                        (client, at, done) ->
                                client.changeRoster(
                                        at,
                                        request,
                                        done,
                                        why ->
                                                done.accept(
                                                        ChangeRosterResponse.getDefaultInstance())),
                        ChangeRosterResponse::getProgress)
                .getVerdict();
    }

    private interface Ask<R> {
        void at(MembersClient client, HostPort server, Consumer<R> done);
    }

    /** As an operator's tool does: of one server after the other until one has decided. */
    private static <R> R decided(
            TestRegistry registry, Ask<R> ask, Function<R, Progress> progress) {
        ThreadLoop loop =
                new ThreadLoop(
                        "operator", 1_000, (where, bug) -> registry.bugs.add(where + ": " + bug));
        try {
            AtomicReference<R> decided = new AtomicReference<>();
            TestRegistry.await(
                    () -> {
                        for (HostPort server : registry.services()) {
                            decided.set(ask(loop, server, ask));
                            if (progress.apply(decided.get()) == Progress.DECIDED) {
                                return true;
                            }
                        }
                        return false;
                    },
                    PATIENCE_SECONDS);
            return java.util.Objects.requireNonNull(decided.get());
        } finally {
            loop.close();
        }
    }

    private static <R> R ask(ThreadLoop loop, HostPort server, Ask<R> ask) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        loop.execute(
                () -> {
                    MembersClient client = new MembersClient(loop, RpcSecurity.PLAINTEXT);
                    ask.at(
                            client,
                            server,
                            said -> {
                                client.close();
                                answer.complete(said);
                            });
                });
        return answer.join();
    }

    private static Commit[] batch(int from, Incarnation by) {
        return IntStream.range(from, from + BATCH)
                .mapToObj(n -> new Commit(id(n), CommitToken.of(by, n)))
                .toArray(Commit[]::new);
    }

    /** Commits all the time; what was asked without an answer is asked again by the client. */
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
                                    LockSupport.parkNanos(BETWEEN_NANOS);
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
            ended.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        }
    }

    /** Every id is held by the token that was told so, and every replica of each shard has them. */
    private static void assertNothingLost(
            TestRegistry registry, TestClient client, int committed, int... servers) {
        Incarnation other = client.register("west/joiner-0", "09");
        for (int from = 0; from < committed; from += BATCH) {
            assertThat(client.commit(batch(from, other))).containsOnly(TAKEN);
        }
        TestRegistry.await(
                () -> {
                    Set<List<Long>> states = new HashSet<>();
                    for (int n : servers) {
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
            assertThatThrownBy(() -> starting.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(ConfigException.class);
            assertThat(registry.bugs).isEmpty();
        }
    }

    @Test
    @Tag("crash")
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
                assertNothingLost(registry, client, load.committed.get(), 0, 1, 2);
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
        TestRegistry.await(
                () -> {
                    startThoseAgainThatEnded(registry);
                    return describe(registry, n).getReplicasList().stream()
                            .map(ReplicaStatus::getMembersList)
                            .allMatch(
                                    members ->
                                            members.contains("r" + n + "#2")
                                                    && !members.contains("r" + n));
                },
                PATIENCE_SECONDS);
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
    @Tag("crash")
    @ResourceLock(FIVE_SERVERS)
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
                    TestNodes.sideBySide(2, n -> registry.start(3 + n));
                    // Whoever leads the change is gone and comes back: another goes on with it.
                    int leader = registry.leader("control");
                    registry.stop(leader);
                    registry.start(leader);
                    awaitSettled(registry, leader, "r3", 2);
                    awaitSettled(registry, leader, "r4", 2);
                    load.awaitMore();
                }
                assertNothingLost(registry, client, load.committed.get(), 0, 1, 2, 3, 4);
            }
            assertThat(registry.bugs).isEmpty();
        }
    }

    @Test
    @Tag("slow")
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

    private static List<String> roster(TestRegistry registry, int asked) {
        return describe(registry, asked).getRoster().getServersList();
    }

    private static void awaitGone(TestRegistry registry, int asked, String name, int number) {
        TestRegistry.await(
                () -> {
                    MemberDisk disk = disk(registry, asked, name);
                    return disk.getNumber() == number + 1 && !disk.getLeaving();
                },
                PATIENCE_SECONDS);
    }

    /** What Raft calls the members of each group, by a server that has replicas of all. */
    private static void assertMembers(TestRegistry registry, int asked, String... peers) {
        try {
            TestRegistry.await(
                    () -> {
                        startThoseAgainThatEnded(registry);
                        return describe(registry, asked).getReplicasList().stream()
                                .allMatch(r -> r.getMembersList().equals(List.of(peers)));
                    },
                    PATIENCE_SECONDS);
        } catch (AssertionError e) {
            throw new AssertionError("r" + asked + " knows " + describe(registry, asked), e);
        }
    }

    /**
     * What a supervisor does: a process ends when Ratis closes a replica of it. Ratis may do so to
     * a server that is being added: where a leader gives up for now, since it took too long, the
     * new one hears nothing, asks to be elected, and is told that it is no member.
     */
    private static void startThoseAgainThatEnded(TestRegistry registry) {
        for (String bug : List.copyOf(registry.bugs)) {
            Matcher ended = CLOSED_WHILE_IT_CAME.matcher(bug);
            if (ended.find() && registry.bugs.remove(bug)) {
                int server = Integer.parseInt(ended.group(1));
                registry.end(server);
                registry.start(server);
            }
        }
    }

    /** In a thread of its own: it waits until it was added. */
    private static CompletableFuture<Void> starting(TestRegistry registry, int n) {
        return CompletableFuture.runAsync(
                () -> registry.start(n), task -> new Thread(task).start());
    }

    /** The servers one after the other, as in a rolling restart. */
    private static void restartWith(TestRegistry registry, int listed, int... servers) {
        registry.listed = listed;
        for (int n : servers) {
            registry.stop(n);
            registry.start(n);
            TestRegistry.await(
                    () ->
                            describe(registry, n).getReplicasList().stream()
                                    .allMatch(ReplicaStatus::getCaughtUp),
                    PATIENCE_SECONDS);
        }
    }

    @Test
    @Tag("crash")
    @ResourceLock(FIVE_SERVERS)
    void threeBecomeFiveAndThenFourUnderLoadAndNothingIsLost() throws Exception {
        try (TestRegistry registry = new TestRegistry(root, TUNING, 5)) {
            registry.listed = 3;
            registry.leaderBalancing =
                    new PreferredLeaderBalancer.Pace(
                            Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofSeconds(1));
            registry.startAll();
            awaitKnown(registry, 0, 3);
            // An entry of its own, that may come behind the disks'.
            TestRegistry.await(
                    () -> roster(registry, 0).equals(List.of("r0", "r1", "r2")), PATIENCE_SECONDS);
            try (TestClient client = new TestClient(registry, "p", 2)) {
                Incarnation east = client.register("east/joiner-0", "01");
                Load load = new Load(client, east);
                try (load) {
                    load.awaitMore();
                    restartWith(registry, 5, 0, 1, 2);
                    addTwo(registry, load);
                    removeOneThatLeads(registry, load);
                }
                theRemovedOneIsRefused(registry);
                try (TestClient between = new TestClient(registry, "between", 1)) {
                    Incarnation west = between.register("west/joiner-0", "02");
                    assertThat(between.commit(batch(0, west))).containsOnly(TAKEN);
                    between.drop(true);
                }
                assertNothingLost(registry, client, load.committed.get(), 1, 2, 3, 4);
            }
            // A group that is made now begins with the servers of now.
            try (TestClient client = new TestClient(registry, "q", 2)) {
                Incarnation east = client.register("east/joiner-0", "01");
                assertThat(client.commit(batch(0, east))).containsOnly(ACCEPTED);
            }
            assertMembers(registry, 1, "r1", "r2", "r3#2", "r4#2");
            comesBackAsAnother(registry);
            assertThat(registry.bugs).isEmpty();
        }
    }

    private static void addTwo(TestRegistry registry, Load load) throws Exception {
        CompletableFuture<Void> fifth = starting(registry, 4);
        assertThat(change(registry, ADD, "r3", 1)).isEqualTo(CHANGED);
        assertThat(change(registry, ADD, "r4", 2))
                .as("while r3 is coming")
                .isEqualTo(ChangeRosterResponse.Verdict.BUSY);
        CompletableFuture<Void> fourth = starting(registry, 3);
        fourth.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        awaitSettled(registry, 0, "r3", 2);
        assertThat(fifth).isNotDone();
        assertThat(change(registry, ADD, "r4", 2)).isEqualTo(CHANGED);
        // Decided now, this group begins with five, of which one may not be there yet.
        try (TestClient client = new TestClient(registry, "between", 1)) {
            Incarnation east = client.register("east/joiner-0", "01");
            assertThat(client.commit(batch(0, east))).containsOnly(ACCEPTED);
        }
        fifth.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        // Whoever leads the change is gone and comes back: another goes on with it.
        int leader = registry.leader("control");
        registry.stop(leader);
        registry.start(leader);
        awaitSettled(registry, leader, "r4", 2);
        assertMembers(registry, 4, "r0", "r1", "r2", "r3#2", "r4#2");
        load.awaitMore();
    }

    private static void removeOneThatLeads(TestRegistry registry, Load load) {
        // It comes home by and by.
        TestRegistry.await(() -> registry.leader("control") == 0, PATIENCE_SECONDS);
        assertThat(change(registry, REMOVE, "r0", 3)).isEqualTo(CHANGED);
        registry.stop(1);
        registry.start(1);
        awaitGone(registry, 1, "r0", 1);
        TestRegistry.await(
                () -> {
                    startThoseAgainThatEnded(registry);
                    return !registry.bugs.isEmpty();
                },
                PATIENCE_SECONDS);
        assertThat(registry.bugs.poll()).contains("r0 was removed from the registry");
        assertThat(describe(registry, 0).getReplicasList()).noneMatch(ReplicaStatus::getCaughtUp);
        assertMembers(registry, 1, "r1", "r2", "r3#2", "r4#2");
        load.awaitMore();
        registry.stop(0);
    }

    private static void theRemovedOneIsRefused(TestRegistry registry) {
        assertThatThrownBy(() -> registry.start(0))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("r0 was removed", "members add r0");
    }

    private void comesBackAsAnother(TestRegistry registry) throws Exception {
        wipe(registry.data(0));
        CompletableFuture<Void> again = starting(registry, 0);
        assertThat(change(registry, ADD, "r0", 4)).isEqualTo(CHANGED);
        again.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        awaitSettled(registry, 1, "r0", 2);
        assertMembers(registry, 0, "r0#2", "r1", "r2", "r3#2", "r4#2");
    }

    @Test
    void aServerThatIsListedAndNoMemberWaitsAndIsNotCounted() throws Exception {
        try (TestRegistry registry = new TestRegistry(root, TUNING, 4)) {
            registry.listed = 3;
            registry.startAll();
            awaitKnown(registry, 0, 3);
            restartWith(registry, 4, 0, 1, 2);
            CompletableFuture<Void> fourth = starting(registry, 3);
            try (TestClient client = new TestClient(registry, "p", 1)) {
                Incarnation east = client.register("east/joiner-0", "01");
                assertThat(client.commit(batch(0, east))).containsOnly(ACCEPTED);
            }
            assertMembers(registry, 0, "r0", "r1", "r2");
            // A known name is no new server, whatever its disk.
            registry.stop(2);
            wipe(registry.data(2));
            assertThat(change(registry, ADD, "r2", 1)).isEqualTo(CHANGED);
            assertThat(roster(registry, 0)).containsExactly("r0", "r1", "r2");
            assertThatThrownBy(() -> registry.start(2))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContainingAll("is blank", "members replace r2");
            assertThat(fourth).isNotDone();
            // It is removed instead, though it never comes back, and the one that waits is added.
            assertThat(change(registry, REMOVE, "r2", 1)).isEqualTo(CHANGED);
            awaitGone(registry, 0, "r2", 1);
            assertThat(change(registry, ADD, "r3", 2)).isEqualTo(CHANGED);
            fourth.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            awaitSettled(registry, 0, "r3", 2);
            assertMembers(registry, 3, "r0", "r1", "r3#2");
            assertThat(registry.bugs).isEmpty();
        }
    }

    @Test
    void twoBecomeOneAndTwoAgain() throws Exception {
        try (TestRegistry registry = new TestRegistry(root, TUNING, 2)) {
            registry.startAll();
            awaitKnown(registry, 0, 2);
            try (TestClient client = new TestClient(registry, "p", 1)) {
                Incarnation east = client.register("east/joiner-0", "01");
                assertThat(client.commit(batch(0, east))).containsOnly(ACCEPTED);
                assertThat(change(registry, REMOVE, "r1", 1)).isEqualTo(CHANGED);
                awaitGone(registry, 0, "r1", 1);
                TestRegistry.await(() -> !registry.bugs.isEmpty(), PATIENCE_SECONDS);
                assertThat(registry.bugs.poll()).contains("r1 was removed from the registry");
                assertThat(change(registry, REMOVE, "r0", 2))
                        .isEqualTo(ChangeRosterResponse.Verdict.LAST);
                registry.stop(1);
                wipe(registry.data(1));
                assertThat(change(registry, ADD, "r1", 2)).isEqualTo(CHANGED);
                registry.start(1);
                awaitSettled(registry, 0, "r1", 2);
                assertMembers(registry, 1, "r0", "r1#2");
                assertNothingLost(registry, client, BATCH, 0, 1);
            }
            assertThat(registry.bugs).isEmpty();
        }
    }
}
