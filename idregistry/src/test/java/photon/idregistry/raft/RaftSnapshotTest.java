package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.idregistry.raft.TestNodes.GROUP;
import static photon.idregistry.raft.TestNodes.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import photon.idregistry.raft.snapshot.SnapshotDisk;
import photon.idregistry.replicated.FrozenState;

/** Snapshots of several files, under real Raft. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class RaftSnapshotTest {
    /** A segment of the log holds some hundred entries, and ten are kept behind a snapshot. */
    private static final int ENTRIES = 300;

    @TempDir Path root;

    @Test
    void aLaggingReplicaIsBroughtUpByASnapshotOfSeveralFilesAndStandsOnIt() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.shardState = SlotState::new;
            nodes.startAll();
            nodes.addGroupEverywhere();
            add(nodes, 0, 1);
            int away = (nodes.leader(GROUP) + 1) % 3;
            nodes.stop(away);
            addMany(nodes, ENTRIES);
            snapshotAllBut(nodes, away);
            add(nodes, 1, 1);
            snapshotAllBut(nodes, away);
            nodes.start(away);
            add(nodes, 2, 1);
            await(() -> sum(nodes, away) == ENTRIES + 3);
            ReplicaStats.Snapshot received =
                    Objects.requireNonNull(nodes.replica(away, GROUP).stats().snapshot());
            assertThat(received.bytes()).isGreaterThan(160_000);

            // Its own next snapshot carries over what the leader sent, and it stands on it.
            add(nodes, 3, 1);
            long index = nodes.node(away).takeSnapshot(GROUP).get(60, TimeUnit.SECONDS);
            assertThat(index).isGreaterThan(received.index());
            nodes.stop(away);
            nodes.start(away);
            add(nodes, 3, 1);
            await(() -> sum(nodes, away) == ENTRIES + 5);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void aNewReplicaIsBroughtUpByASnapshotAndCountsForTheMajority() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.shardState = SlotState::new;
            int anew = 2;
            for (int n = 0; n < anew; n++) {
                nodes.start(n);
            }
            for (int n = 0; n < anew; n++) {
                nodes.node(n).addGroup(GROUP, nodes.members).get(60, TimeUnit.SECONDS);
            }
            addMany(nodes, ENTRIES);
            snapshotAllBut(nodes, anew);
            nodes.start(anew);
            nodes.node(anew).addGroup(GROUP, nodes.members).get(60, TimeUnit.SECONDS);
            await(() -> sum(nodes, anew) == ENTRIES);
            assertThat(nodes.replica(anew, GROUP).stats().snapshot()).isNotNull();

            // Together with one other it is a majority.
            int leader = nodes.leader(GROUP);
            nodes.stop(leader == 0 ? 1 : 0);
            add(nodes, 0, 1);
            await(() -> sum(nodes, anew) == ENTRIES + 1);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void entriesAreAppliedWhileASnapshotIsWrittenAndTheLogStaysUntilItIsOnDisk() throws Exception {
        Held held = new Held();
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.shardState = held::state;
            nodes.startAll();
            nodes.addGroupEverywhere();
            addMany(nodes, ENTRIES);
            List<Path> before = logs(nodes, 0);
            assertThat(before.size()).isGreaterThan(2);
            CompletableFuture<Long> taken = nodes.node(0).takeSnapshot(GROUP);
            await(() -> held.steps.contains("begin"));
            addMany(nodes, 10);
            assertThat(sum(nodes, 0)).isEqualTo(ENTRIES + 10);
            assertThat(taken).isNotDone();
            assertThat(logs(nodes, 0)).containsAll(before);
            assertThat(nodes.replica(0, GROUP).stats().snapshot()).isNull();
            assertThat(nodes.replica(0, GROUP).carrier().takeSnapshot()).isEqualTo(-1);
            held.free.countDown();
            long index = taken.get(60, TimeUnit.SECONDS);
            assertThat(held.steps).containsExactly("begin", "end", "closed");
            assertThat(Objects.requireNonNull(nodes.replica(0, GROUP).stats().snapshot()).index())
                    .isEqualTo(index)
                    .isLessThan(nodes.replica(0, GROUP).stats().appliedIndex());
            assertThat(nodes.replica(0, GROUP).carrier().takeSnapshot()).isEqualTo(index);
            await(() -> logs(nodes, 0).size() < before.size());

            nodes.shardState = SlotState::new;
            nodes.stop(0);
            nodes.start(0);
            add(nodes, 0, 0);
            assertThat(sum(nodes, 0)).isEqualTo(ENTRIES + 10);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void aStateThatCannotBeReadIsNotTakenForASnapshotThatCannotBeWritten() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.shardState =
                    () ->
                            new SumState() {
                                @Override
                                public FrozenState freeze() {
                                    throw new UncheckedIOException(new IOException("damaged"));
                                }
                            };
            nodes.startAll();
            nodes.addGroupEverywhere();
            nodes.add(GROUP, 1);
            assertThatThrownBy(() -> nodes.node(0).takeSnapshot(GROUP).get(60, TimeUnit.SECONDS))
                    .hasStackTraceContaining("damaged");
            assertThat(nodes.bugs).hasSize(1);
            assertThat(nodes.bugs.peek()).startsWith("Freezing n0@" + GROUP).contains("damaged");
        }
    }

    @Test
    void aSnapshotThatFailsIsCountedAndKeepsTheLogAndTheOneBefore() throws Exception {
        boolean[] full = {false};
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.disks[0] =
                    new SnapshotDisk() {
                        @Override
                        public void before(String step, Path path) throws IOException {
                            if (full[0] && step.equals("force")) {
                                throw new IOException("No space left on device");
                            }
                        }
                    };
            nodes.shardState = SlotState::new;
            nodes.startAll();
            nodes.addGroupEverywhere();
            addMany(nodes, 10);
            long first = nodes.node(0).takeSnapshot(GROUP).get(60, TimeUnit.SECONDS);
            addMany(nodes, ENTRIES);
            List<Path> before = logs(nodes, 0);
            full[0] = true;
            assertThatThrownBy(() -> nodes.node(0).takeSnapshot(GROUP).get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseMessage("No space left on device");
            ReplicaStats stats = nodes.replica(0, GROUP).stats();
            assertThat(stats.snapshotFailures()).isEqualTo(1);
            assertThat(Objects.requireNonNull(stats.snapshot()).index()).isEqualTo(first);
            assertThat(logs(nodes, 0)).containsAll(before);
            nodes.stop(0);
            nodes.start(0);
            add(nodes, 0, 0);
            assertThat(sum(nodes, 0)).isEqualTo(ENTRIES + 10);
            full[0] = false;
            assertThat(nodes.node(0).takeSnapshot(GROUP).get(60, TimeUnit.SECONDS))
                    .isGreaterThan(first + ENTRIES);
            await(() -> logs(nodes, 0).size() < before.size());
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void aSnapshotThatIsBeingWrittenDoesNotHoldUpTheEnd() throws Exception {
        Held held = new Held();
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.shardState = held::state;
            nodes.startAll();
            nodes.addGroupEverywhere();
            addMany(nodes, 10);
            CompletableFuture<Long> taken = nodes.node(0).takeSnapshot(GROUP);
            await(() -> held.steps.contains("begin"));
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> nodes.stop(0));
            stopped.get(60, TimeUnit.SECONDS);
            assertThat(held.steps).contains("closed").doesNotContain("end");
            assertThat(taken).isDone();
            nodes.shardState = SlotState::new;
            nodes.start(0);
            add(nodes, 0, 0);
            assertThat(sum(nodes, 0)).isEqualTo(10);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void aSnapshotThatCannotBeReadBackReachesTheBugHandler() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.shardState = SlotState::new;
            nodes.startAll();
            nodes.addGroupEverywhere();
            int away = (nodes.leader(GROUP) + 1) % 3;
            nodes.stop(away);
            addMany(nodes, ENTRIES);
            snapshotAllBut(nodes, away);
            nodes.shardState =
                    () ->
                            new SumState() {
                                @Override
                                public void restore(
                                        photon.idregistry.replicated.SnapshotReader from)
                                        throws IOException {
                                    throw new IOException("Expected a format of ours");
                                }
                            };
            nodes.start(away);
            await(() -> !nodes.bugs.isEmpty());
            assertThat(nodes.bugs.peek()).contains("Restoring n" + away, "a format of ours");
        }
    }

    /** States whose snapshot is not written before it is let go. */
    private static final class Held {
        final CountDownLatch free = new CountDownLatch(1);
        final Queue<String> steps = new ConcurrentLinkedQueue<>();

        SlotState state() {
            SlotState made = new SlotState();
            made.writing =
                    step -> {
                        steps.add(step);
                        if (step.equals("begin")) {
                            try {
                                free.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        }
                    };
            return made;
        }
    }

    private static void addMany(TestNodes nodes, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            add(nodes, i % SlotState.SLOTS, 1);
        }
    }

    private static void add(TestNodes nodes, int slot, long number) throws Exception {
        nodes.submit(GROUP, SlotState.entry(slot, number, nodes.newToken()));
    }

    private static void snapshotAllBut(TestNodes nodes, int away) throws Exception {
        for (int n = 0; n < 3; n++) {
            if (n != away) {
                int node = n;
                await(() -> applied(nodes, node) == applied(nodes, nodes.leader(GROUP)));
                nodes.node(n).takeSnapshot(GROUP).get(60, TimeUnit.SECONDS);
            }
        }
    }

    private static long applied(TestNodes nodes, int n) {
        return nodes.replica(n, GROUP).stats().appliedIndex();
    }

    private static long sum(TestNodes nodes, int n) {
        Replica replica = nodes.node(n).replica(GROUP);
        return replica == null ? -1 : replica.<Long>read(state -> ((SlotState) state).sum());
    }

    private static List<Path> logs(TestNodes nodes, int n) {
        Path group = RaftSettings.storage(nodes.data(n)).resolve(GROUP.toString());
        try (Stream<Path> all = Files.list(group.resolve("current"))) {
            return all.filter(f -> String.valueOf(f.getFileName()).matches("log_\\d.*")).toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
