package photon.simulation.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A bound that no world reaches is one of which no world shows that it is kept. */
class LimitsAreMetTest {
    private static final int SEEDS = 24;

    @Test
    void worldsRunIntoTheLimitsThatTheyAreGiven() {
        Set<String> met = new TreeSet<>();
        long woken = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Map<String, Long> totals = OneSeed.run(seed, false).totals();
            totals.keySet().stream().filter(name -> name.startsWith("met.")).forEach(met::add);
            woken += totals.getOrDefault("woken", 0L);
        }
        assertThat(woken).describedAs("rows tried since a hint came").isPositive();
        assertThat(met)
                .contains(
                        "met.admitted events",
                        "met.commit entries of one shard",
                        "met.events held",
                        "met.events on their way",
                        "met.rows on their way");
    }
}
