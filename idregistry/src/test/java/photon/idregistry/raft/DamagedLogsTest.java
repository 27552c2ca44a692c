package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedLogsTest {
    @TempDir Path root;

    private Path openSegment(TestNodes nodes) throws Exception {
        try (Stream<Path> files = Files.walk(nodes.data(0))) {
            return files.filter(f -> f.getFileName().toString().startsWith("log_inprogress"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private void fill(TestNodes nodes) throws Exception {
        nodes.startAll();
        for (int i = 0; i < 20; i++) {
            nodes.add(GroupIds.control(), 1);
        }
        nodes.stop(0);
    }

    @Test
    void aStartThatFailsNamesTheFileInWhichABitWasFlipped() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            fill(nodes);
            Path segment = openSegment(nodes);
            byte[] bytes = Files.readAllBytes(segment);
            bytes[bytes.length / 2] ^= 1;
            Files.write(segment, bytes);
            assertThatThrownBy(() -> nodes.start(0))
                    .isInstanceOf(RaftStartException.class)
                    .hasMessageContaining("Damaged: " + segment);
        }
    }

    @Test
    @Tag("slow")
    void aClosedFileThatEndsTooEarlyIsFound() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            fill(nodes);
            Path open = openSegment(nodes);
            Path closed = open.resolveSibling("log_0-1000");
            Files.move(open, closed);
            List<String> found = DamagedLogs.in(RaftSettings.storage(nodes.data(0)));
            assertThat(found).hasSize(1);
            assertThat(found.get(0)).startsWith(closed + ": expected entries 0 to 1000");
            try (FileChannel cut = FileChannel.open(closed, StandardOpenOption.WRITE)) {
                cut.truncate(3);
            }
            assertThat(DamagedLogs.in(RaftSettings.storage(nodes.data(0)))).hasSize(1);
        }
    }

    @Test
    void aLogThatIsWholeIsNotDamaged() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            fill(nodes);
            assertThat(DamagedLogs.text(RaftSettings.storage(nodes.data(0)))).isEmpty();
        }
    }
}
