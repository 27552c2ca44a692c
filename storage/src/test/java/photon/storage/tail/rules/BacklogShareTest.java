package photon.storage.tail.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BacklogShareTest {
    /** However many are asked for at a time: nothing is lost in rounding, and nobody starves. */
    @ParameterizedTest
    @ValueSource(ints = {1, 10, 50, 99})
    void overTimeTheBacklogHasItsShare(int percent) {
        BacklogShare share = new BacklogShare(percent);
        SplittableRandom random = new SplittableRandom(3);
        long all = 0;
        long backlogs = 0;
        for (int i = 0; i < 20_000; i++) {
            int count = random.nextInt(5) == 0 ? random.nextInt(1, 2_000) : 1;
            int own = share.ofNext(count);
            assertThat(own).isBetween(0, count);
            all += count;
            backlogs += own;
            assertThat(backlogs).isEqualTo(all * percent / 100);
        }
    }
}
