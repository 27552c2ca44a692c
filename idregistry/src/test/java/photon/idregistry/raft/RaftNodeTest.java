package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.idregistry.raft.TestNodes.GROUP;
import static photon.idregistry.raft.TestNodes.await;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.error.ConfigException;
import photon.idregistry.raft.snapshot.SnapshotDisk;
import photon.idregistry.raft.workaround.DirectoryLock;
import photon.idregistry.replicated.ReplicatedLog.NotSubmittedException;

@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class RaftNodeTest {
    private static final UUID CONTROL = GroupIds.control();

    @TempDir Path root;

    @Test
    void aGroupThatIsAddedReplicatesAndComesBackByItself() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.startAll();
            nodes.addGroupEverywhere();
            assertThat(nodes.add(GROUP, 5)).isEqualTo(5);
            assertThat(nodes.add(GROUP, 7)).isEqualTo(12);
            assertThat(nodes.add(CONTROL, 1)).isEqualTo(1);
            nodes.stopAll();
            nodes.startAll();
            assertThat(nodes.add(GROUP, 1)).isEqualTo(13);
            assertThat(nodes.add(CONTROL, 1)).isEqualTo(2);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void aGroupWhoseMakingWasCutShortIsMadeOnKeepingItsVote() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.start(0);
            // Alone it cannot elect, so no entry says who the members are.
            nodes.node(0).addGroup(GROUP, nodes.members).get(60, TimeUnit.SECONDS);
            nodes.stop(0);
            nodes.startAll();
            assertThat(nodes.node(0).replica(GROUP)).isNotNull();
            assertThat(nodes.node(0).has(GROUP)).isFalse();
            nodes.addGroupEverywhere();
            assertThat(nodes.node(0).has(GROUP)).isTrue();
            assertThat(nodes.add(GROUP, 5)).isEqualTo(5);
            await(() -> nodes.sumAt(0, GROUP) == 5);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    void aGroupThatIsRemovedIsGoneWithItsFilesForGood() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.startAll();
            nodes.addGroupEverywhere();
            nodes.add(GROUP, 5);
            for (int n = 0; n < 3; n++) {
                nodes.node(n).takeSnapshot(GROUP).get(60, TimeUnit.SECONDS);
                nodes.node(n).removeGroup(GROUP, state -> {}).get(60, TimeUnit.SECONDS);
                assertThat(nodes.node(n).replica(GROUP)).isNull();
                assertThat(groupDirectory(nodes, n)).doesNotExist();
                assertThat(nodes.data(n).resolve("removed").resolve(GROUP.toString()))
                        .doesNotExist();
                nodes.node(n).lookAfter(System.nanoTime());
                nodes.node(n).removeGroup(GROUP, state -> {}).get(60, TimeUnit.SECONDS);
            }
            assertThat(nodes.add(CONTROL, 1)).as("the others go on").isEqualTo(1);
            nodes.stopAll();
            nodes.startAll();
            assertThat(nodes.node(0).replica(GROUP)).isNull();
            assertThat(nodes.add(CONTROL, 1)).isEqualTo(2);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    /** As when a reshard is given up while its groups are being made. */
    @Test
    @Tag("slow")
    void aGroupThatIsRemovedWhileItIsBeingMadeIsGoneAndNothingElseHappens() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.start(0);
            RaftNode node = nodes.node(0);
            for (int i = 1; i <= 30; i++) {
                UUID group = new UUID(7, i);
                CompletableFuture<Replica> made = node.addGroup(group, nodes.members);
                node.removeGroup(group, state -> {}).get(60, TimeUnit.SECONDS);
                assertThat(made).as("behind its making").isDone();
                assertThat(node.replica(group)).isNull();
                node.lookAfter(System.nanoTime());
            }
            assertThat(nodes.add(CONTROL, 1)).as("the others go on").isEqualTo(1);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    /** At each step that the disk takes for it. */
    @ParameterizedTest
    @Tag("slow")
    @ValueSource(strings = {"move", "sync", "delete"})
    void aRemovalThatWasCutShortIsDoneAgainAndNeverInTheWayOfAStart(String step) throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.start(0);
            nodes.addGroupEverywhere();
            nodes.add(GROUP, 5);
            nodes.stop(0);
            boolean[] armed = {false};
            nodes.disks[0] =
                    new SnapshotDisk() {
                        @Override
                        public void before(String what, java.nio.file.Path path)
                                throws IOException {
                            if (armed[0] && what.equals(step)) {
                                throw new IOException("cut short before " + what);
                            }
                        }
                    };
            nodes.start(0);
            nodes.leader(GROUP);
            armed[0] = true;
            CompletableFuture<Void> removal = nodes.node(0).removeGroup(GROUP, state -> {});
            assertThatThrownBy(() -> removal.get(60, TimeUnit.SECONDS))
                    .hasRootCauseMessage("cut short before " + step);
            armed[0] = false;
            nodes.stop(0);
            nodes.disks[0] = new SnapshotDisk();
            nodes.start(0);
            assertThat(nodes.add(CONTROL, 1)).isEqualTo(1);
            nodes.node(0).removeGroup(GROUP, state -> {}).get(60, TimeUnit.SECONDS);
            assertThat(nodes.node(0).replica(GROUP)).isNull();
            assertThat(groupDirectory(nodes, 0)).doesNotExist();
            assertThat(nodes.data(0).resolve("removed").resolve(GROUP.toString())).doesNotExist();
            assertThat(nodes.bugs).isEmpty();
        }
    }

    private static Path groupDirectory(TestNodes nodes, int n) {
        return nodes.data(n).resolve("raft").resolve(GROUP.toString());
    }

    @Test
    void aFollowerTakesNoEntryAndSaysThatNothingHappened() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.startAll();
            int follower = (nodes.leader(CONTROL) + 1) % 3;
            assertThatThrownBy(
                            () ->
                                    nodes.replica(follower, CONTROL)
                                            .log()
                                            .submit(SumState.entry(1))
                                            .get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(NotSubmittedException.class);
            await(() -> nodes.replica(follower, CONTROL).leader() != null);

            // A barrier: the follower has applied what was committed before it was asked.
            nodes.add(CONTROL, 42);
            await(() -> hasPassedABarrier(nodes.replica(follower, CONTROL)));
            assertThat(nodes.sumAt(follower, CONTROL)).isEqualTo(42);
        }
    }

    /** It may fail, as while there is no leader: whoever asks asks again. */
    private static boolean hasPassedABarrier(Replica replica) {
        return replica.readBarrier()
                .orTimeout(60, TimeUnit.SECONDS)
                .handle((done, failure) -> failure == null)
                .join();
    }

    @Test
    @Tag("slow")
    void aReplicaThatReturnsIsNotCaughtUpBeforeItHasWhatWasCommitted() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.startAll();
            nodes.add(CONTROL, 1);
            int away = (nodes.leader(CONTROL) + 1) % 3;
            nodes.stop(away);
            for (int i = 0; i < 30; i++) {
                nodes.add(CONTROL, 1);
            }
            // Between a commit and its application there is a moment.
            int[] leads = {TestNodes.NOBODY};
            ReplicaStats[] of = {null};
            await(
                    () -> {
                        leads[0] = nodes.leader(CONTROL);
                        of[0] = nodes.replica(leads[0], CONTROL).stats();
                        return of[0].leads() && of[0].appliedIndex() == of[0].committedIndex();
                    });
            int leader = leads[0];
            int other = 3 - away - leader;
            ReplicaStats known = of[0];
            assertThat(known.leader()).isEqualTo("n" + leader);
            assertThat(known.appliedIndex()).isGreaterThan(30);
            assertThat(known.logBytes()).isPositive();
            assertThat(known.snapshot()).isNull();
            assertThat(known.members()).extracting(ReplicaStats.Member::name).hasSize(3);
            // Ratis adds entries of its own, also between two looks.
            assertThat(known.members().get(away).lag()).isBetween(30L, known.appliedIndex() + 10);
            assertThat(known.members().get(leader).lag()).isZero();

            nodes.stop(leader);
            nodes.stop(other);
            nodes.start(away);
            nodes.node(away).lookAfter(System.nanoTime());
            assertThat(nodes.replica(away, CONTROL).caughtUp()).isFalse();
            assertThat(nodes.replica(away, CONTROL).stats().members())
                    .allMatch(member -> member.lag() == -1 && member.silentMillis() == -1);
            nodes.start(leader);
            nodes.start(other);
            await(
                    () -> {
                        nodes.node(away).lookAfter(System.nanoTime());
                        return nodes.replica(away, CONTROL).caughtUp();
                    });
            assertThat(nodes.sumAt(away, CONTROL)).isEqualTo(31);
            assertThat(nodes.replica(away, CONTROL).stats().caughtUp()).isTrue();
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void aFollowerThatMissedThePurgedLogIsBroughtUpByASnapshot() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.startAll();
            nodes.addGroupEverywhere();
            nodes.add(GROUP, 1);
            int away = (nodes.leader(GROUP) + 1) % 3;
            nodes.stop(away);
            for (int i = 0; i < 150; i++) {
                nodes.add(GROUP, 1);
            }
            for (int n = 0; n < 3; n++) {
                if (n != away) {
                    nodes.node(n).takeSnapshot(GROUP).get(60, TimeUnit.SECONDS);
                }
            }
            nodes.start(away);
            nodes.add(GROUP, 1);
            await(() -> nodes.sumAt(away, GROUP) == 152);
            assertThat(nodes.replica(away, GROUP).<Long>read(s -> ((SumState) s).entries()))
                    .isEqualTo(152);

            // It stands on the snapshot it was sent.
            nodes.stop(away);
            nodes.start(away);
            nodes.add(GROUP, 1);
            await(() -> nodes.sumAt(away, GROUP) == 153);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    void aRestartReadsTheSnapshotAndTheLogBehindIt() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.startAll();
            for (int i = 0; i < 150; i++) {
                nodes.add(CONTROL, 1);
            }
            nodes.node(0).takeSnapshot(CONTROL).get(60, TimeUnit.SECONDS);
            nodes.add(CONTROL, 10);
            nodes.stop(0);
            nodes.start(0);
            assertThat(nodes.add(CONTROL, 0)).isEqualTo(160);
            nodes.stop(0);

            // Without the snapshot the entries that were purged would be missing silently.
            for (Path directory : files(nodes.data(0), "snapshot-*")) {
                new SnapshotDisk().deleteWhole(directory);
            }
            assertThatThrownBy(() -> nodes.start(0))
                    .isInstanceOf(RaftStartException.class)
                    .hasMessageContaining("snapshot is missing");
        }
    }

    @Test
    @Tag("slow")
    void aCrashWhileAReceivedSnapshotIsPutInPlaceKeepsTheOneBefore() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.startAll();
            for (int i = 0; i < 150; i++) {
                nodes.add(CONTROL, 1);
            }
            nodes.node(0).takeSnapshot(CONTROL).get(60, TimeUnit.SECONDS);
            nodes.add(CONTROL, 10);
            nodes.stop(0);
            // Ratis moves the directory aside, and then the received one to its place.
            for (Path sm : files(nodes.data(0), "sm")) {
                Files.move(sm, sm.resolveSibling("sm.tmp20261121-034225"));
            }
            nodes.start(0);
            assertThat(nodes.add(CONTROL, 0)).isEqualTo(160);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void aDirectoryThatWasNotFormattedWholeIsFormatted() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            for (UUID group : List.of(CONTROL, GROUP)) {
                Path current =
                        RaftSettings.storage(nodes.data(0))
                                .resolve(group.toString())
                                .resolve("current");
                Files.createDirectories(current);
                Files.write(current.resolve("raft-meta.tmp"), new byte[] {1});
            }
            nodes.start(0);
            nodes.addGroupEverywhere();
            assertThat(nodes.add(CONTROL, 1)).isEqualTo(1);
            assertThat(nodes.add(GROUP, 2)).isEqualTo(2);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void aDamagedSnapshotStopsTheStart() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.startAll();
            nodes.add(CONTROL, 1);
            nodes.node(0).takeSnapshot(CONTROL).get(60, TimeUnit.SECONDS);
            nodes.stop(0);
            for (Path file : files(nodes.data(0), "state")) {
                flip(file, 3);
            }
            assertThatThrownBy(() -> nodes.start(0))
                    .isInstanceOf(RaftStartException.class)
                    .hasMessageContaining("Expected snapshot file")
                    .hasMessageContaining("/state with checksum");
        }
    }

    @Test
    void aCorruptLogStopsTheStartInsteadOfBeingCutShort() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.startAll();
            for (int i = 0; i < 50; i++) {
                nodes.add(CONTROL, 1);
            }
            nodes.stop(0);
            for (Path file : files(nodes.data(0), "log_*")) {
                flip(file, Files.size(file) / 2);
            }
            assertThatThrownBy(() -> nodes.start(0))
                    .isInstanceOf(RaftStartException.class)
                    .hasMessageContaining("Replace this replica");
        }
    }

    @Test
    void anEntryThatCannotBeAppliedReachesTheBugHandlerAndEndsTheReplica() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.startAll();
            nodes.add(CONTROL, 1);
            assertThatThrownBy(() -> nodes.submitTo(0, CONTROL, SumState.entry(SumState.POISON)))
                    .isInstanceOf(Exception.class);
            await(() -> !nodes.bugs.isEmpty());
            assertThat(nodes.bugs.peek()).contains("Expected a number, but got poison");
            assertThat(nodes.sumAt(0, CONTROL)).isEqualTo(1);
            await(() -> !nodes.replica(0, CONTROL).log().leads());
        }
    }

    @Test
    void aReplicaThatRatisClosesByItselfIsReported() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.startAll();
            nodes.add(CONTROL, 1);
            nodes.replica(0, CONTROL).closeBehindOurBack();
            long seen = System.nanoTime();
            nodes.node(0).lookAfter(seen);
            nodes.node(0).lookAfter(seen + RaftNode.CLOSED_NANOS_MAX - 1);
            assertThat(nodes.bugs).as("its group may have taken it out").isEmpty();
            nodes.node(0).lookAfter(seen + RaftNode.CLOSED_NANOS_MAX);
            assertThat(nodes.bugs.peek()).contains("Ratis has closed it by itself");
        }
    }

    @Test
    @Tag("slow")
    void aReplicaThatLeavesMayBeClosedBeforeThatIsKnown() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.startAll();
            nodes.add(CONTROL, 1);
            nodes.addGroupEverywhere();
            // Nobody closes one that knows no members.
            nodes.node(0).addGroup(new UUID(7, 1), List.of()).get(60, TimeUnit.SECONDS);
            nodes.replica(0, GROUP).closeBehindOurBack();
            long seen = System.nanoTime();
            nodes.node(0).lookAfter(seen);
            nodes.node(0).leave();
            nodes.node(0).lookAfter(seen + TimeUnit.HOURS.toNanos(1));
            assertThat(nodes.bugs).isEmpty();

            // Nobody will end a server of which nothing runs, and groups may need it to be rid of
            // it.
            nodes.replica(0, CONTROL).closeBehindOurBack();
            nodes.node(0).lookAfter(seen + TimeUnit.HOURS.toNanos(2));
            nodes.node(0)
                    .lookAfter(seen + TimeUnit.HOURS.toNanos(2) + TimeUnit.SECONDS.toNanos(60) - 1);
            assertThat(nodes.bugs).isEmpty();
            nodes.node(0)
                    .lookAfter(seen + TimeUnit.HOURS.toNanos(2) + TimeUnit.SECONDS.toNanos(60));
            assertThat(nodes.bugs).hasSize(2);
        }
    }

    @Test
    @Tag("slow")
    void aServerThatRatisHasClosedTellsOnce() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.startAll();
            nodes.add(CONTROL, 1);
            nodes.replica(0, CONTROL).closeBehindOurBack();
            long seen = System.nanoTime();
            for (int second = 0; second < 20; second++) {
                nodes.node(0).lookAfter(seen + TimeUnit.SECONDS.toNanos(second));
            }
            assertThat(nodes.bugs).hasSize(1);
            assertThat(nodes.bugs.peek()).contains("Ratis has closed it by itself");
        }
    }

    @Test
    @Tag("slow")
    void aServerThatRatisClosesAfterALongPauseIsReported() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.startAll();
            nodes.add(CONTROL, 1);
            nodes.node(0).closeBehindOurBack();
            await(
                    () -> {
                        nodes.node(0).lookAfter(System.nanoTime());
                        return !nodes.bugs.isEmpty();
                    });
            assertThat(nodes.bugs.peek()).contains("Ratis has closed it by itself");
            assertThat(nodes.replica(0, CONTROL).caughtUp()).isFalse();
        }
    }

    @Test
    void aLogThatCannotBeWrittenIsReported() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.startAll();
            nodes.add(CONTROL, 1);
            // The log's next file cannot be made, whichever index it begins at.
            for (Path current : files(nodes.data(0), "current")) {
                for (int index = 1; index < 1_000; index++) {
                    Path next = current.resolve("log_inprogress_" + index);
                    if (!Files.exists(next)) {
                        Files.createSymbolicLink(next, Path.of("/nowhere/at/all"));
                    }
                }
            }
            // One at a time, and each for as long as the disk takes, until one needs that file.
            CompletableFuture<?>[] last = {CompletableFuture.completedFuture(null)};
            await(
                    () -> {
                        if (last[0].isDone()) {
                            last[0] = nodes.replica(0, CONTROL).log().submit(SumState.entry(1));
                        }
                        return !nodes.bugs.isEmpty();
                    });
            assertThat(nodes.bugs.peek()).contains("Writing the log of n0@");
        }
    }

    @Test
    @Tag("slow")
    void aReplicaThatWasTakenOutOfItsGroupIsNotCaughtUpAnyMore() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.startAll();
            nodes.add(CONTROL, 1);
            int out = (nodes.leader(CONTROL) + 1) % 3;
            await(
                    () -> {
                        nodes.node(out).lookAfter(System.nanoTime());
                        return nodes.replica(out, CONTROL).caughtUp();
                    });
            nodes.node(nodes.leader(CONTROL))
                    .changeMember(CONTROL, nodes.members.get(out).name(), null)
                    .get(60, TimeUnit.SECONDS);
            await(() -> !nodes.replica(out, CONTROL).caughtUp());
            assertThat(nodes.replica(nodes.leader(CONTROL), CONTROL).stats().members()).hasSize(2);
        }
    }

    @Test
    void aTakenPortIsNamed() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1);
                ServerSocket taken = new ServerSocket()) {
            taken.bind(
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(),
                            nodes.members.get(0).address().port()));
            assertThatThrownBy(() -> nodes.start(0))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(nodes.members.get(0).address().toString());
        }
    }

    @Test
    void aDirectoryThatAnotherServerHasIsNamedAndFreeAgainAfterIt() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            DirectoryLock other = DirectoryLock.take(nodes.data(0));
            assertThatThrownBy(() -> nodes.start(0))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("Another registry server");
            other.close();
            nodes.start(0);
            assertThat(nodes.add(CONTROL, 1)).isEqualTo(1);
        }
    }

    private static List<Path> files(Path below, String glob) throws Exception {
        try (Stream<Path> all = Files.walk(below)) {
            var matches = below.getFileSystem().getPathMatcher("glob:" + glob);
            List<Path> found = all.filter(f -> matches.matches(f.getFileName())).toList();
            assertThat(found).isNotEmpty();
            return found;
        }
    }

    private static void flip(Path file, long at) throws Exception {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            int was = bytes.read();
            bytes.seek(at);
            bytes.write(was ^ 0x55);
        }
    }
}
