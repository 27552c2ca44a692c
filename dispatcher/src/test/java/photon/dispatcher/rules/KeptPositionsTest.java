package photon.dispatcher.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.FilePosition;
import photon.storage.tail.GoneFiles;

class KeptPositionsTest {
    private static final long NOW = Duration.ofDays(100).toMillis();
    private static final long NO_BOUNDARY = Long.MIN_VALUE;

    private final KeptPositions kept =
            new KeptPositions(new Checkpoint(1, List.of()), NOW, KeptPositions.MOVED_MAX);

    private static FilePosition file(String key, Duration age) {
        return new FilePosition("/logs/" + key, key, 0, "", 10, NOW - age.toMillis());
    }

    private static long boundary(Duration retention) {
        return TimeUnit.MILLISECONDS.toMicros(NOW - retention.toMillis());
    }

    private List<FilePosition> all() {
        return Objects.requireNonNull(kept.take(true).whole());
    }

    @Test
    void aFileThatIsThereStaysHoweverOldItIs() {
        kept.learn(0, file("old", Duration.ofDays(50)));
        assertThat(kept.drop(List.of(), boundary(Duration.ofDays(1)), NOW)).isEmpty();
        assertThat(all()).hasSize(1);
    }

    @Test
    void anAbsentFileIsDroppedOnceTheBoundaryHasPassedAllThatItCanHold() {
        FilePosition gone = file("gone", Duration.ofDays(2));
        kept.learn(0, gone);
        assertThat(kept.drop(List.of(gone), boundary(Duration.ofDays(3)), NOW)).isEmpty();
        assertThat(kept.drop(List.of(gone), boundary(Duration.ofDays(2)), NOW))
                .as("its time of modification may be a little early")
                .isEmpty();
        assertThat(kept.drop(List.of(gone), boundary(Duration.ofDays(1)), NOW))
                .containsExactly("gone");
        assertThat(all()).isEmpty();
        assertThat(kept.take(false).gone()).isEqualTo(GoneFiles.NONE);
    }

    @Test
    void whereTheBoundaryDoesNotMoveAnAbsentFileIsCountedAfterAWeek() {
        FilePosition young = file("young", Duration.ofDays(6));
        FilePosition older = file("older", Duration.ofDays(9));
        FilePosition old = file("old", Duration.ofDays(8));
        List<FilePosition> gone = List.of(young, old, older);
        gone.forEach(position -> kept.learn(0, position));
        assertThat(kept.drop(gone, NO_BOUNDARY, NOW)).containsExactly("old", "older");
        CheckpointFiles.Change change = kept.take(true);
        assertThat(change.whole()).containsExactly(young);
        assertThat(change.gone()).isEqualTo(new GoneFiles(2, "/logs/old", old.modifiedMillis()));
    }

    @Test
    void whatWasCountedIsForgottenOnceTheBoundaryHasPassedIt() {
        FilePosition old = file("old", Duration.ofDays(20));
        kept.learn(0, old);
        kept.drop(List.of(old), boundary(Duration.ofDays(30)), NOW);
        assertThat(kept.take(true).gone().files()).isEqualTo(1);
        kept.drop(List.of(), boundary(Duration.ofDays(10)), NOW);
        assertThat(kept.take(true).gone()).isEqualTo(GoneFiles.NONE);
    }

    @Test
    void aFileOfWhichNothingWasReadIsNotCounted() {
        FilePosition empty = new FilePosition("/logs/e", "e", 0, "", 0, 1);
        kept.learn(0, empty);
        kept.drop(List.of(empty), NO_BOUNDARY, NOW);
        assertThat(kept.take(true))
                .isEqualTo(new CheckpointFiles.Change(List.of(), List.of(), GoneFiles.NONE));
    }

