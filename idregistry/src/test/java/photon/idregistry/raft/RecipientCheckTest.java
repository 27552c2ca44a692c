package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with a blank disk, at the address of the one before, is not taken for it. */
@Timeout(300)
class RecipientCheckTest {
    @TempDir Path root;

    @Test
    void aBlankDiskIsNoMajorityWithTheLeader() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.start(0);
            nodes.start(1);
            nodes.start(2, "n2#2", List.of(), (where, bug) -> nodes.bugs.add(where + bug));
            nodes.add(GroupIds.control(), 1);
            int leader = nodes.leader(GroupIds.control());
            nodes.stop(1 - leader);
            CompletableFuture<byte[]> answer =
                    nodes.replica(leader, GroupIds.control()).log().submit(SumState.entry(2));
            // It may have found out by now that it leads nobody.
            assertThatThrownBy(() -> answer.get(3, TimeUnit.SECONDS))
                    .isInstanceOfAny(TimeoutException.class, ExecutionException.class);
            Replica other = nodes.replica(2, GroupIds.control());
            assertThat(other.stats().appliedIndex()).isEqualTo(-1);
            assertThat(other.members().names()).isEmpty();
            assertThat(other.raft().term()).as("no vote, no term").isZero();
            assertThat(nodes.bugs).isEmpty();
        }
    }
}
