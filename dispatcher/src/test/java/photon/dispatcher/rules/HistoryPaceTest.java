package photon.dispatcher.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryPaceTest {
    private static List<Integer> due(int files, int seconds) {
        HistoryPace pace = new HistoryPace();
        List<Integer> due = new ArrayList<>();
        for (int second = 0; second < seconds; second++) {
            if (pace.isDue(1_000_000 + second * 1_000L, files)) {
                due.add(second);
            }
        }
        return due;
    }

    @Test
    void anEntryIsMadeEveryTenSecondsAndTheRarerTheMoreFilesThereAre() {
        assertThat(due(0, 50)).containsExactly(0, 10, 20, 30, 40);
        assertThat(due(499, 50)).containsExactly(0, 10, 20, 30, 40);
        assertThat(due(7_200, 400)).containsExactly(0, 150, 300);
    }

    @Test
    void aClockThatWasSetBackMakesOneAtOnce() {
        HistoryPace pace = new HistoryPace();
        assertThat(pace.isDue(1_000_000, 1)).isTrue();
        assertThat(pace.isDue(999_999, 1)).isTrue();
        assertThat(pace.isDue(1_000_000, 1)).isFalse();
    }
}
