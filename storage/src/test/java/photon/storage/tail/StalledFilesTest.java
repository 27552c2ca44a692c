package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.storage.tail.TestLogs.ids;
import static photon.storage.tail.TestLogs.stream;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.time.IntervalClock;
import photon.storage.files.HadoopFileStore;
import photon.storage.files.UnavailableException;

/** A file system, or a part of it, does not answer for a while. */
class StalledFilesTest {
    private static final int FILES = 20;

    @TempDir Path directory;

    /** The beginnings of names that no answer comes for. */
    private String away = "-";

    private boolean directoriesAway;
    private int refused;
    private final TestLogs.Refusing files =
            new TestLogs.Refusing(new HadoopFileStore()) {
                @Override
                public @Nullable FileInfo stat(String path) throws IOException {
                    if (directoriesAway && Files.isDirectory(Path.of(path))) {
                        throw new UnavailableException("Cannot read " + path, connection());
                    }
                    return super.stat(path);
                }
            };
    private long now;

    StalledFilesTest() {
        files.refusal =
                path -> {
                    if (!Path.of(path).getFileName().toString().startsWith(away)) {
                        return null;
                    }
                    refused++;
                    return new UnavailableException("Cannot read " + path, connection());
                };
    }

    private static IOException connection() {
        return new ConnectException("connection refused");
    }

    @Test
    void itIsNoTroubleOfTheFileAndOthersAreRead() throws IOException {
        write("a.log", "1,x\n");
        write("b.log", "1,y\n");
        away = "a";
        try (LogTail tail = tail()) {
            List<TailBatch.Item> items = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                TailBatch batch = poll(tail);
                items.addAll(batch.items());
                assertThat(batch.caughtUp()).isFalse();
                TailBatch.Stall stall = batch.stall().orElseThrow();
                assertThat(stall.files()).isEqualTo(1);
                assertThat(stall.sinceNanos()).isEqualTo(1_000_000_000L);
                assertThat(stall.reason()).contains("a.log", "connection refused");
            }
            assertThat(ids(items)).containsExactly("y");
            assertThat(TestLogs.badReasons(items)).isEmpty();
            assertThat(tail.unreadable().values()).singleElement().asString().contains("a.log");

            away = "-";
            items.clear();
            TailBatch batch = poll(tail);
            for (int i = 0; i < 10 && !batch.caughtUp(); i++) {
                items.addAll(batch.items());
                batch = poll(tail);
            }
            items.addAll(batch.items());
            assertThat(batch.caughtUp()).isTrue();
            assertThat(batch.stall()).isEmpty();
            assertThat(ids(items)).containsExactly("x");
            assertThat(tail.unreadable()).isEmpty();
        }
    }

    /** Each question may take seconds, in which nothing else is read. */
    @Test
    void oneOfThemIsAskedForAgainAndWhenItAnswersAllAre() throws IOException {
        for (int i = 0; i < FILES; i++) {
            write("a" + i + ".log", "1,a" + i + "\n");
        }
        away = "a";
        try (LogTail tail = tail()) {
            for (int i = 0; i < FILES; i++) {
                assertThat(poll(tail).items()).isEmpty();
            }
            int each = refused;
            assertThat(each).isLessThanOrEqualTo(2 * FILES);
            write("b.log", "1,b\n");
            List<String> read = new ArrayList<>();
            int seconds = 100;
            for (int i = 0; i < seconds; i++) {
                read.addAll(ids(poll(tail).items()));
            }
            assertThat(read).containsExactly("b");
            assertThat(refused - each).isBetween(5, seconds / 5);

            away = "-";
            read.clear();
            for (int i = 0; i < 12; i++) {
                read.addAll(ids(poll(tail).items()));
            }
            assertThat(read).hasSize(FILES).doesNotHaveDuplicates();
        }
    }

    @Test
    void aFileIsReadOnWhereItWas() throws IOException {
        write("a.log", "1,x\n");
        try (LogTail tail = tail()) {
            assertThat(ids(poll(tail).items())).containsExactly("x");
        }
        List<FilePosition> earlier;
        try (LogTail tail = tail()) {
            poll(tail);
            earlier = tail.reached();
        }
        append("a.log", "1,y\n");
        away = "a";
        try (LogTail tail =
                new LogTail(
                        files,
                        stream(directory + "/*.log"),
                        earlier,
                        Duration.ZERO,
                        TestLogs.LATER)) {
            assertThat(poll(tail).items()).isEmpty();
            assertThat(tail.reached()).as("nothing is forgotten").isEqualTo(earlier);
            away = "-";
            now += Duration.ofSeconds(10).toNanos();
            poll(tail);
            now += Duration.ofSeconds(10).toNanos();
            List<String> read = new ArrayList<>(ids(poll(tail).items()));
            read.addAll(ids(poll(tail).items()));
            assertThat(read).isEqualTo(List.of("y"));
        }
    }

    /** What the poll that failed had found is told by the next one. */
    @Test
    void aListingThatFailsAtItsEndHasChangedNothing() throws IOException {
        Path log = directory.resolve("a.log");
        Files.write(log, TestLogs.gzip(TestLogs.utf8("1,x\n1,y")));
        write("b.log", "1,z\n"); // takes its place among the open ones
        IntervalClock longAgo = () -> new IntervalClock.Interval(0, 0);
        try (LogTail tail =
                TestLogs.narrow(
                        files,
                        stream(directory + "/*.log"),
                        List.of(),
                        Duration.ZERO,
                        longAgo,
                        1)) {
            assertThat(ids(poll(tail).items())).containsExactly("x", "z");
            Files.delete(log);
            directoriesAway = true;
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> poll(tail)).isInstanceOf(UnavailableException.class);
            }
            directoriesAway = false;
            List<TailBatch.Item> items = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                items.addAll(poll(tail).items());
            }
            assertThat(TestLogs.badReasons(items)).as("its last record").hasSize(1);
        }
    }

    private LogTail tail() {
        return new LogTail(
                files, stream(directory + "/*.log"), List.of(), Duration.ZERO, TestLogs.LATER);
    }

    private TailBatch poll(LogTail tail) throws IOException {
        now += Duration.ofSeconds(1).toNanos();
        return tail.poll(1_000, now);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    private void append(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text, StandardOpenOption.APPEND);
    }
}
