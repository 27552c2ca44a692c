package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.idregistry.raft.LogEntries.members;
import static photon.idregistry.raft.LogEntries.number;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotResult;
import org.apache.ratis.server.protocol.TermIndex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A follower that has heard a newer leader, when the older one speaks again. */
@Timeout(300)
class LateLeaderTest {
    private static final TermIndex NONE = TermIndex.valueOf(0, -1);

    @TempDir Path root;
    private final Queue<String> bugs = new ConcurrentLinkedQueue<>();
    private final List<RaftMember> three =
            List.of(
                    new RaftMember("n0", FreePorts.next()),
                    new RaftMember("n1", FreePorts.next()),
                    new RaftMember("n2", FreePorts.next()));
    private final List<RaftMember> four = new ArrayList<>(three);
    private RaftNode node;
    private FakeLeader older;
    private FakeLeader newer;

    /** The follower has two entries of term 1. */
    @BeforeEach
    void start() throws Exception {
        four.add(new RaftMember("n3", FreePorts.next()));
        run();
        assertThat(resultOf(older.append(1, NONE, -1, members(1, 0, three), number(1, 1, 100))))
                .isEqualTo(AppendResult.SUCCESS);
    }

    @AfterEach
    void stop() {
        end();
        assertThat(bugs).isEmpty();
    }

    private void run() throws Exception {
        node =
                RaftNode.start(
                        new RaftNode.Config(
                                "n0",
                                three.get(0).address(),
                                root,
                                TwoLeadersTest.NO_ELECTIONS,
                                three,
                                SumState::new,
                                group -> new SumState(),
                                Optional.empty()),
                        (where, bug) -> bugs.add(where + ": " + bug.getMessage()),
                        () -> {});
        older = new FakeLeader(three.get(1), three.get(0), GroupIds.control());
        newer = new FakeLeader(three.get(2), three.get(0), GroupIds.control());
    }

    private void end() {
        node.close();
        older.close();
        newer.close();
    }

    private Path file(String name) {
        return RaftSettings.storage(root)
                .resolve(GroupIds.control().toString())
                .resolve("current")
                .resolve(name);
    }

    private Replica follower() {
        return java.util.Objects.requireNonNull(node.replica(GroupIds.control()));
    }

    private List<String> memberNames() {
        return follower().members().names().stream().sorted().toList();
    }

    private static AppendResult resultOf(CompletableFuture<AppendEntriesReplyProto> answer)
            throws Exception {
        return answer.get(30, TimeUnit.SECONDS).getResult();
    }

    /** Of the first piece of a snapshot with the three members. */
    private InstallSnapshotReplyProto answerTo(FakeLeader leader, long term) throws Exception {
        FakeLeader.Pieces snapshot = leader.snapshot();
        InstallSnapshotReplyProto answer =
                snapshot.send(term, 0, TermIndex.valueOf(1, 1), members(1, 0, three));
        snapshot.end();
        return answer;
    }

    /** The newer leader's first entry: a list with one more, which is committed and applied. */
    private void newerLeaderAddsOne() throws Exception {
        assertThat(resultOf(newer.append(2, TermIndex.valueOf(1, 1), 1, members(2, 2, four))))
                .isEqualTo(AppendResult.SUCCESS);
        assertThat(resultOf(newer.append(2, TermIndex.valueOf(2, 2), 2)))
                .isEqualTo(AppendResult.SUCCESS);
        TestNodes.await(() -> follower().stats().appliedIndex() == 2);
        assertThat(memberNames()).containsExactly("n0", "n1", "n2", "n3");
    }

    @Test
    void itsPieceOfASnapshotBringsNoOlderMembers() throws Exception {
        newerLeaderAddsOne();
        byte[] written = Files.readAllBytes(file("raft-meta.conf"));

        InstallSnapshotReplyProto answer = answerTo(older, 1);
        assertThat(answer.getResult()).isEqualTo(InstallSnapshotResult.NOT_LEADER);
        assertThat(answer.getTerm()).isEqualTo(2);
        assertThat(memberNames()).containsExactly("n0", "n1", "n2", "n3");
        assertThat(file("raft-meta.conf")).hasBinaryContent(written);
    }

    @Test
    @Tag("slow")
    void norDoesOneBehindAPieceThatWasTakenWhenItStillLed() throws Exception {
        FakeLeader.Pieces snapshot = older.snapshot();
        TermIndex last = TermIndex.valueOf(1, 900);
        assertThat(snapshot.send(1, 0, last, members(1, 0, three)).getResult())
                .isEqualTo(InstallSnapshotResult.SUCCESS);
        newerLeaderAddsOne();
        for (int piece = 1; piece <= 2; piece++) {
            InstallSnapshotReplyProto answer = snapshot.send(1, piece, last, members(1, 0, three));
            assertThat(answer.getResult()).isEqualTo(InstallSnapshotResult.NOT_LEADER);
            assertThat(answer.getRequestIndex()).isEqualTo(piece);
        }
        snapshot.end();
        assertThat(memberNames()).containsExactly("n0", "n1", "n2", "n3");
    }

    @Test
    @Tag("slow")
    void norDoesOneThatItStampedWithTheTermInWhichItWasVotedOut() throws Exception {
        newerLeaderAddsOne();
        assertThat(answerTo(older, 2).getResult()).isEqualTo(InstallSnapshotResult.NOT_LEADER);
        assertThat(memberNames()).containsExactly("n0", "n1", "n2", "n3");
    }

    @Test
    @Tag("slow")
    void norDoesOneThatTheNewerLeaderSentBeforeItsEntry() throws Exception {
        newerLeaderAddsOne();
        assertThat(answerTo(newer, 2).getResult()).isEqualTo(InstallSnapshotResult.NOT_LEADER);
        assertThat(memberNames()).containsExactly("n0", "n1", "n2", "n3");
    }

    /** What this one has beyond it is of nobody who leads, and is to be cut off. */
    @Test
    void aLeaderThatIsNewerStillBringsItsMembersAlsoIfTheyAreOlder() throws Exception {
        newerLeaderAddsOne();
        assertThat(answerTo(older, 3).getResult())
                .isEqualTo(InstallSnapshotResult.ALREADY_INSTALLED);
        assertThat(memberNames()).containsExactly("n0", "n1", "n2");
    }

    /** Ratis raises the term in memory, cannot write it, and does not come back to it. */
    @Test
    @Tag("slow")
    void isNotHeardAfterARestartAlsoIfTheNewerTermCouldNotBeWritten() throws Exception {
        Path aside = file("raft-meta.tmp");
        Files.createDirectory(aside);
        TermIndex first = TermIndex.valueOf(1, 1);
        assertThat(newer.append(2, first, 1, number(2, 2, 20))).failsWithin(30, TimeUnit.SECONDS);
        assertThat(resultOf(newer.append(2, first, 1, number(2, 2, 20))))
                .isEqualTo(AppendResult.SUCCESS);
        Files.delete(aside);
        end();
        assertThat(file("raft-meta")).content().contains("term=1");

        run();
        assertThat(resultOf(older.append(1, first, 1, number(1, 2, 10))))
                .isEqualTo(AppendResult.NOT_LEADER);
        assertThat(resultOf(newer.append(2, TermIndex.valueOf(2, 2), 2)))
                .as("the entry that was confirmed is there")
                .isEqualTo(AppendResult.SUCCESS);
        TestNodes.await(() -> follower().stats().appliedIndex() == 2);
        assertThat((long) follower().read(state -> ((SumState) state).sum())).isEqualTo(120);
    }
}
