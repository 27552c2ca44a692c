package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.idregistry.raft.LogEntries.change;
import static photon.idregistry.raft.LogEntries.members;
import static photon.idregistry.raft.LogEntries.number;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.protocol.TermIndex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that a leader takes in votes, also if that leader is gone before it has said so: of four
 * members, of which one is lost, a leader needs the votes of all others.
 */
@Timeout(300)
class NewcomerVoteTest {
    private static final TermIndex NONE = TermIndex.valueOf(0, -1);
    private static final TermIndex LAST = TermIndex.valueOf(1, 2);

    @TempDir Path root;
    private final Queue<String> bugs = new ConcurrentLinkedQueue<>();
    private final RaftMember newcomer = new RaftMember("n3", FreePorts.next());
    private final List<RaftMember> before =
            List.of(
                    new RaftMember("n0", FreePorts.next()),
                    new RaftMember("n1", FreePorts.next()),
                    new RaftMember("n2", FreePorts.next()));
    private final List<RaftMember> after =
            List.of(before.get(0), before.get(1), before.get(2), newcomer);
    private RaftNode node;
    private FakeLeader leader;
    private FakeLeader candidate;

    @BeforeEach
    void start() throws Exception {
        node = node();
        leader = new FakeLeader(before.get(0), newcomer, GroupIds.control());
        candidate = new FakeLeader(before.get(1), newcomer, GroupIds.control());
    }

    /** Of no members, as the group's leader expects of one that it is to take in. */
    private RaftNode node() {
        return RaftNode.start(
                new RaftNode.Config(
                        newcomer.name(),
                        newcomer.address(),
                        root,
                        TwoLeadersTest.NO_ELECTIONS,
                        List.of(),
                        SumState::new,
                        group -> new SumState(),
                        Optional.empty()),
                (where, bug) -> bugs.add(where + ": " + bug.getMessage()),
                () -> {});
    }

    @AfterEach
    void stop() {
        node.close();
        leader.close();
        candidate.close();
        assertThat(bugs).isEmpty();
    }

    private void confirmed(LogEntryProto... entries) throws Exception {
        assertThat(
                        leader.appendToNewcomer(1, NONE, -1, entries)
                                .get(30, TimeUnit.SECONDS)
                                .getResult())
                .isEqualTo(AppendResult.SUCCESS);
    }

    private void takenIn() throws Exception {
        confirmed(members(1, 0, before), number(1, 1, 100), change(1, 2, before, after));
    }

    private boolean granted(long term, TermIndex last) throws Exception {
        return candidate
                .askForVote(term, last)
                .get(30, TimeUnit.SECONDS)
                .getServerReply()
                .getSuccess();
    }

    @Test
    void oneThatWasTakenInVotesThoughItsLeaderIsGone() throws Exception {
        takenIn();
        assertThat(granted(2, LAST)).isTrue();
    }

    @Test
    @Tag("slow")
    void oneThatWasTakenInAndIsStartedAgainVotes() throws Exception {
        takenIn();
        node.close();
        node = node();
        assertThat(granted(2, LAST)).isTrue();
    }

    @Test
    @Tag("slow")
    void itVotesForNoneWhoseLogLacksWhatItHas() throws Exception {
        takenIn();
        node.close();
        node = node();
        assertThat(granted(2, TermIndex.valueOf(1, 1))).isFalse();
    }

    @Test
    @Tag("slow")
    void itVotesOnceATermAlsoAfterAStart() throws Exception {
        takenIn();
        assertThat(granted(2, LAST)).isTrue();
        node.close();
        node = node();
        FakeLeader other = leader;
        assertThat(
                        other.askForVote(2, LAST)
                                .get(30, TimeUnit.SECONDS)
                                .getServerReply()
                                .getSuccess())
                .isFalse();
    }

    /** It would take no message of its own term's leader before an election time-out has passed. */
    @Test
    @Tag("slow")
    void aCandidateOfAnOlderTermIsNotHeard() throws Exception {
        takenIn();
        node.close();
        node = node();
        assertThat(candidate.askForVote(0, LAST)).failsWithin(30, TimeUnit.SECONDS);
        assertThat(
                        leader.append(1, LAST, -1, number(1, 3, 100))
                                .get(30, TimeUnit.SECONDS)
                                .getResult())
                .isEqualTo(AppendResult.SUCCESS);
    }

    /** The list with it is in the logs of others, and its leader was gone before it had it. */
    @Test
    @Tag("slow")
    void oneThatHasNotHeardYetThatItIsAMemberVotes() throws Exception {
        confirmed(members(1, 0, before), number(1, 1, 100));
        assertThat(granted(2, LAST)).isTrue();
    }

    @Test
    void oneThatWasToldOfNoMembersDoesNotVote() {
        assertThat(candidate.askForVote(2, LAST)).failsWithin(30, TimeUnit.SECONDS);
    }
}
