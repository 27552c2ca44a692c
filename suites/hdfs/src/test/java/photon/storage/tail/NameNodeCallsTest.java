package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import photon.storage.files.Hdfs;

/**
 * What a stream of many dated directories costs a NameNode and a processor. {@code
 * -Dphoton.hdfs.files=20000 -Dphoton.hdfs.directories=200 -Dphoton.hdfs.growing=50} measures what
 * docs/hdfs.md says.
 */
class NameNodeCallsTest {
    private static final int FILES = Integer.getInteger("photon.hdfs.files", 120);
    private static final int DIRECTORIES = Integer.getInteger("photon.hdfs.directories", 40);
    private static final int GROWING = Integer.getInteger("photon.hdfs.growing", 5);
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final int LOOKS = 120;
    private static final int RECORDS_MAX = 10_000;

    private final String directory = Hdfs.newDirectory();
    private long now;
    private int records;

    /** A second each. */
    private record Cost(double calls, double cpuMillis) {}

    @Test
    void aFewCallsASecondHoweverManyFilesThereAre() throws IOException {
        byte[] line = "1,a\n".getBytes(StandardCharsets.UTF_8);
        makeFiles(line);
        List<FSDataOutputStream> growing = new ArrayList<>();
        for (int i = 0; i < GROWING; i++) {
            String name = "%s/dt=%04d/growing-%s.log".formatted(directory, DIRECTORIES - 1, i);
            growing.add(Hdfs.client().create(new Path(name)));
        }
        grow(growing, line);
        try (LogTail tail =
                new LogTail(
                        Hdfs.files(),
                        TestLogs.stream(directory + "/dt=*/*.log"),
                        List.of(),
                        Duration.ofSeconds(1),
                        TestLogs.LATER)) {
            while (records < FILES + GROWING) {
                poll(tail);
            }
            measure(tail, List.of(), line); // until all is known
            Cost idle = measure(tail, List.of(), line);
            Cost grown = measure(tail, growing, line);
            System.out.printf(
                    "%s files in %s directories, %s open: %s a second; all open ones growing: %s%n",
                    FILES, DIRECTORIES, GROWING, idle, grown);
            assertThat(records).isEqualTo(FILES + GROWING * (1 + LOOKS));
            assertThat(idle.calls()).isLessThan(20);
            assertThat(grown.calls()).isLessThan(20 + GROWING);
        } finally {
            for (FSDataOutputStream out : growing) {
                out.close();
            }
        }
    }

    private void makeFiles(byte[] line) throws IOException {
        Configuration settings = new Configuration(Hdfs.client().getConf());
        // A close waits so long for the DataNode's report before it asks again.
        settings.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 2);
        try (FileSystem client = FileSystem.newInstance(Hdfs.client().getUri(), settings)) {
            for (int i = 0; i < FILES; i++) {
                String name = "%s/dt=%04d/%06d.log".formatted(directory, i % DIRECTORIES, i);
                try (FSDataOutputStream out = client.create(new Path(name))) {
                    out.write(line);
                }
            }
        }
    }

    private Cost measure(LogTail tail, List<FSDataOutputStream> growing, byte[] line)
            throws IOException {
        long calls = 0;
        long cpu = 0;
        for (int i = 0; i < LOOKS; i++) {
            grow(growing, line);
            long before = HdfsLogTailTest.calls();
            long cpuBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            poll(tail);
            cpu += ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuBefore;
            calls += HdfsLogTailTest.calls() - before;
        }
        return new Cost((double) calls / LOOKS, cpu / 1e6 / LOOKS);
    }

    private void poll(LogTail tail) throws IOException {
        now += SECOND;
        records += tail.poll(RECORDS_MAX, now).items().size();
    }

    private static void grow(List<FSDataOutputStream> growing, byte[] line) throws IOException {
        for (FSDataOutputStream out : growing) {
            out.write(line);
            out.hflush();
        }
    }
}
