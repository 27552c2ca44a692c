package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.storage.tail.TestLogs.stream;
import static photon.storage.tail.TestLogs.utf8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;

/** What a tail keeps of files that are not there any more. */
class AbsentFilesTest {
    private static final FileStore FILES = new HadoopFileStore();
    private static final Duration LONG = AbsentFiles.LONG;

    @TempDir Path root;
    private Path directory;
    private long now;

    @BeforeEach
    void makeDirectory() throws IOException {
        directory = Files.createDirectory(root.resolve("logs"));
    }

    private LogTail tail(List<FilePosition> resume) {
        return new LogTail(
                FILES, stream(directory + "/*.log"), resume, Duration.ofSeconds(1), TestLogs.LATER);
    }

    private List<String> poll(LogTail tail, Duration later) throws IOException {
        now += later.toNanos();
        TailBatch batch = tail.poll(100, now);
        for (TailBatch.Item item : batch.items()) {
            tail.position(item.file(), item.endOffset());
        }
        return TestLogs.ids(batch.items());
    }

    private void write(String name, String text) throws IOException {
        Files.write(
                directory.resolve(name),
                utf8(text),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** Read to its end, taken out of the directory, and missed. */
    private void goes(LogTail tail) throws IOException {
        write("a.log", "1,x\n");
        assertThat(poll(tail, Duration.ofSeconds(2))).containsExactly("x");
        Files.move(directory.resolve("a.log"), root.resolve("a.away"));
        for (int i = 0; i < 10; i++) {
            poll(tail, Duration.ofSeconds(2));
        }
    }

    private void comesBack() throws IOException {
        Files.move(root.resolve("a.away"), directory.resolve("b.log"));
        write("b.log", "2,y\n");
    }

    @Test
    void aFileThatIsGoneForAnHourLeavesOneShortPosition() throws IOException {
        LogTail tail = tail(List.of());
        goes(tail);
        poll(tail, LONG.minusMinutes(5));
        assertThat(tail.retire(now)).isEmpty();
        poll(tail, Duration.ofMinutes(5));
        assertThat(tail.retire(now)).containsExactly(0);
        assertThat(tail.reached()).isEmpty();
        assertThat(tail.longAbsent(now)).extracting(FilePosition::offset).containsExactly(4L);
        assertThat(tail.kept()).isEqualTo(1);
    }

    @Test
    void oneThatComesBackIsReadOnUnderAnotherNumber() throws IOException {
        LogTail tail = tail(List.of());
        goes(tail);
        poll(tail, LONG);
        tail.retire(now);
        comesBack();
        assertThat(poll(tail, Duration.ofSeconds(2))).containsExactly("y");
        assertThat(tail.longAbsent(now)).isEmpty();
        assertThat(tail.retire(now)).isEmpty();
    }

    @Test
    void oneThatComesBackAfterItWasForgottenIsReadFromItsStart() throws IOException {
        LogTail tail = tail(List.of());
        goes(tail);
        poll(tail, LONG);
        tail.retire(now);
        tail.forget(tail.longAbsent(now).stream().map(FilePosition::key).toList());
        assertThat(tail.kept()).isZero();
        comesBack();
        assertThat(poll(tail, Duration.ofSeconds(2))).containsExactly("x", "y");
    }

    @Test
    void nothingIsRetiredBeforeAllThatWasHandedOutIsDone() throws IOException {
        LogTail tail = tail(List.of());
        write("a.log", "1,x\n2,y\n");
        TailBatch batch = tail.poll(100, now);
        Files.delete(directory.resolve("a.log"));
        for (int i = 0; i < 10; i++) {
            poll(tail, LONG);
        }
        tail.position(0, 4);
        assertThat(tail.retire(now)).isEmpty();
        tail.position(0, batch.items().get(1).endOffset());
        assertThat(tail.retire(now)).containsExactly(0);
    }

    @Test
    void aFileIsNotAbsentWhileItsDirectoryIsAway() throws IOException {
        LogTail tail = tail(List.of());
        goes(tail);
        Files.delete(directory);
        for (int i = 0; i < 5; i++) {
            poll(tail, LONG);
            assertThat(tail.retire(now)).isEmpty();
        }
        Files.createDirectory(directory);
        poll(tail, Duration.ofSeconds(2));
        poll(tail, LONG.minusMinutes(1));
        assertThat(tail.retire(now)).as("the time starts anew").isEmpty();
        poll(tail, LONG);
        assertThat(tail.retire(now)).containsExactly(0);
    }

    @Test
    void aPositionOfAnEarlierLifeIsAbsentFromTheFirstListingOn() throws IOException {
        FilePosition earlier = new FilePosition("/x", "no such key", 0, "", 5, 1);
        now = Duration.ofDays(3).toNanos();
        LogTail tail = tail(List.of(earlier));
        assertThat(tail.longAbsent(now)).isEmpty();
        poll(tail, Duration.ZERO);
        assertThat(tail.longAbsent(now)).isEmpty();
        poll(tail, LONG);
        assertThat(tail.longAbsent(now)).containsExactly(earlier);
    }

    @Test
    void aFileThatWasReplacedUnderItsKeyIsRetiredWithoutATrace() throws IOException {
        LogTail tail = tail(List.of());
        write("a.log", "1,x\n");
        poll(tail, Duration.ofSeconds(2));
        Files.write(directory.resolve("a.log"), utf8("7,other\n8,more\n"));
        assertThat(poll(tail, Duration.ofSeconds(2))).containsExactly("other", "more");
        assertThat(tail.retire(now)).containsExactly(0);
        assertThat(tail.longAbsent(now)).isEmpty();
        assertThat(tail.reached()).hasSize(1);
    }

    /** Written to just now, by the clock that the tail goes by. */
    private LogTail tailOfNow() {
        IntervalClock clock =
                () ->
                        new IntervalClock.Interval(
                                System.currentTimeMillis() * 1_000,
                                System.currentTimeMillis() * 1_000);
        return new LogTail(
                FILES, stream(directory + "/*.log"), List.of(), Duration.ofSeconds(1), clock);
    }

    @Test
    void logsAreInSightWhileTheirDirectoryAndOneOfThemAreThere() throws IOException {
        LogTail tail = tailOfNow();
        assertThat(tail.inSight()).as("never listed").isFalse();
        poll(tail, Duration.ofSeconds(2));
        assertThat(tail.inSight()).as("an empty mount looks like this").isFalse();
        write("a.log", "1,x\n");
        poll(tail, Duration.ofSeconds(2));
        assertThat(tail.inSight()).isTrue();
        Files.move(directory, root.resolve("unmounted"));
        poll(tail, Duration.ofSeconds(2));
        assertThat(tail.inSight()).isFalse();
    }

    @Test
    void aLogThatVanishedWhileItWasWrittenToIsAwayForAWhile() throws IOException {
        LogTail tail = tailOfNow();
        write("a.log", "1,x\n");
        write("b.log", "1,y\n");
        poll(tail, Duration.ofSeconds(2));
        Files.move(directory.resolve("a.log"), root.resolve("a.away"));
        poll(tail, Duration.ofSeconds(2));
        assertThat(tail.inSight()).isFalse();
        poll(tail, AbsentFiles.AWAY.minusSeconds(30));
        assertThat(tail.inSight()).isFalse();
        Files.move(root.resolve("a.away"), directory.resolve("a.log"));
        poll(tail, Duration.ofSeconds(2));
        assertThat(tail.inSight()).as("it is back").isTrue();
        Files.delete(directory.resolve("a.log"));
        for (int i = 0; i < 10; i++) {
            poll(tail, Duration.ofSeconds(2));
        }
        assertThat(tail.inSight()).isFalse();
        poll(tail, AbsentFiles.AWAY);
        assertThat(tail.inSight()).as("gone for good").isTrue();
    }

    @Test
    void aLogThatWasRotatedOrFinishedLongAgoIsNotAway() throws IOException {
        LogTail tail = tailOfNow();
        write("a.log", "1,x\n");
        write("old.log", "1,y\n");
        Files.setLastModifiedTime(
                directory.resolve("old.log"),
                FileTime.fromMillis(
                        System.currentTimeMillis()
                                - AbsentFiles.WRITTEN.plus(AbsentFiles.AWAY).toMillis()
                                - 1_000));
        poll(tail, Duration.ofSeconds(2));
        Files.delete(directory.resolve("old.log"));
        Files.move(directory.resolve("a.log"), directory.resolve("a.log.1"));
        write("a.log", "2,z\n");
        poll(tail, Duration.ofSeconds(2));
        assertThat(tail.inSight()).isTrue();
    }

    /** A process that was started while a log was away knows only what an earlier one has read. */
    @Test
    void aLogOfAnEarlierLifeThatIsNotThereIsAway() throws IOException {
        write("b.log", "1,y\n");
        FilePosition earlier =
                new FilePosition(
                        directory + "/a.log", "another", 3, "07", 4, System.currentTimeMillis());
        LogTail tail =
                new LogTail(
                        FILES,
                        stream(directory + "/*.log"),
                        List.of(earlier),
                        Duration.ofSeconds(1),
                        () -> new IntervalClock.Interval(0, 0));
        poll(tail, Duration.ofSeconds(2));
        assertThat(tail.inSight()).isFalse();
        poll(tail, AbsentFiles.AWAY);
        assertThat(tail.inSight()).isTrue();
    }

    private static List<FilePosition> onAnotherMachine(List<FilePosition> positions, String mount) {
        return positions.stream()
                .map(
                        p ->
                                new FilePosition(
                                        p.path(),
                                        mount + p.key().substring(p.key().indexOf(':')),
                                        p.prefixLength(),
                                        p.prefixHash(),
                                        p.offset(),
                                        p.modifiedMillis(),
                                        p.contentCrc()))
                .toList();
    }

    /** The number of a mount is another one on each machine, and after a start of one. */
    @Test
    void aFileIsKnownAgainOnAnotherMachineAndBackOnTheFirst() throws IOException {
        write("a.log", "1,x\n");
        LogTail first = tail(List.of());
        assertThat(poll(first, Duration.ofSeconds(2))).containsExactly("x");
        List<FilePosition> here = first.reached();
        write("a.log", "2,y\n");
        LogTail second = tail(onAnotherMachine(here, "999"));
        assertThat(poll(second, Duration.ofSeconds(2))).containsExactly("y");
        // Back: what was known here before is kept, too.
        List<FilePosition> both = new ArrayList<>(here);
        both.addAll(onAnotherMachine(second.reached(), "998"));
        write("a.log", "3,z\n");
        assertThat(poll(tail(both), Duration.ofSeconds(2))).containsExactly("z");
    }

    /** The number alone tells nothing: the first bytes do. */
    @Test
    void anotherFileOfThatNumberIsReadFromItsStart() throws IOException {
        write("a.log", "1,x\n");
        LogTail first = tail(List.of());
        assertThat(poll(first, Duration.ofSeconds(2))).containsExactly("x");
        List<FilePosition> elsewhere = onAnotherMachine(first.reached(), "999");
        Files.writeString(directory.resolve("a.log"), "7,other\n8,one\n");
        assertThat(poll(tail(elsewhere), Duration.ofSeconds(2))).containsExactly("other", "one");
    }
}
