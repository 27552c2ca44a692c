package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.storage.files.MemoryFileStore;
import photon.storage.tail.CheckpointHistory.Entry;

final class CheckpointHistoryTest {
    private static final String DIRECTORY = "/state/checkpoint";
    private static final long SECOND = 1_000;

    private final MemoryFileStore files = new MemoryFileStore();

    private static Entry entry(long atMillis) {
        return new Entry(atMillis, List.of(new FilePosition("/logs/a", "key", 4, "ab", atMillis)));
    }

    private static CheckpointHistory of(long... times) {
        CheckpointHistory history = CheckpointHistory.EMPTY;
        for (long time : times) {
            history = history.with(entry(time));
        }
        return history;
    }

    private static List<Long> times(CheckpointHistory history) {
        return history.entries().stream().map(Entry::atMillis).toList();
    }

    @Test
    void theNewestOfBeforeIsHandedOutAndNoneOfAfter() {
        CheckpointHistory history = of(100, 200, 300);
        assertThat(history.before(250)).contains(entry(200));
        assertThat(history.before(200)).contains(entry(200));
        assertThat(history.before(99)).isEmpty();
        assertThat(history.before(Long.MAX_VALUE)).contains(entry(300));
    }

    /** A month of one each ten seconds: some dozens stay, the distances grow with the age. */
    @Test
    void theOlderTheFewerAndNoGapIsLargerThanAThirdOfItsAge() {
        CheckpointHistory history = CheckpointHistory.EMPTY;
        long begin = 1_000_000_000L;
        long end = begin + Duration.ofDays(30).toMillis();
        for (long now = begin; now <= end; now += 10 * SECOND) {
            history = history.with(entry(now));
            if (now % (1_000 * SECOND) != 0) {
                continue;
            }
            List<Long> times = times(history);
            assertThat(times).isSorted().hasSizeLessThanOrEqualTo(80);
            assertThat(times.get(0)).as("the first stays").isEqualTo(begin);
            for (int i = 1; i < times.size(); i++) {
                long gap = times.get(i) - times.get(i - 1);
                long age = now - times.get(i);
                assertThat(gap).isLessThanOrEqualTo(10 * SECOND + age / 3);
            }
        }
        assertThat(history.entries()).hasSizeGreaterThan(20);
    }

    @Test
    void entriesOfATimeToComeGo() {
        assertThat(times(of(100, 90_000_000, 200))).containsExactly(100L, 200L);
    }

    @Test
    void manyFilesMakeFewerEntries() {
        List<FilePosition> many = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            many.add(new FilePosition("/logs/" + i, "key-" + i, 4, "ab", i));
        }
        CheckpointHistory history = CheckpointHistory.EMPTY;
        for (int i = 1; i <= 10; i++) {
            history = history.with(new Entry(i, many));
        }
        assertThat(times(history)).containsExactly(7L, 8L, 9L, 10L);
    }

    @Test
    void itIsReadBackAsItWasWritten() throws IOException {
        files.createDirectories(DIRECTORY);
        assertThat(CheckpointHistory.read(files, DIRECTORY).entries()).isEmpty();
        CheckpointHistory.add(files, DIRECTORY, entry(100));
        CheckpointHistory.add(files, DIRECTORY, entry(20_000));
        assertThat(CheckpointHistory.read(files, DIRECTORY).entries())
                .containsExactly(entry(100), entry(20_000));
        assertThat(CheckpointHistory.read(files, "/nowhere").entries()).isEmpty();
    }
}
