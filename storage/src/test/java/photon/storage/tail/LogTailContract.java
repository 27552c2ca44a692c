package photon.storage.tail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static photon.storage.tail.TestLogs.stream;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.AppendFile;

/** What a tail does alike on every file system, with writers that hold their files open. */
public abstract class LogTailContract {
    /** Fewer than the files that grow at one time. */
    private static final int OPEN_FILES_MAX = 2;

    private static final Duration RESCAN = Duration.ofSeconds(1);

    private long now;

    protected abstract FileStore files();

    /** An empty directory of this test's own. */
    protected abstract String directory();

    /** Another program opens a closed file, appends to it, and closes it. */
    protected abstract void appendByAnother(String path, String text) throws IOException;

    /** A file's owner cuts it short. */
    protected abstract void truncate(String path, int length) throws IOException;

    @Test
    void filesThatGrowAreFollowedAlsoWhenMoreOfThemGrowThanAreOpen() throws IOException {
        List<AppendFile> logs = new ArrayList<>();
        for (int i = 0; i < 2 * OPEN_FILES_MAX + 1; i++) {
            logs.add(files().create(path("log-" + i)));
        }
        try (LogTail tail = tail("log-*", List.of())) {
            for (int round = 0; round < 5; round++) {
                List<String> expected = new ArrayList<>();
                for (int i = 0; i < logs.size(); i++) {
                    String id = "r" + round + "-" + i;
                    line(logs.get(i), id);
                    logs.get(i).flush();
                    expected.add(id);
                }
                assertThat(poll(tail)).containsExactlyInAnyOrderElementsOf(expected);
            }
            for (AppendFile log : logs) {
                log.close();
            }
            assertThat(poll(tail)).isEmpty();
        }
    }

