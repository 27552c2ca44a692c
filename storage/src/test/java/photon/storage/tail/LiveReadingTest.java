package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.storage.tail.TestLogs.stream;
import static photon.storage.tail.TestLogs.utf8;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.FileStore.Writer;
import photon.storage.files.MemoryFileStore;
import photon.storage.format.EventParser;
import photon.storage.tail.rules.BacklogRule;

/** How far live logs are read is told apart from how far a backlog is. */
class LiveReadingTest {
    private static final int POLL = 100;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final long BEHIND_MICROS = BacklogRule.BEHIND_MIN.toNanos() / 1_000;

    private long millis = 1_700_000_000_000L;
    private long nanos;

    private final IntervalClock clock =
            () -> new IntervalClock.Interval(millis * 1_000, millis * 1_000);
    private final MemoryFileStore files =
            new MemoryFileStore(new SplittableRandom(1), () -> millis);
    private final TestLogs.Refusing store = new TestLogs.Refusing(files);
    private final LogTail tail =
            new LogTail(store, stream("/logs/*.log"), List.of(), Duration.ZERO, clock);
    private AppendFile old;
    private long oldMillis;

    @BeforeEach
    void anOutage() throws IOException {
        files.createDirectories("/logs");
        old = file("a-old");
        write(old, 1_000);
        oldMillis = millis;
        millis += HOUR_MILLIS;
    }

    private AppendFile file(String name) throws IOException {
        return files.create("/logs/" + name + ".log");
    }

    /** Each event a millisecond later than the one before. */
    private void write(AppendFile file, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            millis++;
            byte[] line = utf8(millis * 1_000 + ",e\n");
            file.write(line, 0, line.length);
        }
        file.sync();
    }

    private Optional<LiveReading> afterPoll(int recordsMax, int backlogMax) throws IOException {
        nanos += 10_000_000;
        tail.poll(recordsMax, backlogMax, nanos);
        return tail.lag().live();
    }

    @Test
    void whatCameSinceTheBacklogsWereWrittenIsReadLive() throws IOException {
        write(file("b-live"), 10);
        assertThat(afterPoll(POLL, 0))
                .contains(new LiveReading((oldMillis + 1) * 1_000, LiveReading.ALL_READ));
        assertThat(afterPoll(POLL, POLL).orElseThrow().fromMicros())
                .isEqualTo((oldMillis + 1) * 1_000);
    }

    /** New events stand behind its old ones, but most of what is new stands elsewhere. */
    @Test
    void whereABacklogIsWrittenOnOnlyWhatIsAboutAsNewAsTheNewestIsFresh() throws IOException {
        AppendFile live = file("b-live");
        write(live, 10);
        afterPoll(POLL, 1);
        write(old, 1);
        write(live, 1);
        assertThat(afterPoll(POLL, 1))
                .contains(new LiveReading(millis * 1_000 - BEHIND_MICROS, LiveReading.ALL_READ));
    }

    @Test
    void ofTheLiveLogsTheOneThatIsReadLeastFarTells() throws IOException {
        write(file("b-live"), 1_000);
        long first = millis - 1_000;
        assertThat(afterPoll(POLL, 0).orElseThrow().unreadMicros())
                .isEqualTo((first + POLL) * 1_000);
        assertThat(afterPoll(POLL, 0).orElseThrow().unreadMicros())
                .isEqualTo((first + 2 * POLL) * 1_000);
    }

    @Test
    void ofALiveLogThatWasNotBegunNothingIsKnown() throws IOException {
        write(file("b-live"), POLL);
        write(file("c-live"), 1_000);
        assertThat(afterPoll(POLL, 0).orElseThrow().unreadMicros()).isEqualTo(Long.MIN_VALUE);
        assertThat(afterPoll(POLL, 0).orElseThrow().unreadMicros()).isGreaterThan(oldMillis);
    }

    @Test
    void whatCannotBeReadKeepsNothingWaiting() throws IOException {
        write(file("b-live"), 10);
        write(file("c-live"), 10);
        store.refusal = path -> path.contains("c-live") ? new AccessDeniedException(path) : null;
        assertThat(afterPoll(POLL, 0).orElseThrow().unread()).isEmpty();
    }

    @Test
    void withoutABacklogNothingIsToldApart() throws IOException {
        assertThat(tail.lag().live()).isEmpty();
        write(old, 500);
        write(file("b-other"), 500);
        assertThat(afterPoll(POLL, POLL)).as("nothing newer was read").isEmpty();
        while (tail.lag().bytes() > 0) {
            afterPoll(POLL, POLL);
        }
        assertThat(tail.lag().live()).isEmpty();
    }

    /** On HDFS its time of modification is that of its making until it is closed. */
    @Test
    void ofAFileThatIsOpenForWritingNobodyKnowsHowFarItIsWritten() {
        assertThat(writtenTo(1_000, Writer.UNKNOWN)).isEqualTo(1_001_000);
        assertThat(writtenTo(1_000, Writer.CLOSED)).isEqualTo(1_001_000);
        assertThat(writtenTo(1_000, Writer.OPEN)).isEqualTo(Long.MAX_VALUE);
        assertThat(writtenTo(0, Writer.UNKNOWN)).isEqualTo(Long.MAX_VALUE);
    }

    private static long writtenTo(long modifiedMillis, Writer writer) {
        FileInfo info = new FileInfo("/logs/a", "a", 10, false, modifiedMillis, writer);
        EventParser parser = EventParser.of(stream("/logs/*.log"));
        TailedFile file = new TailedFile(0, info, parser.forFile(), List.of());
        file.listed(info);
        return file.writtenToMicros();
    }
}
