package photon.idregistry.raft;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import photon.core.error.BugHandler;
import photon.idregistry.raft.snapshot.SnapshotDisk;
import photon.idregistry.replicated.ReplicatedLog.NotSubmittedException;
import photon.idregistry.replicated.ReplicatedState;

/** Real Raft servers on loopback, in one process, each with a directory of its own. */
public final class TestNodes implements AutoCloseable {
    static final UUID GROUP = GroupIds.shard(new UUID(1, 2), 1, 0);
    static final RaftTuning FAST =
            RaftTuning.LAN
                    .withElection(Duration.ofSeconds(1), Duration.ofSeconds(2))
                    .withLog(4 << 10, 10, 1 << 20);

    /** The first leader stays, however slowly the followers answer. */
    static final RaftTuning PATIENT =
            FAST.withElection(Duration.ofSeconds(40), Duration.ofSeconds(60));

    /** No node. */
    static final int NOBODY = -1;

    /** Elections in a row on a busy machine are within it; it fails nothing that goes on. */
    private static final Duration AWAIT = Duration.ofSeconds(60);

    /** What a snapshot does to the disk, by node. */
    final SnapshotDisk[] disks;

    /** Makes the states of {@link #GROUP}. */
    Supplier<? extends ReplicatedState> shardState = SumState::new;

    /** Of the nodes that start from now on. */
    RaftTuning tuning = FAST;

    /** The nodes that start from now on are without what stands around Ratis. */
    boolean bare;

    final Queue<String> bugs = new ConcurrentLinkedQueue<>();
    final List<RaftMember> members = new ArrayList<>();
    private final AtomicLong tokens = new AtomicLong();

    /** Entries that were submitted once more. */
    private final AtomicLong asked = new AtomicLong();

    private final List<@Nullable RaftNode> nodes = new ArrayList<>();
    private final Path root;

    TestNodes(Path root, int count) {
        this.root = root;
        this.disks = new SnapshotDisk[count];
        for (int n = 0; n < count; n++) {
            members.add(new RaftMember("n" + n, FreePorts.next()));
            nodes.add(null);
            disks[n] = new SnapshotDisk();
        }
    }

    Path data(int n) {
        return root.resolve("n" + n);
    }

    RaftNode start(int n) {
        return start(n, (where, bug) -> bugs.add(where + ": " + bug.getMessage()));
    }

    RaftNode start(int n, BugHandler handler) {
        return start(n, members.get(n).name(), members, handler);
    }

    /** With another name, or other members, than it has. */
    RaftNode start(int n, String name, List<RaftMember> controlMembers, BugHandler handler) {
        RaftNode node =
                RaftNode.start(
                        new RaftNode.Config(
                                name,
                                members.get(n).address(),
                                data(n),
                                tuning,
                                controlMembers,
                                SumState::new,
                                group -> shardState.get(),
                                Optional.empty()),
                        handler,
                        () -> {},
                        disks[n],
                        bare);
        nodes.set(n, node);
        return node;
    }

    void startAll() {
        sideBySide(nodes.size(), this::start);
    }

    RaftNode node(int n) {
        return java.util.Objects.requireNonNull(nodes.get(n));
    }

    boolean isRunning(int n) {
        return nodes.get(n) != null;
    }

    void stop(int n) {
        node(n).close();
        nodes.set(n, null);
    }

    Replica replica(int n, UUID group) {
        return java.util.Objects.requireNonNull(node(n).replica(group));
    }

    void addGroupEverywhere() throws Exception {
        for (int n = 0; n < nodes.size(); n++) {
            node(n).addGroup(GROUP, members).get(60, TimeUnit.SECONDS);
        }
    }

    /** Waits for the group's leader among the running nodes. */
    int leader(UUID group) {
        int[] found = {NOBODY};
        await(
                () -> {
                    found[0] = leaderNow(group);
                    return found[0] != NOBODY;
                });
        return found[0];
    }

    int leaderNow(UUID group) {
        for (int n = 0; n < nodes.size(); n++) {
            RaftNode node = nodes.get(n);
            Replica replica = node == null ? null : node.replica(group);
            if (replica != null && replica.log().leads()) {
                return n;
            }
        }
        return NOBODY;
    }

    /** Adds a number, once: whoever leads is asked, with one token, until the sum is told. */
    long add(UUID group, long number) throws Exception {
        return SumState.sumIn(submit(group, SumState.entry(number, newToken())));
    }

    /** Asks whoever leads until there is an answer; the entry must bear to be there twice. */
    byte[] submit(UUID group, byte[] entry) throws Exception {
        long deadline = System.nanoTime() + AWAIT.toNanos();
        while (true) {
            try {
                return submitTo(leader(group), group, entry);
            } catch (ExecutionException | TimeoutException e) {
                if (!mayAskAgain(e) || System.nanoTime() > deadline) {
                    throw e;
                }
                asked.incrementAndGet();
            }
        }
    }

    /** Without an answer, or with one that says that nothing is known, or that nothing happened. */
    static boolean mayAskAgain(Exception e) {
        return e instanceof TimeoutException
                || e.getCause() instanceof OutcomeUnknownException
                || e.getCause() instanceof NotSubmittedException;
    }

    byte[] submitTo(int n, UUID group, byte[] entry) throws Exception {
        return replica(n, group).log().submit(entry).get(20, TimeUnit.SECONDS);
    }

    long newToken() {
        return tokens.incrementAndGet();
    }

    long sumAt(int n, UUID group) {
        return replica(n, group).read(state -> ((SumState) state).sum());
    }

    public static void await(BooleanSupplier holds) {
        long deadline = System.nanoTime() + AWAIT.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + AWAIT);
            }
            java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    /** At the same time: Ratis takes two seconds for each. */
    void stopAll() {
        sideBySide(nodes.size(), n -> stop(n, RaftNode::close));
    }

    /** In a thread each, which mostly waits. */
    public static void sideBySide(int count, IntConsumer work) {
        CompletableFuture.allOf(
                        IntStream.range(0, count)
                                .mapToObj(
                                        n ->
                                                CompletableFuture.runAsync(
                                                        () -> work.accept(n),
                                                        task -> new Thread(task).start()))
                                .toArray(CompletableFuture[]::new))
                .join();
    }

    private void stop(int n, Consumer<RaftNode> close) {
        RaftNode node = nodes.get(n);
        if (node != null) {
            close.accept(node);
            nodes.set(n, null);
        }
    }

    @Override
    public void close() {
        try {
            for (int n = 0; n < nodes.size(); n++) {
                checkRepeats(n);
            }
        } finally {
            // Of what comes behind its files nothing is asked any more.
            sideBySide(nodes.size(), n -> stop(n, RaftNode::closeFiles));
        }
    }

    /** What was submitted once is in the log once. */
    private void checkRepeats(int n) {
        RaftNode node = nodes.get(n);
        Replica replica = node == null ? null : node.replica(GROUP);
        long repeats =
                replica == null
                        ? 0
                        : replica.read(state -> state instanceof SumState sum ? sum.repeats() : 0L);
        if (repeats > asked.get()) {
            throw new AssertionError(
                    "%s repeated entries, of which %s were asked for".formatted(repeats, asked));
        }
    }
}
