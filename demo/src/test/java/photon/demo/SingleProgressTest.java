package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SingleProgressTest {
    private final List<String> told = new ArrayList<>();

    private void run(boolean shownOtherwise) {
        SingleProgress progress = new SingleProgress(told::add, 0, shownOtherwise);
        progress.at(4_900, 100, 40);
        progress.at(5_000, 4_000, 1_900);
        progress.at(9_900, 8_000, 3_900);
        progress.at(62_000, 80_000, 39_000);
    }

    @Test
    void tellsEveryFiveSeconds() {
        run(false);
        assertThat(told)
                .containsExactly(
                        "00:05  2,000 records read by each datacenter, 1,900 clicks joined",
                        "01:02  40,000 records read by each datacenter, 39,000 clicks joined");
    }

    @Test
    void tellsNothingWhereATerminalShowsIt() {
        run(true);
        assertThat(told).isEmpty();
    }
}
