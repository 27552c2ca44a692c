package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is read behind a barrier is no older than its beginning: a leader may have been voted out
 * and not know it yet, and then others have committed what it has not.
 */
@Timeout(300)
class ReadBarrierTest {
    @TempDir Path root;
    private final Queue<String> bugs = new ConcurrentLinkedQueue<>();
    private final List<RaftMember> members =
            List.of(
                    new RaftMember("n0", FreePorts.next()),
                    new RaftMember("n1", FreePorts.next()),
                    new RaftMember("n2", FreePorts.next()));
    private @Nullable RaftNode node;
    private FakeFollower one;
    private FakeFollower other;

    @BeforeEach
    void startFollowers() throws Exception {
        one = new FakeFollower(members.get(1), members.get(0), GroupIds.control());
        other = new FakeFollower(members.get(2), members.get(0), GroupIds.control());
    }

    private void startLeader(RaftTuning tuning) {
        node =
                RaftNode.start(
                        new RaftNode.Config(
                                "n0",
                                members.get(0).address(),
                                root,
                                tuning,
                                members,
                                SumState::new,
                                group -> new SumState(),
                                Optional.empty()),
                        (where, bug) -> bugs.add(where + ": " + bug.getMessage()),
                        () -> {});
        TestNodes.await(() -> replica().log().leads());
    }

    @AfterEach
    void stop() {
        if (node != null) {
            node.close();
        }
        one.close();
        other.close();
        assertThat(bugs).isEmpty();
    }

    private Replica replica() {
        RaftNode leader = Objects.requireNonNull(node);
        return Objects.requireNonNull(leader.replica(GroupIds.control()));
    }

    /** All that was committed is known to be confirmed: Ratis' own ReadIndex asks nobody then. */
    private void nothingIsUnderWay() throws Exception {
        for (int i = 0; i < 3; i++) {
            replica().readBarrier().get(30, TimeUnit.SECONDS);
            assertThat(one.readIndex().get(30, TimeUnit.SECONDS).getServerReply().getSuccess())
                    .isTrue();
        }
        TestNodes.await(
                () -> {
                    ReplicaStats now = replica().stats();
                    return now.committedIndex() == now.appliedIndex();
                });
    }

    /** False if it has stepped down meanwhile, as after a pause: it is asked again then. */
    private boolean leadsWithNothingUnderWay() {
        try {
            replica().log().submit(SumState.entry(1)).get(30, TimeUnit.SECONDS);
            nothingIsUnderWay();
            return true;
        } catch (Exception | AssertionError steppedDown) {
            return false;
        }
    }

    private void theOthersFallSilent() {
        one.fallSilent();
        other.fallSilent();
    }

    /** It waits, or has been told by now that nobody knows. */
    private static void assertThatNothingIsSure(CompletableFuture<?> answer) {
        assertThatThrownBy(() -> answer.get(1, TimeUnit.SECONDS))
                .isInstanceOfAny(TimeoutException.class, ExecutionException.class);
    }

    @Test
    void aLeaderThatNobodyConfirmsIsNotSureOfWhatItHas() throws Exception {
        startLeader(TestNodes.PATIENT);
        replica().log().submit(SumState.entry(1)).get(30, TimeUnit.SECONDS);
        nothingIsUnderWay();
        theOthersFallSilent();
        assertThatNothingIsSure(replica().readBarrier());
    }

    @Test
    @Tag("slow")
    void whoeverFollowsALeaderThatNobodyConfirmsIsNotSureEither() throws Exception {
        startLeader(TestNodes.FAST);
        TestNodes.await(this::leadsWithNothingUnderWay);
        theOthersFallSilent();
        assertThatNothingIsSure(one.readIndex());
        TestNodes.await(() -> !replica().log().leads());
        assertThatNothingIsSure(one.readIndex());
        assertThatNothingIsSure(replica().readBarrier());
    }

    @Test
    void aFollowerIsToldToWaitForAllThatWasCommittedBefore() throws Exception {
        startLeader(TestNodes.PATIENT);
        for (int i = 0; i < 5; i++) {
            replica().log().submit(SumState.entry(1)).get(30, TimeUnit.SECONDS);
            long committed = replica().stats().committedIndex();
            var answer = one.readIndex().get(30, TimeUnit.SECONDS);
            assertThat(answer.getServerReply().getSuccess()).isTrue();
            assertThat(answer.getReadIndex()).isGreaterThanOrEqualTo(committed);
            assertThat(replica().stats().appliedIndex())
                    .as("it is in the log, and committed")
                    .isGreaterThanOrEqualTo(answer.getReadIndex());
        }
    }

    /** Else a log to which only readers append would never be purged. */
    @Test
    @Tag("slow")
    void aBarrierChangesNoStateAndCountsForTheNextSnapshot() throws Exception {
        startLeader(TestNodes.PATIENT);
        replica().log().submit(SumState.entry(5)).get(30, TimeUnit.SECONDS);
        long before = replica().carrier().appliedBytes();
        for (int i = 0; i < 10; i++) {
            replica().readBarrier().get(30, TimeUnit.SECONDS);
        }
        assertThat(replica().carrier().appliedBytes()).isGreaterThan(before + 9 * 64);
        assertThat((long) replica().read(state -> ((SumState) state).entries())).isEqualTo(1);
    }
}
