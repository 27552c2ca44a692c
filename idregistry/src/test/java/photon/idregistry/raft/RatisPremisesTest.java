package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.idregistry.raft.LogEntries.change;
import static photon.idregistry.raft.LogEntries.members;
import static photon.idregistry.raft.LogEntries.number;
import static photon.idregistry.raft.TestNodes.GROUP;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.LogProtoUtils;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorageImpl;
import org.apache.ratis.server.storage.StorageImplUtils;
import org.apache.ratis.util.SizeInBytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import photon.idregistry.raft.snapshot.SnapshotDisk;

/**
 * What Ratis does by itself, each hole of docs/ratis.md: what stands around Ratis is left out, and
 * the harm is there. A test that fails says that this Ratis behaves otherwise: look at that
 * section, and delete the workaround if the hole is closed.
 */
@Tag("slow")
@Timeout(300)
@Execution(ExecutionMode.SAME_THREAD)
class RatisPremisesTest {
    private static final TermIndex NONE = TermIndex.valueOf(0, -1);
    private static final TermIndex FIRST = TermIndex.valueOf(1, 1);

    @TempDir Path root;
    private final List<AutoCloseable> running = new ArrayList<>();
    private final List<RaftMember> four =
            Stream.of("n0", "n1", "n2", "n3")
                    .map(name -> new RaftMember(name, FreePorts.next()))
                    .toList();
    private final List<RaftMember> three = four.subList(0, 3);

    /** Open, and taken by the log's writer before it forces anything. */
    private final LogGate gate = new LogGate();

    private static final class LogGate extends SnapshotDisk {
        private final Semaphore forces = new Semaphore(0);
        private final AtomicInteger begun = new AtomicInteger();
        private volatile boolean shut;

        @Override
        public void beforeLogIsForced() {
            begun.incrementAndGet();
            if (shut) {
                forces.acquireUninterruptibly();
            }
        }

        void open() {
            shut = false;
            forces.release(100);
        }
    }

