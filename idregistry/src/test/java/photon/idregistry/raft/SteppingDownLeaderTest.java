package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ratis answers what a leader has not committed in the thread that steps down, which holds the
 * server's lock. Whatever calls Ratis from there waits for itself, and the replica for it, without
 * end.
 */
@Timeout(300)
class SteppingDownLeaderTest {
    /** The transfer waits half as long for what was submitted, so that it sees the step-down. */
    private static final long MILLIS_MAX = 240_000;

    @TempDir Path root;

    @Test
    void aTransferThatWaitsForAnEntryDoesNotStopTheReplicaThatStepsDown() throws Exception {
        Queue<String> bugs = new ConcurrentLinkedQueue<>();
        List<RaftMember> members =
                List.of(
                        new RaftMember("n0", FreePorts.next()),
                        new RaftMember("n1", FreePorts.next()),
                        new RaftMember("n2", FreePorts.next()));
        try (FakeFollower one =
                        new FakeFollower(members.get(1), members.get(0), GroupIds.control());
                FakeFollower other =
                        new FakeFollower(members.get(2), members.get(0), GroupIds.control());
                RaftNode node =
                        RaftNode.start(
                                new RaftNode.Config(
                                        "n0",
                                        members.get(0).address(),
                                        root,
                                        TestNodes.FAST,
                                        members,
                                        SumState::new,
                                        group -> new SumState(),
                                        Optional.empty()),
                                (where, bug) -> bugs.add(where + ": " + bug.getMessage()),
                                () -> {})) {
            Replica replica = java.util.Objects.requireNonNull(node.replica(GroupIds.control()));
            TestNodes.await(() -> replica.log().leads());
            long term = replica.term();
            one.fallSilent();
            other.fallSilent();
            CompletableFuture<byte[]> entry = replica.log().submit(SumState.entry(1));
            CompletableFuture<Void> transfer = replica.transferTo("n1", MILLIS_MAX);

            // Both still vote, for any candidate.
            TestNodes.await(() -> replica.term() > term);

            assertThat(entry.handle((done, why) -> why).get(30, TimeUnit.SECONDS)).isNotNull();
            assertThat(transfer.handle((done, why) -> why).get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LeaderTransferException.class);
        }
        assertThat(bugs).isEmpty();
    }
}
