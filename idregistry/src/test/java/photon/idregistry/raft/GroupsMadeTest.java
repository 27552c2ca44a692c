package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.idregistry.raft.TestNodes.GROUP;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import photon.idregistry.raft.snapshot.SnapshotDisk;

@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class GroupsMadeTest {
    @TempDir Path root;

    @Test
    void aServerThatHasLostOneGroupsLogIsRefused() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.start(0);
            nodes.addGroupEverywhere();
            nodes.add(GROUP, 5);
            nodes.stop(0);
            Path log = RaftSettings.storage(nodes.data(0)).resolve(GROUP.toString());
            Path aside = root.resolve("aside");
            Files.move(log, aside);
            assertThatThrownBy(() -> nodes.start(0))
                    .isInstanceOf(RaftStartException.class)
                    .hasMessageContaining("expected " + log)
                    .hasMessageContaining("Replace this replica");
            Files.move(aside, log);
            nodes.start(0);
            assertThat(nodes.add(GROUP, 2)).isEqualTo(7);
        }
    }

    @Test
    void aGroupThatWasMadeAndCouldNotBeNotedIsServedAtTheNextTry() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            AtomicBoolean full = new AtomicBoolean();
            nodes.disks[0] =
                    new SnapshotDisk() {
                        @Override
                        public void before(String step, Path path) throws IOException {
                            if (full.get() && path.endsWith(Path.of("groups", GROUP.toString()))) {
                                throw new IOException("No space left on this test");
                            }
                        }
                    };
            nodes.start(0);
            full.set(true);
            assertThatThrownBy(nodes::addGroupEverywhere).hasMessageContaining("No space");
            full.set(false);
            nodes.addGroupEverywhere();
            assertThat(nodes.add(GROUP, 5)).isEqualTo(5);
        }
    }

    @Test
    @Tag("slow")
    void whatWasRemovedIsNotMissed() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.start(0);
            nodes.addGroupEverywhere();
            nodes.node(0).removeGroup(GROUP, state -> {}).get(20, TimeUnit.SECONDS);
            nodes.stop(0);
            nodes.start(0);
            assertThat(nodes.node(0).replica(GROUP)).isNull();
        }
    }

    @Test
    @Tag("slow")
    void aLogOfAnEarlierVersionCountsFromItsFirstStartOn() throws Exception {
        SnapshotDisk disk = new SnapshotDisk();
        Path log = Files.createDirectories(RaftSettings.storage(root).resolve(GROUP.toString()));
        new GroupsMade(root, disk).check();
        Files.delete(log);
        assertThatThrownBy(() -> new GroupsMade(root, disk).check())
                .hasMessageContaining(log.toString());
    }
}