    @AfterEach
    void stop() throws Exception {
        gate.open();
        TestNodes.sideBySide(
                running.size(),
                n -> {
                    try {
                        running.get(n).close();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    private <T extends AutoCloseable> T started(T one) {
        running.add(one);
        return one;
    }

    /** A member of three that stands for no election, and what it has reported. */
    private RaftNode node(RaftTuning tuning) {
        return node(tuning, three);
    }

    private RaftNode node(RaftTuning tuning, List<RaftMember> members) {
        return started(
                RaftNode.start(
                        new RaftNode.Config(
                                "n0",
                                three.get(0).address(),
                                root,
                                tuning,
                                members,
                                SumState::new,
                                group -> new SumState(),
                                Optional.empty()),
                        (where, bug) -> {},
                        () -> {},
                        gate,
                        true));
    }

    private FakeLeader leader(int n) throws Exception {
        return started(new FakeLeader(three.get(n), three.get(0), GroupIds.control()));
    }

    private static Replica replica(RaftNode node) {
        return Objects.requireNonNull(node.replica(GroupIds.control()));
    }

    private static List<String> known(RaftNode node) {
        return replica(node).members().names().stream().sorted().toList();
    }

    private static AppendResult resultOf(CompletableFuture<AppendEntriesReplyProto> answer)
            throws Exception {
        return answer.get(30, TimeUnit.SECONDS).getResult();
    }

    private static void confirmed(
            FakeLeader leader, long term, TermIndex previous, long commit, LogEntryProto... entries)
            throws Exception {
        assertThat(resultOf(leader.append(term, previous, commit, entries)))
                .isEqualTo(AppendResult.SUCCESS);
    }

    /** docs/ratis.md, 1. */
    @Test
    void aLeaderWhoseFollowersAreSilentAnswersAReadIndex() throws Exception {
        FakeFollower one =
                started(new FakeFollower(three.get(1), three.get(0), GroupIds.control()));
        FakeFollower other =
                started(new FakeFollower(three.get(2), three.get(0), GroupIds.control()));
        RaftNode node = node(TestNodes.PATIENT);
        TestNodes.await(() -> replica(node).log().leads());
        replica(node).log().submit(SumState.entry(1)).get(30, TimeUnit.SECONDS);
        for (int i = 0; i < 3; i++) {
            one.readIndex().get(30, TimeUnit.SECONDS);
        }
        one.fallSilent();
        other.fallSilent();
        assertThat(one.readIndex().get(30, TimeUnit.SECONDS).getServerReply().getSuccess())
                .isTrue();
    }

    /** docs/ratis.md, 2. */
    @Test
    void whatANewLeaderHasBeenConfirmedIsReplacedByTheOneBefore() throws Exception {
        FakeLeader older = leader(1);
        FakeLeader newer = leader(2);
        RaftNode node = node(TwoLeadersTest.NO_ELECTIONS);
        confirmed(older, 1, NONE, -1, members(1, 0, three), number(1, 1, 100));
        older.handOver(FIRST).get(30, TimeUnit.SECONDS);
        List<FakeLeader.Candidate> candidacy = List.of(older.candidate(), newer.candidate());
        CompletableFuture<AppendEntriesReplyProto> old =
                older.append(3, FIRST, -1, number(3, 2, 10));
        TestNodes.await(() -> replica(node).term() == 3);
        assertThat(resultOf(newer.append(4, FIRST, -1, number(4, 2, 20))))
                .isEqualTo(AppendResult.SUCCESS);
        candidacy.forEach(FakeLeader.Candidate::turnAway);
        resultOf(old);
        assertThat(resultOf(newer.append(4, TermIndex.valueOf(4, 2), 2)))
                .as("the entry that was confirmed is not there any more")
                .isEqualTo(AppendResult.INCONSISTENCY);
    }

    /** docs/ratis.md, 3. */
    @Test
    void whatIsInMemoryInAnotherOnesPlaceIsConfirmed() throws Exception {
        FakeLeader older = leader(1);
        FakeLeader newer = leader(2);
        RaftNode node = node(TwoLeadersTest.NO_ELECTIONS);
        confirmed(older, 1, NONE, -1, entries(1, 0, 10));
        gate.shut = true;
        int begun = gate.begun.get();
        older.append(1, TermIndex.valueOf(1, 10), -1, entries(1, 11, 11));
        TestNodes.await(() -> gate.begun.get() == begun + 1);
        TermIndex common = TermIndex.valueOf(1, 0);
        newer.append(2, common, -1, entries(2, 1, 3));
        TestNodes.await(
                () ->
                        TermIndex.valueOf(2, 3)
                                .equals(
                                        replica(node)
                                                .division()
                                                .getRaftLog()
                                                .getLastEntryTermIndex()));
        // It comes twice, and none of it is even written. Ratis refuses it while it takes it in.
        AtomicReference<AppendResult> again = new AtomicReference<>();
        TestNodes.await(
                () -> {
                    newer.append(2, common, -1, entries(2, 1, 3))
                            .orTimeout(30, TimeUnit.SECONDS)
                            .handle((answer, busy) -> busy == null ? answer.getResult() : null)
                            .thenAccept(again::set)
                            .join();
                    return again.get() != null;
                });
        assertThat(again.get()).isEqualTo(AppendResult.SUCCESS);
        assertThat(gate.begun.get()).isEqualTo(begun + 1);
    }

    private static LogEntryProto[] entries(long term, long from, long to) {
        return LongStream.rangeClosed(from, to)
                .mapToObj(index -> LogProtoUtils.toLogEntryProto(-1, term, index))
                .toArray(LogEntryProto[]::new);
    }

    /** docs/ratis.md, 4. */
    @Test
    void aListOfMembersInPlaceOfOtherEntriesIsForgotten() throws Exception {
        FakeLeader older = leader(1);
        FakeLeader newer = leader(2);
        RaftNode node = node(TwoLeadersTest.NO_ELECTIONS);
        confirmed(older, 1, NONE, -1, members(1, 0, three), number(1, 1, 1), number(1, 2, 1));
        confirmed(newer, 2, TermIndex.valueOf(1, 0), -1, members(2, 1, four));
        assertThat(known(node)).containsExactly("n0", "n1", "n2");
    }

    /** docs/ratis.md, 15. */
    @Test
    void aMemberThatHasHeardNoLeaderSinceItsListDoesNotVote() throws Exception {
        FakeLeader leader = leader(1);
        FakeLeader candidate = leader(2);
        RaftNode node = node(TwoLeadersTest.NO_ELECTIONS, List.of());
        assertThat(
                        resultOf(
                                leader.appendToNewcomer(
                                        1,
                                        NONE,
                                        -1,
                                        members(1, 0, three.subList(1, 3)),
                                        change(1, 1, three.subList(1, 3), three))))
                .isEqualTo(AppendResult.SUCCESS);
        assertThat(known(node)).containsExactly("n0", "n1", "n2");
        assertThat(candidate.askForVote(2, TermIndex.valueOf(1, 1)))
                .failsWithin(30, TimeUnit.SECONDS);
    }

    /** docs/ratis.md, 5. */
    @Test
    void aRefusedPieceOfASnapshotBringsAnOldList() throws Exception {
        FakeLeader older = leader(1);
        FakeLeader newer = leader(2);
        RaftNode node = node(TwoLeadersTest.NO_ELECTIONS);
        confirmed(older, 1, NONE, -1, members(1, 0, three), number(1, 1, 100));
        confirmed(newer, 2, FIRST, 1, members(2, 2, four));
        assertThat(known(node)).containsExactly("n0", "n1", "n2", "n3");
        FakeLeader.Pieces snapshot = older.snapshot();
        snapshot.send(1, 0, FIRST, members(1, 0, three));
        snapshot.end();
        assertThat(known(node)).containsExactly("n0", "n1", "n2");
    }

    /** docs/ratis.md, 6. */
    @Test
    void aBlankServerIsTakenForTheMemberAtWhoseAddressItIs() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.bare = true;
            nodes.start(0);
            nodes.start(1);
            nodes.start(2, "n2#2", List.of(), (where, bug) -> {});
            nodes.add(GroupIds.control(), 1);
            int leader = nodes.leader(GroupIds.control());
            TestNodes.await(() -> nodes.replica(2, GroupIds.control()).raft().term() > 0);
            nodes.stop(1 - leader);
            nodes.add(GroupIds.control(), 2);
        }
    }

    /** docs/ratis.md, 7. */
    @Test
    void aReplicaWhoseVoteIsLostDoesNotStart() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.start(0);
            nodes.addGroupEverywhere();
            nodes.add(GROUP, 5);
            nodes.stop(0);
            Files.write(group(nodes).resolve("current").resolve("raft-meta"), new byte[0]);
            nodes.bare = true;
            assertThatThrownBy(() -> nodes.start(0)).isInstanceOf(RaftStartException.class);
        }
    }

