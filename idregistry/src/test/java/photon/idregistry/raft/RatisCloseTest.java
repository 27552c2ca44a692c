package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.idregistry.raft.TestNodes.GROUP;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RatisCloseTest {
    private static final UUID CONTROL = GroupIds.control();

    @TempDir Path root;

    /** Its network may still be there for two seconds: a close waits for that. */
    @Test
    @Timeout(240)
    void whenItsFilesAreClosedNobodyHasThemOpenAndAllIsInThem() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.start(0);
            nodes.addGroupEverywhere();
            nodes.add(GROUP, 5);
            nodes.add(CONTROL, 7);
            assertThat(locks(nodes)).hasSize(2);
            nodes.node(0).closeFiles();
            for (Path lock : locks(nodes)) {
                assertFree(lock);
            }
            nodes.stop(0);
            nodes.start(0);
            for (UUID group : List.of(GROUP, CONTROL)) {
                assertThat(nodes.add(group, 1)).isEqualTo(group.equals(GROUP) ? 6 : 8);
            }
            assertThat(nodes.bugs).isEmpty();
        }
    }

    /** Throws if this process has it locked. */
    private static void assertFree(Path lock) throws Exception {
        try (FileChannel file = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock taken = file.tryLock()) {
            assertThat(taken).isNotNull();
        }
    }

    /** Of Ratis, one per group; it takes them away when it has closed. */
    private static List<Path> locks(TestNodes nodes) throws Exception {
        try (Stream<Path> files = Files.walk(nodes.data(0))) {
            return files.filter(file -> file.endsWith("in_use.lock")).toList();
        }
    }
}