    /** What was sent of it may be in the hands of a joiner that has died. */
    @Test
    void aFileThatWasReadAndOfWhichNothingIsDoneIsCounted() {
        FilePosition begun = new FilePosition("/logs/b", "b", 80, "aa", 0, 1);
        kept.learn(0, begun);
        kept.drop(List.of(begun), NO_BOUNDARY, NOW);
        assertThat(kept.take(true).gone()).isEqualTo(new GoneFiles(1, "/logs/b", 1));
    }

    /** As after a partition has moved to another machine, or a volume was mounted anew. */
    @Test
    void aFileThatIsThereUnderAnotherKeyHasNotGone() {
        FilePosition here = new FilePosition("/logs/a", "dev2:7", 80, "aa", 10, 1);
        FilePosition before = new FilePosition("/logs/a", "dev1:7", 80, "aa", 10, 1);
        FilePosition readFurther = new FilePosition("/logs/a", "dev0:7", 80, "aa", 11, 1);
        FilePosition another = new FilePosition("/logs/b", "dev1:8", 80, "bb", 10, 1);
        List.of(here, before, readFurther, another).forEach(one -> kept.learn(0, one));
        kept.drop(List.of(before), NO_BOUNDARY, NOW);
        assertThat(kept.take(true).gone()).isEqualTo(GoneFiles.NONE);
        kept.drop(List.of(readFurther, another), NO_BOUNDARY, NOW);
        assertThat(kept.take(true).gone().files()).isEqualTo(2);
        kept.drop(List.of(here), NO_BOUNDARY, NOW);
        assertThat(kept.take(true).gone().files()).as("none of its keys stands").isEqualTo(3);
    }

    @Test
    void anEndOfAReplacedFileDoesNotHideTheOneAfterIt() {
        FilePosition before = new FilePosition("/logs/a", "a", 0, "", 500, NOW);
        FilePosition after = new FilePosition("/logs/a", "a", 0, "", 3, NOW);
        kept.learn(1, after);
        kept.learn(0, before);
        assertThat(all()).containsExactly(after);
    }

    /** A year of hourly files of 100 producers, of which three days exist; retention a day. */
    @Test
    void aYearOfFilesCostsWhatMovesAndKeepsWhatIsNeeded() {
        int producers = 100;
        int hours = 365 * 24;
        int present = 3 * 24;
        long positionsWritten = 0;
        int mostInADocument = 0;
        int mostKept = 0;
        for (int hour = 0; hour < hours; hour++) {
            long now = NOW + Duration.ofHours(hour).toMillis();
            for (int producer = 0; producer < producers; producer++) {
                kept.learn(hour, named(hour, producer, now));
            }
            boolean whole = kept.wholeIsDue();
            if (whole) {
                long boundary = TimeUnit.MILLISECONDS.toMicros(now - Duration.ofDays(1).toMillis());
                kept.drop(absent(hour - present, producers), boundary, now);
            }
            CheckpointFiles.Change change = kept.take(whole);
            int all = change.whole() == null ? 0 : change.whole().size();
            positionsWritten += change.moved().size() + all;
            mostInADocument = Math.max(mostInADocument, change.moved().size());
            mostKept = Math.max(mostKept, kept.size());
        }
        assertThat(mostKept).isLessThan(producers * present + 4 * KeptPositions.MOVED_MAX);
        assertThat(mostInADocument).isLessThan(2 * KeptPositions.MOVED_MAX);
        assertThat(positionsWritten / hours).isLessThan(2 * KeptPositions.MOVED_MAX);
    }

    private static FilePosition named(int hour, int producer, long modified) {
        String name = "p" + producer + "-" + hour;
        return new FilePosition("/logs/" + name, name, 0, "", 1, modified);
    }

    /** Of the last day: what is older was dropped before. */
    private static List<FilePosition> absent(int before, int producers) {
        List<FilePosition> absent = new ArrayList<>();
        for (int hour = Math.max(0, before - 24); hour < before; hour++) {
            for (int producer = 0; producer < producers; producer++) {
                absent.add(named(hour, producer, 0));
            }
        }
        return absent;
    }
}
