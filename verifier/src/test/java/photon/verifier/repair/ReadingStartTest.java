package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import photon.storage.tail.CheckpointHistory;
import photon.storage.tail.FilePosition;

/** Where a repair starts to read that looks for an event of second 1,000. */
final class ReadingStartTest {
    private static final long LAST = 1_000_000 - ReadingStart.SLACK_MILLIS;

    private static CheckpointHistory history(CheckpointHistory.Entry... entries) {
        CheckpointHistory history = CheckpointHistory.EMPTY;
        for (CheckpointHistory.Entry entry : entries) {
            history = history.with(entry);
        }
        return history;
    }

    private static CheckpointHistory.Entry at(long millis, FilePosition... positions) {
        return new CheckpointHistory.Entry(millis, List.of(positions));
    }

    private static FilePosition position(int file, long offset) {
        return new FilePosition("/logs/" + file, "1:" + file, 5, "aa", offset);
    }

    private static List<FilePosition> start(CheckpointHistory... partitions) {
        return ReadingStart.of(() -> List.of(partitions), TimeUnit.SECONDS.toMicros(1_000));
    }

    @Test
    void eachPartitionStartsAtItsOwnNewestCheckpointOfBefore() {
        CheckpointHistory one =
                history(
                        at(500_000, position(1, 10)),
                        at(LAST, position(1, 20), position(2, 0)),
                        at(LAST + 1, position(1, 30)));
        CheckpointHistory other =
                history(at(700_000, position(3, 40)), at(2_000_000, position(3, 50)));
        assertThat(start(one, other)).containsExactly(position(1, 20), position(3, 40));
        assertThat(start(other, one)).containsExactly(position(3, 40), position(1, 20));
    }

    /** A partition in which no file has ever moved must not make a repair read all others. */
    @Test
    void filesOfAPartitionWithoutACheckpointOfBeforeAreReadWhole() {
        CheckpointHistory one = history(at(500_000, position(1, 10)));
        CheckpointHistory late = history(at(LAST + 1, position(3, 50)));
        assertThat(start(CheckpointHistory.EMPTY, one, late)).containsExactly(position(1, 10));
        assertThat(start(CheckpointHistory.EMPTY, late)).isEmpty();
    }

    @Test
    void withoutAHistoryEverythingIsRead() {
        assertThat(start(CheckpointHistory.EMPTY)).isEmpty();
        assertThat(
                        ReadingStart.of(
                                () -> {
                                    throw new IOException("unmounted");
                                },
                                TimeUnit.SECONDS.toMicros(1_000)))
                .isEmpty();
    }
}
