package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.idregistry.raft.TestNodes.GROUP;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Logs that end before, at and behind their mark, under a real Raft server. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class LogEndTest {
    /** "RaftLog1". */
    private static final int HEADER_BYTES = 8;

    private static final int ENTRIES = 40;

    @TempDir Path root;

    /** Leads once in each life, so that its log has what the test puts there and no more. */
    private TestNodes patientNode() {
        TestNodes nodes = new TestNodes(root, 1);
        nodes.tuning = TestNodes.PATIENT;
        return nodes;
    }

    private Path group() {
        return RaftSettings.storage(root.resolve("n0")).resolve(GROUP.toString());
    }

    private List<Path> segments() throws Exception {
        try (Stream<Path> files = Files.list(group().resolve("current"))) {
            return files.filter(f -> f.getFileName().toString().startsWith("log_")).toList();
        }
    }

    private Path openSegment() throws Exception {
        return segments().stream()
                .filter(f -> f.getFileName().toString().startsWith("log_inprogress_"))
                .findFirst()
                .orElseThrow();
    }

    private static void add(TestNodes nodes, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            nodes.add(GROUP, 1);
        }
    }

    private void run(TestNodes nodes, int count) throws Exception {
        nodes.start(0);
        if (!nodes.node(0).has(GROUP)) {
            nodes.addGroupEverywhere();
        }
        add(nodes, count);
        long applied = nodes.replica(0, GROUP).stats().appliedIndex();
        TestNodes.await(() -> marked() >= applied);
        nodes.stop(0);
    }

    private long marked() {
        try {
            return LogMark.read(group());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Keeps this part of a file. */
    private static void cut(Path file, double keep) throws Exception {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate((long) (channel.size() * keep));
        }
    }

    private static void assertRefused(TestNodes nodes, Path names) {
        assertThatThrownBy(() -> nodes.start(0))
                .isInstanceOf(RaftStartException.class)
                .hasMessageContaining("Expected the log of n0@" + GROUP + " to hold entry")
                .hasMessageContaining(names + " was cut short")
                .hasMessageContaining("Replace this replica");
    }

    @Test
    void anOpenFileThatEndsBeforeWhatWasCommittedIsRefusedAndLeftAsItIs() throws Exception {
        try (TestNodes nodes = patientNode()) {
            run(nodes, ENTRIES);
            long marked = LogMark.read(group());
            assertThat(marked).isGreaterThanOrEqualTo(ENTRIES);
            Path open = openSegment();
            byte[] whole = Files.readAllBytes(open);
            cut(open, 0.5);
            assertRefused(nodes, open);
            cut(open, 0);
            assertRefused(nodes, group().resolve("current"));
            assertThat(Files.size(open)).isZero();

            Files.write(open, whole);
            run(nodes, 0);
            assertThat(LogMark.read(group())).isGreaterThanOrEqualTo(marked);
        }
    }

    @Test
    @Tag("slow")
    void aClosedFileThatHoldsLessThanItsNameSaysIsRefused() throws Exception {
        try (TestNodes nodes = patientNode()) {
            run(nodes, ENTRIES);
            Path open = openSegment();
            String start = open.getFileName().toString().replace("log_inprogress_", "");
            Path closed = open.resolveSibling("log_" + start + "-" + LogMark.read(group()));
            Files.move(open, closed);
            cut(closed, 0.5);
            assertRefused(nodes, closed);

            // As it is when a crash comes between the making of a file and its first entry.
            byte[] header = Arrays.copyOf(Files.readAllBytes(closed), HEADER_BYTES);
            long next = LogMark.read(group()) + 1;
            Files.write(open.resolveSibling("log_inprogress_" + next), header);
            assertRefused(nodes, closed);
        }
    }

    /** All of a file is on disk before it is closed, whatever the mark has come to. */
    @Test
    @Tag("slow")
    void aClosedFileThatEndsInTheMidstOfAnEntryIsRefusedWithoutAMark() throws Exception {
        try (TestNodes nodes = patientNode()) {
            run(nodes, ENTRIES);
            Path closed = closedBeforeAnEmptyOne();
            byte[] whole = Files.readAllBytes(closed);
            cut(closed, (whole.length - 1) / (double) whole.length);
            Files.delete(group().resolve(LogMark.NAME));
            assertThatThrownBy(() -> nodes.start(0))
                    .isInstanceOf(RaftStartException.class)
                    .hasMessageContaining(closed + " was cut short")
                    .hasMessageContaining("in the midst of");

            Files.write(closed, whole);
            run(nodes, 3);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    /** Ratis cuts a file first and renames it then; a crash may come between. */
    @Test
    @Tag("slow")
    void aClosedFileThatEndsBetweenTwoEntriesIsNoDamageWithoutAMark() throws Exception {
        try (TestNodes nodes = patientNode()) {
            run(nodes, ENTRIES);
            Path closed = closedBeforeAnEmptyOne();
            String name = closed.getFileName().toString();
            long end = Long.parseLong(name.substring(name.lastIndexOf('-') + 1));
            Files.move(closed, closed.resolveSibling(name.replace("-" + end, "-" + (end + 1))));
            Files.delete(group().resolve(LogMark.NAME));
            run(nodes, 3);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    /** As it is when a crash comes between the making of a file and its first entry. */
    private Path closedBeforeAnEmptyOne() throws Exception {
        Path open = openSegment();
        String start = open.getFileName().toString().replace("log_inprogress_", "");
        long end = LogMark.read(group());
        Path closed = open.resolveSibling("log_" + start + "-" + end);
        Files.move(open, closed);
        byte[] header = Arrays.copyOf(Files.readAllBytes(closed), HEADER_BYTES);
        Files.write(open.resolveSibling("log_inprogress_" + (end + 1)), header);
        return closed;
    }

    @Test
    @Tag("slow")
    void aLogThatIsGoneIsRefusedUnlessASnapshotHoldsAllOfIt() throws Exception {
        try (TestNodes nodes = patientNode()) {
            nodes.start(0);
            nodes.addGroupEverywhere();
            add(nodes, 300);
            nodes.node(0).takeSnapshot(GROUP).get(60, TimeUnit.SECONDS);
            nodes.stop(0);
            // What Ratis itself writes behind the last entry is in no snapshot.
            Files.deleteIfExists(group().resolve(LogMark.NAME));
            new LogMark(group()).raise(snapshot());
            deleteLog();
            run(nodes, 1);
            assertThat(LogMark.read(group())).isGreaterThan(snapshot());
            deleteLog();
            assertRefused(nodes, group().resolve("current"));
        }
    }

    private void deleteLog() throws Exception {
        for (Path segment : segments()) {
            Files.delete(segment);
        }
    }

    private long snapshot() throws Exception {
        try (Stream<Path> all = Files.list(group().resolve("sm"))) {
            return all.map(f -> f.getFileName().toString())
                    .mapToLong(name -> Long.parseLong(name.substring(name.lastIndexOf('-') + 1)))
                    .max()
                    .orElse(-1);
        }
    }

    @Test
    @Tag("slow")
    void aLastEntryThatIsTornAndWasNotYetCommittedIsNoDamage() throws Exception {
        try (TestNodes nodes = patientNode()) {
            run(nodes, ENTRIES);
            long marked = LogMark.read(group());
            Path open = openSegment();
            // As if the last entries had been written and not yet forced.
            Files.delete(group().resolve(LogMark.NAME));
            new LogMark(group()).raise(marked - 2);
            try (FileChannel channel = FileChannel.open(open, StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() - 1);
            }
            run(nodes, 3);
            assertThat(nodes.bugs).isEmpty();
            assertThat(LogMark.read(group())).isGreaterThan(marked - 2);
        }
    }
}
