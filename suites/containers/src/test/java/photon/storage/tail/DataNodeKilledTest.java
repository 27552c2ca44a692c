package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import photon.core.testing.Await;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.HdfsContainers;
import photon.storage.files.OnContainers;

/** A machine dies under a log that is written and read; then the other one, which kept it all. */
@ExtendWith(OnContainers.class)
class DataNodeKilledTest {
    private static final Duration RESCAN = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(2);

    /** They go over the border of a block, and end in the first half of the next one. */
    private static final int MANY = 17;

    /** They have room in the block that {@link #MANY} have begun. */
    private static final int FEW = 5;

    private static final String PADDING = "x".repeat(5_000);

    private final HdfsContainers hdfs = HdfsContainers.running();
    private final FileStore files = hdfs.files();
    private final String directory = hdfs.newDirectory();
    private final List<String> written = new ArrayList<>();
    private long now;

    @Test
    void whatWasFlushedIsReadOnceWhicheverOfTwoMachinesDies() throws Exception {
        List<String> read = new ArrayList<>();
        try (LogTail tail = tail();
                AppendFile log = files.create(directory + "/growing.log")) {
            write(log, MANY);
            readAll(tail, read);
            hdfs.killDataNode(0);
            try {
                // The open block goes on with the copy that is left.
                write(log, FEW);
                readAll(tail, read);
                // Until then a new block is given to the dead machine, too. That can fail where
                // there are but two.
                awaitCopies(1);
                write(log, MANY);
                try (AppendFile another = files.create(directory + "/during.log")) {
                    write(another, MANY);
                }
                readAll(tail, read);
            } finally {
                hdfs.startDataNode(0);
            }
            write(log, MANY);
            readAll(tail, read);
        }
        awaitCopies(HdfsContainers.DATANODES);
        hdfs.killDataNode(1);
        try (LogTail anew = tail()) {
            readAll(anew, new ArrayList<>());
        } finally {
            hdfs.startDataNode(1);
        }
    }

    private void write(AppendFile log, int records) throws IOException {
        for (int i = 0; i < records; i++) {
            String id = "id-" + written.size() + PADDING;
            byte[] line = ("1," + id + "\n").getBytes(StandardCharsets.UTF_8);
            log.write(line, 0, line.length);
            log.flush();
            written.add(id);
        }
    }

    /** Until all that was written has been read: each record once, and nothing else. */
    private void readAll(LogTail tail, List<String> read) throws Exception {
        Await.until(
                LONG,
                "all " + written.size() + " records",
                () -> "read so far: " + read.size() + "; " + tail.unreadable(),
                () -> {
                    now += RESCAN.toNanos();
                    TailBatch batch = tail.poll(1_000, now);
                    read.addAll(TestLogs.ids(batch.items()));
                    assertThat(TestLogs.badReasons(batch.items())).isEmpty();
                    return read.size() >= written.size() && batch.caughtUp();
                });
        assertThat(read).containsExactlyInAnyOrderElementsOf(written);
    }

    /** Waits until the NameNode knows this number of copies of each block. */
    private void awaitCopies(int copies) throws Exception {
        DistributedFileSystem client = hdfs.otherProgram().client();
        Await.until(
                LONG,
                copies + " copies of each block",
                () -> "",
                () -> {
                    boolean all = true;
                    RemoteIterator<LocatedFileStatus> logs =
                            client.listLocatedStatus(new Path(directory));
                    while (logs.hasNext()) {
                        for (BlockLocation block : logs.next().getBlockLocations()) {
                            all &= block.getNames().length == copies;
                        }
                    }
                    return all;
                });
    }

    private LogTail tail() {
        return new LogTail(
                files, TestLogs.stream(directory + "/*.log"), List.of(), RESCAN, TestLogs.LATER);
    }
}
