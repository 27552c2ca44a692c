package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.LogProtoUtils;
import org.apache.ratis.server.raftlog.RaftLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.idregistry.raft.snapshot.SnapshotDisk;

/**
 * A follower with entries of a leader that nobody else has, on its disk, and what the next leader
 * puts in their place, in memory: its disk is as slow as a test wants.
 */
@Timeout(300)
class FlushedFollowerTest {
    private static final TermIndex NONE = TermIndex.valueOf(0, -1);
    private static final TermIndex COMMON = TermIndex.valueOf(1, 0);

    @TempDir Path root;
    private final Queue<String> bugs = new ConcurrentLinkedQueue<>();
    private final SlowDisk disk = new SlowDisk();
    private final List<RaftMember> members =
            List.of(
                    new RaftMember("n0", FreePorts.next()),
                    new RaftMember("n1", FreePorts.next()),
                    new RaftMember("n2", FreePorts.next()));
    private RaftNode node;
    private FakeLeader older;
    private FakeLeader newer;

    /** The newer leader's, in the place of older ones; another one is behind it. */
    private CompletableFuture<AppendEntriesReplyProto> first;

    private CompletableFuture<AppendEntriesReplyProto> second;

    /** Holds the log's writer before it forces anything. */
    private static final class SlowDisk extends SnapshotDisk {
        private final AtomicInteger begun = new AtomicInteger();
        private final Semaphore forces = new Semaphore(0);
        private volatile boolean slow;

        @Override
        public void beforeLogIsForced() {
            begun.incrementAndGet();
            if (slow) {
                forces.acquireUninterruptibly();
            }
        }

        void goOn() {
            slow = false;
            forces.release();
        }
    }

    /**
     * Up to 10 the older leader's entries are on disk, the one at 11 is about to be; the cut behind
     * entry 0 waits for that, and what is in the place of the entries from 1 on waits for the cut.
     */
    @BeforeEach
    void start() throws Exception {
        node =
                RaftNode.start(
                        new RaftNode.Config(
                                "n0",
                                members.get(0).address(),
                                root,
                                TwoLeadersTest.NO_ELECTIONS,
                                members,
                                SumState::new,
                                group -> new SumState(),
                                Optional.empty()),
                        (where, bug) -> bugs.add(where + ": " + bug.getMessage()),
                        () -> {},
                        disk,
                        false);
        older = new FakeLeader(members.get(1), members.get(0), GroupIds.control());
        newer = new FakeLeader(members.get(2), members.get(0), GroupIds.control());
        Supplier<CompletableFuture<AppendEntriesReplyProto>> begins =
                () -> older.append(1, NONE, -1, entries(1, 0, 10));
        assertConfirmed(begins.get(), 10, begins);
        disk.slow = true;
        int begun = disk.begun.get();
        older.append(1, TermIndex.valueOf(1, 10), -1, entries(1, 11, 11));
        TestNodes.await(() -> disk.begun.get() == begun + 1);
        first = replaces();
        awaitInMemory(TermIndex.valueOf(2, 3));
        second = goesOn();
        awaitInMemory(TermIndex.valueOf(2, 5));
    }

    @AfterEach
    void stop() {
        disk.goOn();
        node.close();
        older.close();
        newer.close();
        assertThat(bugs).isEmpty();
    }

    private static LogEntryProto[] entries(long term, long from, long to) {
        return LongStream.rangeClosed(from, to)
                .mapToObj(index -> LogProtoUtils.toLogEntryProto(-1, term, index))
                .toArray(LogEntryProto[]::new);
    }

    private CompletableFuture<AppendEntriesReplyProto> replaces() {
        return newer.append(2, COMMON, -1, entries(2, 1, 3));
    }

    private CompletableFuture<AppendEntriesReplyProto> goesOn() {
        return newer.append(2, TermIndex.valueOf(2, 3), -1, entries(2, 4, 5));
    }

    private RaftLog log() {
        return java.util.Objects.requireNonNull(node.replica(GroupIds.control()))
                .division()
                .getRaftLog();
    }

    private void awaitInMemory(TermIndex last) {
        TestNodes.await(() -> last.equals(log().getLastEntryTermIndex()));
    }

    /** The writer has forced the older leader's last one, cut, and written all that there is. */
    private void allIsWrittenAndNotForced() {
        int begun = disk.begun.get();
        disk.forces.release();
        TestNodes.await(() -> disk.begun.get() == begun + 1);
        assertThat(log().getFlushIndex()).isEqualTo(COMMON.getIndex());
    }

    /**
     * Of a disk that is not slow any more.
     *
     * @param again asks once more, as its leader does: a pause of two seconds is a slow disk, too
     */
    private static void assertConfirmed(
            CompletableFuture<AppendEntriesReplyProto> answer,
            long index,
            Supplier<CompletableFuture<AppendEntriesReplyProto>> again)
            throws Exception {
        AppendEntriesReplyProto reply = answer.get(30, TimeUnit.SECONDS);
        for (int pauses = 0;
                reply.getResult() == AppendResult.INCONSISTENCY && pauses < 10;
                pauses++) {
            reply = again.get().get(30, TimeUnit.SECONDS);
        }
        assertThat(reply.getResult()).isEqualTo(AppendResult.SUCCESS);
        assertThat(reply.getMatchIndex()).isEqualTo(index);
    }

    /** It is not confirmed, and is to be sent again. */
    private static void assertRefused(CompletableFuture<AppendEntriesReplyProto> answer)
            throws Exception {
        AppendEntriesReplyProto reply = answer.get(30, TimeUnit.SECONDS);
        assertThat(reply.getResult()).isEqualTo(AppendResult.INCONSISTENCY);
        assertThat(reply.getMatchIndex()).isEqualTo(-1);
        assertThat(reply.getNextIndex()).isEqualTo(3);
    }

    @Test
    void whatIsWrittenInTheOldOnesPlaceIsNotConfirmedBeforeItIsOnDisk() throws Exception {
        allIsWrittenAndNotForced();
        assertRefused(first);
        assertThat(log().getFlushIndex()).isEqualTo(COMMON.getIndex());
        // Its leader asks again, of a disk that is as slow as before.
        assertRefused(replaces());
        assertThat(second).isNotDone();
        disk.goOn();
        assertConfirmed(second, 5, this::goesOn);
        assertConfirmed(replaces(), 3, this::replaces);
    }

    @Test
    @Tag("slow")
    void itIsConfirmedOnceItIs() throws Exception {
        allIsWrittenAndNotForced();
        disk.goOn();
        assertConfirmed(first, 3, this::replaces);
        assertConfirmed(second, 5, this::goesOn);
        assertThat(log().getFlushIndex()).isEqualTo(5);
    }

    @Test
    @Tag("slow")
    void whatComesTwiceIsNotConfirmedByTheFlushOfWhatIsToBeCut() throws Exception {
        assertThat(log().getFlushIndex()).as("of the older leader's").isEqualTo(10);
        assertRefused(replaces());
        assertThat(first).isNotDone();
        disk.goOn();
        assertConfirmed(first, 3, this::replaces);
        assertConfirmed(second, 5, this::goesOn);
        assertConfirmed(replaces(), 3, this::replaces);
    }
}