    @Test
    void recordsOfAnyLengthAreReadWhereverTheWriterStopsForNow() throws IOException {
        try (AppendFile log = files().create(path("log"));
                LogTail tail = tail("log", List.of())) {
            List<String> written = new ArrayList<>();
            List<String> read = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                String id = i + "x".repeat(1 + i * 997 % 10_000);
                byte[] bytes = ("1," + id + "\n").getBytes(UTF_8);
                int half = bytes.length / 2;
                log.write(bytes, 0, half);
                log.flush();
                assertThat(poll(tail)).isEqualTo(written.subList(read.size(), written.size()));
                read = new ArrayList<>(written);
                log.write(bytes, half, bytes.length - half);
                log.flush();
                written.add(id);
            }
            assertThat(poll(tail)).containsExactly(written.get(written.size() - 1));
        }
    }

    @Test
    void aRotatedLogIsReadOnUnderItsNewNameAndAnotherTakesTheOldOne() throws IOException {
        try (LogTail tail = tail("app.*", List.of())) {
            try (AppendFile log = files().create(path("app.log"))) {
                line(log, "a");
                log.flush();
                assertThat(poll(tail)).containsExactly("a");
                files().rename(path("app.log"), path("app.1"));
                line(log, "b"); // the writer has not noticed
                log.flush();
                write("app.log", "c");
                assertThat(poll(tail)).containsExactlyInAnyOrder("b", "c");
                line(log, "d");
            }
            assertThat(poll(tail)).containsExactly("d");
        }
    }

    @Test
    void aLogThatIsRenamedOutOfTheGlobIsReadToItsEnd() throws IOException {
        try (LogTail tail = tail("*.log", List.of());
                AppendFile log = files().create(path("app.log"))) {
            line(log, "a");
            log.flush();
            assertThat(poll(tail)).containsExactly("a");
            line(log, "b");
            log.flush();
            files().rename(path("app.log"), path("app.done"));
            assertThat(poll(tail)).containsExactly("b");
        }
    }

    @Test
    void whatADeadWriterLeftIsReadAndSoIsWhatItsSuccessorAppends() throws IOException {
        @SuppressWarnings("resource") // Its process has died.
        AppendFile dead = files().create(path("app.log"));
        line(dead, "a");
        line(dead, "b");
        dead.flush();
        try (LogTail tail = tail("app.log", List.of())) {
            assertThat(poll(tail)).containsExactly("a", "b");
            files().recover(path("app.log"));
            assertThat(poll(tail)).isEmpty();
            appendByAnother(path("app.log"), "1,c\n");
            assertThat(poll(tail)).containsExactly("c");
        }
    }

    @Test
    void whatIsAppendedAfterTheClosingIsRead() throws IOException {
        write("app.log", "a");
        try (LogTail tail = tail("app.log", List.of())) {
            assertThat(poll(tail)).containsExactly("a");
            assertThat(poll(tail)).isEmpty();
            appendByAnother(path("app.log"), "1,b\n");
            assertThat(poll(tail)).containsExactly("b");
            appendByAnother(path("app.log"), "1,c\n1,d\n");
            assertThat(poll(tail)).containsExactly("c", "d");
        }
    }

    @Test
    void aTruncatedLogIsReadFromItsStart() throws IOException {
        write("app.log", "first");
        appendByAnother(path("app.log"), "1,second\n");
        try (LogTail tail = tail("app.log", List.of())) {
            assertThat(poll(tail)).containsExactly("first", "second");
            truncate(path("app.log"), "1,first\n".length());
            assertThat(poll(tail)).containsExactly("first");
            appendByAnother(path("app.log"), "1,third\n");
            assertThat(poll(tail)).containsExactly("third");
        }
    }

    @Test
    void newDatedDirectoriesAreFoundAndOthersAreLeftOut() throws IOException {
        try (LogTail tail = tail("dt=*/app-[0-9]*.log", List.of())) {
            assertThat(poll(tail)).isEmpty();
            for (int day = 1; day <= 3; day++) {
                files().createDirectories(path("dt=" + day));
                files().createDirectories(path("tmp=" + day));
                write("dt=" + day + "/app-1.log", "day" + day);
                write("dt=" + day + "/app-x.log", "other");
                write("dt=" + day + "/_app-1.log", "hidden");
                write("tmp=" + day + "/app-1.log", "temporary");
                assertThat(poll(tail)).containsExactly("day" + day);
            }
            files().delete(path("dt=1"));
            appendByAnother(path("dt=2/app-1.log"), "1,late\n");
            assertThat(poll(tail)).containsExactly("late");
        }
    }

    @Test
    void positionsOfAnEarlierLifeAreKnownAgainAfterARotation() throws IOException {
        List<FilePosition> positions;
        try (AppendFile log = files().create(path("app.log"))) {
            line(log, "a");
            line(log, "b");
            log.flush();
            try (LogTail tail = tail("app.*", List.of())) {
                assertThat(poll(tail)).containsExactly("a", "b");
                positions = tail.reached();
            }
            files().rename(path("app.log"), path("app.1"));
            line(log, "c");
            log.flush();
            write("app.log", "d");
            try (LogTail tail = tail("app.*", positions)) {
                assertThat(poll(tail)).containsExactlyInAnyOrder("c", "d");
            }
        }
    }

    @Test
    void aLogThatIsCompressedByTheRotationIsAnotherFile() throws IOException {
        write("app.log", "a");
        try (LogTail tail = tail("app.log*", List.of())) {
            assertThat(poll(tail)).containsExactly("a");
            byte[] compressed = TestLogs.gzip("1,a\n".getBytes(UTF_8));
            try (AppendFile file = files().create(path("app.log.gz"))) {
                file.write(compressed, 0, compressed.length);
            }
            files().delete(path("app.log"));
            assertThat(poll(tail)).as("read again: the registry knows it").containsExactly("a");
            assertThat(poll(tail)).isEmpty();
        }
    }

    @Test
    void aLogThatIsCompressedAfterItWasReadIsReadOnBehindThat() throws IOException {
        write("app.log", "a");
        List<FilePosition> done;
        try (LogTail tail = tail("app.log*", List.of())) {
            assertThat(poll(tail)).containsExactly("a");
            done = List.of(tail.position(0, 4));
        }
        byte[] compressed = TestLogs.gzip("1,a\n1,b\n".getBytes(UTF_8));
        try (AppendFile file = files().create(path("app.log.gz"))) {
            file.write(compressed, 0, compressed.length);
        }
        files().delete(path("app.log"));
        try (LogTail tail = tail("app.log*", done).lookForCopies(PositionsElsewhere.NONE)) {
            assertThat(poll(tail)).containsExactly("b");
            assertThat(tail.position(0, 8).offset()).isEqualTo(8);
        }
    }

    protected final LogTail tail(String glob, List<FilePosition> resume) {
        return TestLogs.narrow(
                files(), stream(path(glob)), resume, RESCAN, TestLogs.LATER, OPEN_FILES_MAX);
    }

    /** The ids of what has come, once the next listing was made. */
    protected final List<String> poll(LogTail tail) throws IOException {
        now += RESCAN.toNanos();
        List<String> ids = new ArrayList<>();
        for (int quiet = 0; quiet < 2; ) {
            List<TailBatch.Item> items = tail.poll(10, now).items();
            quiet = items.isEmpty() ? quiet + 1 : 0;
            ids.addAll(TestLogs.ids(items));
        }
        return ids;
    }

    protected final String path(String name) {
        return directory() + "/" + name;
    }

    protected final void write(String name, String id) throws IOException {
        try (AppendFile log = files().create(path(name))) {
            line(log, id);
        }
    }

    protected static void line(AppendFile log, String id) throws IOException {
        byte[] bytes = ("1," + id + "\n").getBytes(UTF_8);
        log.write(bytes, 0, bytes.length);
    }
}