    private static Path group(TestNodes nodes) {
        return RaftSettings.storage(nodes.data(0)).resolve(GROUP.toString());
    }

    /** docs/ratis.md, 7. */
    @Test
    void aTermThatCouldNotBeWrittenIsConfirmedAllTheSame() throws Exception {
        FakeLeader older = leader(1);
        FakeLeader newer = leader(2);
        RaftNode node = node(TwoLeadersTest.NO_ELECTIONS);
        confirmed(older, 1, NONE, -1, members(1, 0, three), number(1, 1, 100));
        Path current =
                RaftSettings.storage(root)
                        .resolve(GroupIds.control().toString())
                        .resolve("current");
        Files.createDirectory(current.resolve("raft-meta.tmp"));
        assertThat(newer.append(2, FIRST, 1, number(2, 2, 20))).failsWithin(30, TimeUnit.SECONDS);
        confirmed(newer, 2, FIRST, 1, number(2, 2, 20));
        assertThat(replica(node).term()).isEqualTo(2);
        assertThat(current.resolve("raft-meta")).content().contains("term=1");
    }

    /** docs/ratis.md, 8. */
    @Test
    void membersThatCannotBeWrittenOrReadAreNoError() throws Exception {
        RaftStorageImpl storage =
                started(
                        StorageImplUtils.newRaftStorage(
                                root.resolve("group").toFile(),
                                SizeInBytes.ZERO,
                                RaftStorage.StartupOption.FORMAT,
                                RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION));
        storage.initialize();
        storage.writeRaftConfiguration(members(1, 0, three));
        Path file = root.resolve("group").resolve("current").resolve("raft-meta.conf");
        byte[] before = Files.readAllBytes(file);
        Files.createDirectory(file.resolveSibling("raft-meta.conf.tmp"));
        storage.writeRaftConfiguration(members(1, 1, four));
        assertThat(file).hasBinaryContent(before);
        Files.writeString(file, "no members");
        assertThat(storage.readRaftConfiguration()).isNull();
    }

