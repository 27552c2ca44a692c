package photon.idregistry.leaders;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static Placement of(int... weights) {
        return new Placement(
                IntStream.range(0, weights.length)
                        .mapToObj(i -> new Placement.Server("r" + i, weights[i]))
                        .toList());
    }

    private static List<String> preferred(Placement placement, int count) {
        return IntStream.range(0, count).mapToObj(placement::preferredLeader).toList();
    }

    @Test
    void serversOfOneWeightTakeTurns() {
        List<String> turns = List.of("r0", "r1", "r2", "r0", "r1");
        assertThat(preferred(of(1, 1, 1), 5)).isEqualTo(turns);
        assertThat(preferred(of(7, 7, 7), 5)).isEqualTo(turns);
        assertThat(preferred(of(0, 0, 0), 5)).as("somebody must lead").isEqualTo(turns);
    }

    @Test
    void eachGetsItsShareAndNeverMuchOfItInARow() {
        for (int[] weights : new int[][] {{2, 1, 1}, {5, 1, 0}, {3, 2, 2}, {1, 100, 3}}) {
            int total = Arrays.stream(weights).sum();
            List<String> preferred = preferred(of(weights), 3 * total);
            Map<String, Integer> counts = new HashMap<>();
            preferred.forEach(home -> counts.merge(home, 1, Integer::sum));
            for (int i = 0; i < weights.length; i++) {
                assertThat(counts.getOrDefault("r" + i, 0)).isEqualTo(3 * weights[i]);
            }
        }
        assertThat(preferred(of(2, 1, 1), 4)).containsExactly("r0", "r1", "r2", "r0");
    }

    @Test
    void whoShouldNotLeadIsTheLastChoice() {
        Placement placement = of(0, 2, 1);
        for (int place = 0; place < 6; place++) {
            List<String> order = placement.preference(place);
            assertThat(order)
                    .hasSize(3)
                    .endsWith("r0")
                    .startsWith(placement.preferredLeader(place));
        }
        assertThat(placement.avoided("r0")).isTrue();
        assertThat(placement.avoided("r1")).isFalse();
    }

    @Test
    void theOthersOfAServerThatGoesShareItsGroups() {
        Placement placement = of(1, 1, 1);
        assertThat(placement.preference(0)).containsExactly("r0", "r1", "r2");
        assertThat(placement.preference(2)).containsExactly("r2", "r0", "r1");
    }
}
