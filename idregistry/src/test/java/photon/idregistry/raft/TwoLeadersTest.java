package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.idregistry.raft.LogEntries.number;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.server.protocol.TermIndex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A follower whose log two leaders write, the older of whom has passed the check of its term. It
 * was a candidate just now: so Ratis lets the entries wait, behind the check, until that candidacy
 * has ended, for as long as another member does not answer it.
 */
@Timeout(300)
class TwoLeadersTest {
    private static final TermIndex NONE = TermIndex.valueOf(0, -1);

    /** Nobody stands for election by himself. */
    static final RaftTuning NO_ELECTIONS =
            new RaftTuning(
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(2),
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(2),
                    RaftTuning.LAN.segmentBytes(),
                    RaftTuning.LAN.entriesKept(),
                    RaftTuning.LAN.snapshotLogBytes(),
                    RaftTuning.LAN.snapshotEvery(),
                    RaftTuning.LAN.snapshotBytesPerSecond(),
                    RaftTuning.LAN.flowWindowBytes(),
                    RaftTuning.LAN.appendsInFlight());

    @TempDir Path root;
    private final Queue<String> bugs = new ConcurrentLinkedQueue<>();
    private final List<RaftMember> members =
            List.of(
                    new RaftMember("n0", FreePorts.next()),
                    new RaftMember("n1", FreePorts.next()),
                    new RaftMember("n2", FreePorts.next()));
    private RaftNode node;
    private FakeLeader older;
    private FakeLeader newer;
    private List<FakeLeader.Candidate> candidacy;

    /** The follower has two entries of term 1, and stands as a candidate in term 2. */
    @BeforeEach
    void start() throws Exception {
        node =
                RaftNode.start(
                        new RaftNode.Config(
                                "n0",
                                members.get(0).address(),
                                root,
                                NO_ELECTIONS,
                                members,
                                SumState::new,
                                group -> new SumState(),
                                Optional.empty()),
                        (where, bug) -> bugs.add(where + ": " + bug.getMessage()),
                        () -> {});
        older = new FakeLeader(members.get(1), members.get(0), GroupIds.control());
        newer = new FakeLeader(members.get(2), members.get(0), GroupIds.control());
        assertThat(
                        older.append(
                                        1,
                                        NONE,
                                        -1,
                                        LogEntries.members(1, 0, members),
                                        number(1, 1, 100))
                                .get(30, TimeUnit.SECONDS)
                                .getResult())
                .isEqualTo(AppendResult.SUCCESS);
        assertThat(
                        older.handOver(TermIndex.valueOf(1, 1))
                                .get(30, TimeUnit.SECONDS)
                                .getServerReply()
                                .getSuccess())
                .isTrue();
        candidacy = List.of(older.candidate(), newer.candidate());
        assertThat(follower().term()).isEqualTo(2);
    }

    @AfterEach
    void stop() {
        node.close();
        older.close();
        newer.close();
        assertThat(bugs).isEmpty();
    }

    private Replica follower() {
        return java.util.Objects.requireNonNull(node.replica(GroupIds.control()));
    }

    /** Its term is checked, and it is not in the log yet. */
    private CompletableFuture<AppendEntriesReplyProto> appendsOfTheOlder(
            TermIndex previous, LogEntryProto entry) {
        CompletableFuture<AppendEntriesReplyProto> answer = older.append(3, previous, -1, entry);
        TestNodes.await(() -> follower().term() == 3);
        assertThat(answer).isNotDone();
        return answer;
    }

    /** What the newer one does comes to its end before what the older one does, if it may. */
    private void endOfTheCandidacyBehind(CompletableFuture<?> newerOnes) throws Exception {
        try {
            newerOnes.get(1, TimeUnit.SECONDS);
        } catch (TimeoutException waits) {
            assertThat(newerOnes).isNotDone();
        }
        candidacy.forEach(FakeLeader.Candidate::turnAway);
    }

    private static AppendResult resultOf(CompletableFuture<AppendEntriesReplyProto> answer)
            throws Exception {
        return answer.get(30, TimeUnit.SECONDS).getResult();
    }

    @Test
    void whatANewLeaderHasBeenConfirmedIsNotReplacedByEntriesOfTheOneBefore() throws Exception {
        TermIndex first = TermIndex.valueOf(1, 1);
        CompletableFuture<AppendEntriesReplyProto> old = appendsOfTheOlder(first, number(3, 2, 10));
        CompletableFuture<AppendEntriesReplyProto> confirmed =
                newer.append(4, first, -1, number(4, 2, 20));
        endOfTheCandidacyBehind(confirmed);
        assertThat(resultOf(old)).isEqualTo(AppendResult.SUCCESS);
        assertThat(resultOf(confirmed)).isEqualTo(AppendResult.SUCCESS);

        assertThat(resultOf(newer.append(4, TermIndex.valueOf(4, 2), 2)))
                .as("the entry that was confirmed is there")
                .isEqualTo(AppendResult.SUCCESS);
        TestNodes.await(() -> follower().stats().appliedIndex() == 2);
        assertThat((long) follower().read(state -> ((SumState) state).sum())).isEqualTo(120);
    }

    @Test
    @Tag("slow")
    void nothingIsConfirmedBehindAVoteForOneWhoHasItNot() throws Exception {
        TermIndex first = TermIndex.valueOf(1, 1);
        CompletableFuture<AppendEntriesReplyProto> old = appendsOfTheOlder(first, number(3, 2, 10));
        CompletableFuture<RequestVoteReplyProto> vote = newer.askForVote(4, first);
        endOfTheCandidacyBehind(vote);
        // With the older leader's own copy that is a majority of three.
        assertThat(resultOf(old)).isEqualTo(AppendResult.SUCCESS);
        assertThat(vote.get(30, TimeUnit.SECONDS).getServerReply().getSuccess()).isFalse();
    }

    @Test
    @Tag("slow")
    void whatAHeartbeatCommitsIsNotReplacedByEntriesOfTheOneBefore() throws Exception {
        // The older one never had the entry at 1; the newer one has committed it with others.
        CompletableFuture<AppendEntriesReplyProto> old =
                appendsOfTheOlder(TermIndex.valueOf(1, 0), number(3, 1, 10));
        CompletableFuture<AppendEntriesReplyProto> heartbeat =
                newer.append(4, TermIndex.valueOf(1, 1), 1);
        endOfTheCandidacyBehind(heartbeat);
        assertThat(resultOf(old)).isEqualTo(AppendResult.SUCCESS);
        assertThat(resultOf(heartbeat))
                .as("it speaks of an entry that is not there any more")
                .isEqualTo(AppendResult.INCONSISTENCY);
        assertThat(follower().stats().appliedIndex()).isLessThan(1);
    }
}
