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

/** A follower goes by the last list of members in its log, however that got there. */
@Timeout(300)
class LoggedMembersTest {
    private static final TermIndex NONE = TermIndex.valueOf(0, -1);

    @TempDir Path root;
    private final Queue<String> bugs = new ConcurrentLinkedQueue<>();
    private final List<RaftMember> five =
            List.of(
                    new RaftMember("n0", FreePorts.next()),
                    new RaftMember("n1", FreePorts.next()),
                    new RaftMember("n2", FreePorts.next()),
                    new RaftMember("n3", FreePorts.next()),
                    new RaftMember("n4", FreePorts.next()));
    private RaftNode node;
    private FakeLeader older;
    private FakeLeader newer;

    /** The log holds its first members, and two entries that nobody else has. */
    @BeforeEach
    void start() throws Exception {
        node =
                RaftNode.start(
                        new RaftNode.Config(
                                "n0",
                                five.get(0).address(),
                                root,
                                TwoLeadersTest.NO_ELECTIONS,
                                first(3),
                                SumState::new,
                                group -> new SumState(),
                                Optional.empty()),
                        (where, bug) -> bugs.add(where + ": " + bug.getMessage()),
                        () -> {});
        older = new FakeLeader(five.get(1), five.get(0), GroupIds.control());
        newer = new FakeLeader(five.get(2), five.get(0), GroupIds.control());
        confirmed(older, 1, NONE, members(1, 0, first(3)), number(1, 1, 100), number(1, 2, 200));
        assertThat(known()).containsExactlyInAnyOrder("n0", "n1", "n2");
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

    private List<RaftMember> first(int count) {
        return five.subList(0, count);
    }

    private List<String> known() {
        return follower().members().names();
    }

    private static void confirmed(
            FakeLeader leader, long term, TermIndex previous, LogEntryProto... entries)
            throws Exception {
        assertThat(leader.append(term, previous, -1, entries).get(30, TimeUnit.SECONDS).getResult())
                .isEqualTo(AppendResult.SUCCESS);
    }

    @Test
    void membersThatComeInPlaceOfOtherEntriesAreKnown() throws Exception {
        confirmed(
                newer,
                2,
                TermIndex.valueOf(1, 0),
                members(2, 1, first(3)),
                change(2, 2, first(3), first(4)),
                members(2, 3, first(4)),
                change(2, 4, first(4), first(5)),
                members(2, 5, first(5)));
        assertThat(known()).containsExactlyInAnyOrder("n0", "n1", "n2", "n3", "n4");
        assertThat(follower().members().stable()).isTrue();
    }

    @Test
    @Tag("slow")
    void membersBehindEntriesThatAreSentAgainAreKnownStill() throws Exception {
        confirmed(newer, 2, TermIndex.valueOf(1, 2), number(2, 3, 1));
        confirmed(
                newer,
                2,
                TermIndex.valueOf(2, 3),
                change(2, 4, first(3), first(4)),
                number(2, 5, 1));
        assertThat(known()).contains("n3");
        confirmed(newer, 2, TermIndex.valueOf(2, 5), members(2, 6, first(4)));
        confirmed(newer, 2, TermIndex.valueOf(1, 2), number(2, 3, 1));
        assertThat(known()).containsExactlyInAnyOrder("n0", "n1", "n2", "n3");
        assertThat(follower().members().stable()).isTrue();
    }

    @Test
    @Tag("slow")
    void membersThatWereSentAgainAndAreCutAreForgotten() throws Exception {
        confirmed(newer, 2, TermIndex.valueOf(1, 2), number(2, 3, 1));
        confirmed(
                newer,
                2,
                TermIndex.valueOf(2, 3),
                change(2, 4, first(3), first(4)),
                number(2, 5, 1),
                members(2, 6, first(4)));
        confirmed(newer, 2, TermIndex.valueOf(1, 2), number(2, 3, 1));
        confirmed(older, 3, TermIndex.valueOf(2, 5), number(3, 6, 1));
        assertThat(known()).contains("n3");
        assertThat(follower().members().stable()).as("both lists are asked").isFalse();
        confirmed(older, 3, TermIndex.valueOf(2, 3), number(3, 4, 1));
        assertThat(known()).containsExactlyInAnyOrder("n0", "n1", "n2");
    }
}
