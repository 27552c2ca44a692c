package photon.simulation.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import photon.simulation.checks.SlotPairs.Live;

final class SlotPairsTest {
    @Test
    void oneProcessMayHaveBothSlotsAndTwoMayNot() {
        Live first = new Live("east/joiner-0", "1-1", "a");
        Live rolled = new Live("east/joiner-0~b", "2-1", "a");
        Live other = new Live("east/joiner-0~b", "2-2", "b");
        Live neighbour = new Live("east/joiner-01", "3-1", "b");
        assertThat(new SlotPairs(() -> List.of(first, rolled, neighbour)).check()).isEmpty();
        assertThat(new SlotPairs(() -> List.of(first, other, neighbour)).check()).hasSize(1);
    }
}
