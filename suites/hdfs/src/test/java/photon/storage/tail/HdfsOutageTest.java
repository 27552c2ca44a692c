package photon.storage.tail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Test;
import photon.core.testing.Await;
import photon.storage.files.Hdfs;
import photon.storage.files.UnavailableException;

/** What a tail says and does while servers of HDFS are away, and afterwards. */
class HdfsOutageTest {
    private static final Duration RESCAN = Duration.ofSeconds(1);
    private static final Duration BACK_WITHIN = Duration.ofMinutes(2);

    private final MiniDFSCluster cluster = Hdfs.cluster();
    private final String directory = Hdfs.newDirectory();
    private long now;

    @Test
    void withoutItsNameNodeATailReadsNothingAndLaterGoesOnWhereItWas() throws Exception {
        write("a.log", "1,a\n");
        try (LogTail tail = tail()) {
            assertThat(readToTheEnd(tail)).containsExactly("a");
            cluster.shutdownNameNode(0);
            try {
                for (int i = 0; i < 3; i++) {
                    assertThatThrownBy(() -> poll(tail))
                            .isInstanceOf(UnavailableException.class)
                            .hasMessageContaining(directory);
                }
            } finally {
                cluster.restartNameNode(0, true);
            }
            Hdfs.append(path("a.log"), "1,b\n");
            write("b.log", "1,c\n");
            assertThat(readToTheEnd(tail)).containsExactlyInAnyOrder("b", "c");
            assertThat(tail.unreadable()).isEmpty();
        }
    }

    @Test
    void inSafeModeLogsAreRead() throws Exception {
        write("a.log", "1,a\n");
        cluster.getFileSystem().setSafeMode(SafeModeAction.ENTER);
        try (LogTail tail = tail()) {
            assertThat(readToTheEnd(tail)).containsExactly("a");
        } finally {
            cluster.getFileSystem().setSafeMode(SafeModeAction.LEAVE);
        }
    }

    @Test
    void aLogWhoseDataNodeIsAwayWaitsForItAndIsNoBadRecord() throws Exception {
        write("a.log", "1,a\n");
        try (LogTail tail = tail()) {
            assertThat(readToTheEnd(tail)).containsExactly("a");
            Hdfs.append(path("a.log"), "1,b\n");
            write("b.log", "1,c\n");
            MiniDFSCluster.DataNodeProperties dataNode = cluster.stopDataNode(0);
            try {
                for (int i = 0; i < 5; i++) {
                    TailBatch batch = poll(tail);
                    assertThat(batch.items()).isEmpty();
                    assertThat(batch.caughtUp()).isFalse();
                    assertThat(batch.stall().orElseThrow().reason()).contains(directory);
                }
                assertThat(tail.unreadable()).isNotEmpty();
            } finally {
                cluster.restartDataNode(dataNode, true);
                cluster.waitActive();
            }
            assertThat(readToTheEnd(tail)).containsExactlyInAnyOrder("b", "c");
            assertThat(tail.unreadable()).isEmpty();
        }
    }

    private LogTail tail() {
        return new LogTail(
                Hdfs.files(), TestLogs.stream(path("*.log")), List.of(), RESCAN, TestLogs.LATER);
    }

    private TailBatch poll(LogTail tail) throws IOException {
        now += RESCAN.toNanos();
        return tail.poll(1_000, now);
    }

    /** The ids that come until the tail says that all is read; nothing of it may be bad. */
    private List<String> readToTheEnd(LogTail tail) throws Exception {
        List<String> ids = new ArrayList<>();
        Await.until(
                BACK_WITHIN,
                "all logs to be read",
                () -> "read so far: " + ids,
                () -> {
                    TailBatch batch = poll(tail);
                    ids.addAll(TestLogs.ids(batch.items()));
                    assertThat(TestLogs.badReasons(batch.items())).isEmpty();
                    return batch.caughtUp();
                });
        return ids;
    }

    private void write(String name, String text) throws IOException {
        try (FSDataOutputStream out = Hdfs.client().create(new Path(path(name)))) {
            out.write(text.getBytes(UTF_8));
        }
    }

    private String path(String name) {
        return directory + "/" + name;
    }
}
