package photon.eventstore.tail;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import photon.storage.tail.TailLag;

class ReadFrontierTest {
    private final ReadFrontier frontier = new ReadFrontier();

    @Test
    void itIsWhereTheLogIsThatIsFurthestBehind() {
        assertThat(frontier.micros(file -> true, TailLag.NONE_WAITS)).isEqualTo(Long.MIN_VALUE);
        frontier.read(1, 9_000_000);
        frontier.read(2, 5_000_000);
        assertThat(frontier.micros(file -> true, TailLag.NONE_WAITS)).isEqualTo(5_000_000);
        assertThat(frontier.micros(file -> file == 1, TailLag.NONE_WAITS)).isEqualTo(9_000_000);
    }

    /** New logs are read before old ones: what is read of those says nothing of these. */
    @Test
    void itDoesNotPassOldLogsOfWhichNothingWasRead() {
        frontier.read(1, 9_000_000);
        assertThat(frontier.micros(file -> true, 3_000)).isEqualTo(3_000_000);
        assertThat(frontier.micros(file -> true, 10_000)).isEqualTo(9_000_000);
        assertThat(frontier.micros(file -> true, TailLag.NONE_WAITS)).isEqualTo(9_000_000);
    }
}