    /** docs/ratis.md, 10. */
    @Test
    void aLeaderWhoseTransferHasFailedAtOnceTakesNoEntries() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.bare = true;
            nodes.start(0);
            nodes.addGroupEverywhere();
            nodes.add(GROUP, 5);
            FailedTransfer.start(nodes.replica(0, GROUP));
            assertThatThrownBy(() -> nodes.submitTo(0, GROUP, SumState.entry(1)))
                    .hasRootCauseInstanceOf(LeaderSteppingDownException.class);
        }
    }

    /** docs/ratis.md, 13: what waits there for another thread of Ratis may wait without end. */
    @Test
    void openEntriesAreAnsweredUnderTheLockOfTheServerThatStepsDown() throws Exception {
        List<FakeFollower> followers = followers();
        RaftNode node = node(TestNodes.FAST);
        // After a pause it does not lead, and an entry is refused by the thread that brings it.
        TestNodes.await(() -> anOpenEntryIsAnsweredUnderTheLock(node, followers));
    }

    private static boolean anOpenEntryIsAnsweredUnderTheLock(
            RaftNode node, List<FakeFollower> followers) {
        followers.forEach(FakeFollower::speakAgain);
        TestNodes.await(() -> replica(node).log().leads());
        boolean confirmed =
                replica(node)
                        .log()
                        .submit(SumState.entry(1))
                        .handle((done, why) -> why == null)
                        .orTimeout(30, TimeUnit.SECONDS)
                        .join();
        if (!confirmed) {
            return false;
        }
        followers.forEach(FakeFollower::fallSilent);
        return replica(node)
                .log()
                .submit(SumState.entry(2))
                .handle((done, why) -> Thread.holdsLock(replica(node).division()))
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    private List<FakeFollower> followers() throws Exception {
        return List.of(
                started(new FakeFollower(three.get(1), three.get(0), GroupIds.control())),
                started(new FakeFollower(three.get(2), three.get(0), GroupIds.control())));
    }

    /** docs/ratis.md, 14. */
    @Test
    void anAnswerThatIsLostWithItsConnectionIsNeverAskedForAgain() throws Exception {
        List<FakeFollower> followers = followers();
        followers.forEach(FakeFollower::loseFirstAnswers);
        RaftNode node = node(TestNodes.FAST);
        TestNodes.await(
                () ->
                        replica(node).division().getInfo().isLeader()
                                && followers.stream().allMatch(f -> f.heartbeatsSinceLoss() >= 10));
        assertThat(replica(node).division().getInfo().isLeaderReady())
                .as("both have its first entry, and confirm all that they are asked")
                .isFalse();
    }

    /** docs/ratis.md, 12. */
    @Test
    void aLogThatWasCutShortIsTakenForWhole() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.start(0);
            nodes.addGroupEverywhere();
            for (int i = 0; i < 40; i++) {
                nodes.add(GROUP, 1);
            }
            nodes.stop(0);
            // As if nobody had written down how far it was committed.
            Files.deleteIfExists(group(nodes).resolve(LogMark.NAME));
            try (Stream<Path> files = Files.list(group(nodes).resolve("current"))) {
                Path open =
                        files.filter(f -> f.getFileName().toString().startsWith("log_inprogress_"))
                                .findFirst()
                                .orElseThrow();
                try (FileChannel channel = FileChannel.open(open, StandardOpenOption.WRITE)) {
                    channel.truncate(channel.size() / 2);
                }
            }
            nodes.start(0);
            assertThat(nodes.add(GROUP, 1)).isLessThan(41);
        }
    }
}
