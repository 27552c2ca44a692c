package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageStatistics.LongStatistic;
import org.apache.hadoop.hdfs.DFSOpsCountStatistics;
import org.junit.jupiter.api.Test;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.Hdfs;

/** Logs on HDFS: what local ones do, and what only HDFS knows. */
class HdfsLogTailTest extends LogTailContract {
    private final FileStore files = Hdfs.files();
    private final String directory = Hdfs.newDirectory();

    @Override
    protected FileStore files() {
        return files;
    }

    @Override
    protected String directory() {
        return directory;
    }

    @Override
    protected void appendByAnother(String path, String text) throws IOException {
        Hdfs.append(path, text);
    }

    @Override
    protected void truncate(String path, int length) throws IOException {
        Hdfs.truncate(path, length);
    }

    @Test
    void whatIsAppendedToAClosedLogIsReadBeforeItIsClosedAgain() throws IOException {
        write("app.log", "a");
        try (LogTail tail = tail("*.log", List.of())) {
            assertThat(poll(tail)).containsExactly("a");
            try (FSDataOutputStream out = Hdfs.client().append(new Path(path("app.log")))) {
                for (String id : List.of("b", "c", "d")) {
                    out.write(("1," + id + "\n").getBytes(StandardCharsets.UTF_8));
                    out.hflush();
                    assertThat(poll(tail)).containsExactly(id);
                }
            }
        }
    }

    @Test
    void theUnterminatedEndOfACompressedLogCountsOnceItsWriterHasClosedIt() throws IOException {
        byte[] bytes = TestLogs.gzip("1,a\n1,b".getBytes(StandardCharsets.UTF_8));
        try (LogTail tail = tail("app.gz", List.of())) {
            try (AppendFile log = files().create(path("app.gz"))) {
                log.write(bytes, 0, bytes.length);
                log.flush();
                assertThat(poll(tail)).containsExactly("a");
                assertThat(poll(tail)).as("more may come").isEmpty();
            }
            assertThat(poll(tail)).containsExactly("b");
        }
    }

    /** A NameNode serves thousands: what nothing happens to costs it next to nothing. */
    @Test
    void idleLogsCostAFewCallsOfTheNameNodeHoweverManyDirectoriesThereAre() throws IOException {
        int directories = 12;
        int filesEach = 3;
        makeLogs(directories, filesEach);
        try (LogTail tail = tail("dt=*/*.log", List.of())) {
            assertThat(poll(tail)).hasSize(directories * filesEach);
            assertThat(poll(tail)).isEmpty();
            long before = calls();
            int listings = 10;
            for (int i = 0; i < listings; i++) {
                assertThat(poll(tail)).isEmpty();
            }
            // The parent's entries, whether it is there, and the two that changed last.
            assertThat(calls() - before).isEqualTo(listings * 4L);
        }
    }

    @Test
    void aLogThatIsBeingWrittenCostsACallWhenItHasGrownAndNoneWhenItHasNot() throws IOException {
        makeLogs(2, 1);
        try (LogTail tail = tail("dt=*/*.log", List.of());
                FSDataOutputStream out = Hdfs.client().create(new Path(path("dt=1/growing.log")))) {
            out.write("1,c\n".getBytes(StandardCharsets.UTF_8));
            out.hflush();
            assertThat(poll(tail)).containsExactlyInAnyOrder("0-0", "1-0", "c");
            assertThat(poll(tail)).isEmpty();
            long before = calls();
            int listings = 10;
            for (int i = 0; i < listings; i++) {
                assertThat(poll(tail)).isEmpty();
            }
            long idle = calls() - before;
            assertThat(idle).isEqualTo(listings * 4L);
            before = calls();
            for (int i = 0; i < listings; i++) {
                out.write(("1,g" + i + "\n").getBytes(StandardCharsets.UTF_8));
                out.hflush();
                assertThat(poll(tail)).containsExactly("g" + i);
            }
            assertThat(calls() - before).isEqualTo(idle + listings);
        }
    }

    @Test
    void whatComesIntoADirectoryThatStoodStillIsReadWithTheNextListing() throws IOException {
        makeLogs(12, 1);
        write("elsewhere", "moved");
        try (LogTail tail = tail("dt=*/*.log", List.of())) {
            assertThat(poll(tail)).hasSize(12);
            for (int i = 0; i < 5; i++) {
                assertThat(poll(tail)).isEmpty();
            }
            write("dt=3/late.log", "late");
            assertThat(poll(tail)).containsExactly("late");
            for (int i = 0; i < 5; i++) {
                assertThat(poll(tail)).isEmpty();
            }
            files().rename(path("elsewhere"), path("dt=4/moved.log"));
            assertThat(poll(tail)).containsExactly("moved");
        }
    }

    /** No time of a directory tells of it. */
    @Test
    void whatIsAppendedToAClosedLogInADirectoryThatStoodStillIsReadWithinAMinute()
            throws IOException {
        makeLogs(12, 1);
        try (LogTail tail = tail("dt=*/*.log", List.of())) {
            assertThat(poll(tail)).hasSize(12);
            for (int i = 0; i < 5; i++) {
                assertThat(poll(tail)).isEmpty();
            }
            Hdfs.append(path("dt=5/0.log"), "1,more\n");
            List<String> read = List.of();
            int polls = 0;
            while (read.isEmpty() && polls++ < 70) {
                read = poll(tail);
            }
            assertThat(read).containsExactly("more");
            assertThat(polls).isLessThan(65);
        }
    }

    private void makeLogs(int directories, int filesEach) throws IOException {
        for (int d = 0; d < directories; d++) {
            files().createDirectory(path("dt=" + d));
            for (int f = 0; f < filesEach; f++) {
                write("dt=" + d + "/" + f + ".log", d + "-" + f);
            }
        }
    }

    static long calls() {
        long calls = 0;
        Iterator<LongStatistic> counted =
                GlobalStorageStatistics.INSTANCE
                        .get(DFSOpsCountStatistics.NAME)
                        .getLongStatistics();
        while (counted.hasNext()) {
            calls += counted.next().getValue();
        }
        return calls;
    }
}
