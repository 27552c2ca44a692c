package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.storage.tail.TestLogs.stream;
import static photon.storage.tail.TestLogs.utf8;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.MemoryFileStore;

/** Logs that are read live beside others with a backlog. */
class LiveBeforeBacklogTest {
    private static final int POLL = 100;
    private static final long HOUR_MILLIS = 3_600_000;

    /** The wall clock, which tests move. */
    private long millis = 1_700_000_000_000L;

    private long nanos;

    private final IntervalClock clock =
            () -> new IntervalClock.Interval(millis * 1_000, millis * 1_000);
    private final MemoryFileStore files =
            new MemoryFileStore(new SplittableRandom(1), () -> millis);
    private LogTail tail =
            new LogTail(files, stream("/logs/*.log"), List.of(), Duration.ZERO, clock);

    @BeforeEach
    void make() throws IOException {
        files.createDirectories("/logs");
    }

    private LogTail tail(int openFilesMax) {
        LogShare share = LogShare.whole(files, stream("/logs/*.log"));
        return new LogTail(
                files, stream("/logs/*.log"), share, List.of(), Duration.ZERO, clock, openFilesMax);
    }

    private AppendFile file(String name) throws IOException {
        return files.create("/logs/" + name + ".log");
    }

    private void write(AppendFile file, String id, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            byte[] line = utf8(millis * 1_000 + "," + id + "-" + i + "\n");
            file.write(line, 0, line.length);
        }
        file.sync();
    }

    private TailBatch poll(int backlogMax) throws IOException {
        nanos += 10_000_000;
        return tail.poll(POLL, backlogMax, nanos);
    }

    private static long of(TailBatch batch, String id) {
        return TestLogs.ids(batch.items()).stream().filter(i -> i.startsWith(id)).count();
    }

    @Test
    void oldFilesAreReadAfterNewOnesAndHaveHalfWhileBothHaveMore() throws IOException {
        AppendFile old = file("a-old");
        write(old, "old", 1_000);
        millis += HOUR_MILLIS;
        AppendFile live = file("b-live");
        write(live, "live", 1_000);
        for (int i = 0; i < 5; i++) {
            TailBatch batch = poll(POLL);
            assertThat(of(batch, "live")).isEqualTo(50);
            assertThat(of(batch, "old")).isEqualTo(50);
            assertThat(TestLogs.ids(batch.items()).get(0)).startsWith("live");
            assertThat(batch.backlog().waits()).isTrue();
            assertThat(batch.backlog().files()).hasSize(1);
            assertThat(batch.more()).isTrue();
        }
    }

    @Test
    void whatLiveFilesDoNotNeedIsTheBacklogs() throws IOException {
        AppendFile old = file("a-old");
        write(old, "old", 1_000);
        millis += HOUR_MILLIS;
        AppendFile live = file("b-live");
        write(live, "live", 10);
        TailBatch first = poll(POLL);
        assertThat(of(first, "live")).isEqualTo(10);
        assertThat(of(first, "old")).isEqualTo(90);
        assertThat(of(poll(POLL), "old")).isEqualTo(100);
        write(live, "live", 3);
        TailBatch third = poll(POLL);
        assertThat(TestLogs.ids(third.items()).subList(0, 3)).allMatch(id -> id.startsWith("live"));
        assertThat(of(third, "old")).isEqualTo(97);
    }

    @Test
    void aBacklogThatThereIsNoRoomForWaitsAndLiveFilesDoNot() throws IOException {
        AppendFile old = file("a-old");
        write(old, "old", 300);
        millis += HOUR_MILLIS;
        AppendFile live = file("b-live");
        write(live, "live", 10);
        TailBatch none = poll(0);
        assertThat(of(none, "live")).isEqualTo(10);
        assertThat(of(none, "old")).isZero();
        assertThat(none.backlog().waits()).isTrue();
        assertThat(none.caughtUp()).isFalse();
        TailBatch seven = poll(7);
        assertThat(of(seven, "old")).isEqualTo(7);
        for (int i = 0; i < 3; i++) {
            poll(POLL);
        }
        TailBatch end = poll(POLL);
        assertThat(end.caughtUp()).isTrue();
        assertThat(end.backlog().waits()).isFalse();
    }

    /** Told by its events: its time of modification is new, since it is still being written. */
    @Test
    void aFileThatIsWrittenAndReadFarBehindHasABacklog() throws IOException {
        AppendFile behind = file("a-behind");
        write(behind, "old", 1_000);
        millis += HOUR_MILLIS;
        write(behind, "new", 1);
        AppendFile live = file("b-live");
        write(live, "live", 1_000);
        assertThat(of(poll(POLL), "old")).as("nothing is known of it yet").isEqualTo(100);
        assertThat(of(poll(POLL), "live")).isGreaterThanOrEqualTo(50);
        TailBatch batch = poll(POLL);
        assertThat(of(batch, "live")).isEqualTo(50);
        assertThat(of(batch, "old")).isEqualTo(50);
    }

    /** Its last event is old, and so is what others have long read; yet nothing is behind. */
    @Test
    void aFileThatWasQuietHasNoBacklogWhenItGrowsAgain() throws IOException {
        AppendFile quiet = file("a-quiet");
        write(quiet, "quiet", 1);
        AppendFile live = file("b-live");
        poll(POLL);
        for (int i = 0; i < 10; i++) {
            millis += HOUR_MILLIS;
            write(live, "live", 1);
            poll(POLL);
        }
        write(quiet, "quiet", 10);
        assertThat(tail.lag().sinceMillis()).isZero();
        TailBatch batch = poll(POLL);
        assertThat(of(batch, "quiet")).isEqualTo(10);
        assertThat(batch.backlog().files()).isEmpty();
    }

    @Test
    void equallyOldFilesAreReadByTurnsAsEver() throws IOException {
        AppendFile one = file("a-one");
        AppendFile two = file("b-two");
        write(one, "one", 200);
        write(two, "two", 200);
        millis += 100 * HOUR_MILLIS;
        assertThat(of(poll(0), "one")).isEqualTo(100);
        assertThat(of(poll(0), "two")).isEqualTo(100);
        assertThat(of(poll(0), "one")).isEqualTo(100);
    }

    /** A compressed file keeps its place while it has more, and a plain one does not. */
    @Test
    void compressedFilesWithABacklogLeavePlacesToLiveOnes() throws IOException {
        tail = tail(8);
        for (int i = 0; i < 12; i++) {
            StringBuilder lines = new StringBuilder();
            for (int k = 0; k < 2_000; k++) {
                lines.append(millis * 1_000).append(",old-").append(k).append('\n');
            }
            byte[] bytes = TestLogs.gzip(utf8(lines.toString()));
            AppendFile old = file("a-old-" + i);
            old.write(bytes, 0, bytes.length);
            old.sync();
        }
        millis += HOUR_MILLIS;
        AppendFile live = file("b-live");
        for (int i = 0; i < 60; i++) {
            write(live, "live", 1);
            TailBatch batch = poll(POLL);
            assertThat(of(batch, "live")).as("poll %d", i).isEqualTo(1);
            assertThat(of(batch, "old")).as("poll %d", i).isEqualTo(99);
        }
    }

    /** A compressor that died at once leaves it, and nothing more comes. */
    @Test
    void aFileTooShortToTellItsKindHasNoLag() throws IOException {
        AppendFile stump = file("a-stump");
        stump.write(new byte[] {0x1F}, 0, 1);
        stump.sync();
        millis += HOUR_MILLIS;
        assertThat(poll(POLL).caughtUp()).isTrue();
        assertThat(tail.lag()).isEqualTo(TailLag.NONE);
    }

    @Test
    void theLagIsTheAgeOfWhatIsFurthestBehind() throws IOException {
        assertThat(tail.lag()).isEqualTo(TailLag.NONE);
        long begun = millis;
        AppendFile old = file("a-old");
        write(old, "old", 150);
        millis += HOUR_MILLIS;
        AppendFile live = file("b-live");
        write(live, "live", 10);
        poll(0);
        assertThat(tail.lag().sinceMillis()).as("by its time of modification").isEqualTo(begun);
        assertThat(tail.lag().notBegunMillis()).isEqualTo(begun);
        assertThat(tail.lag().backlogBytes()).isEqualTo(tail.lag().bytes()).isPositive();
        assertThat(TailLag.seconds(tail.lag().sinceMillis(), millis)).isEqualTo(3_600);
        poll(50);
        assertThat(tail.lag().notBegunMillis()).isEqualTo(TailLag.NONE_WAITS);
        assertThat(tail.lag().sinceMillis()).as("all is fetched, a third is read").isEqualTo(begun);
        while (!poll(POLL).caughtUp()) {
            millis++;
        }
        assertThat(tail.lag()).isEqualTo(TailLag.NONE);
        assertThat(TailLag.earlier(0, 7)).isEqualTo(7);
        assertThat(TailLag.earlier(5, 7)).isEqualTo(5);
    }
}
