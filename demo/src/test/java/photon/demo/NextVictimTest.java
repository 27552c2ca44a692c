package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import photon.testbed.process.ProcessName;

class NextVictimTest {
    private static final List<ProcessName> DISPATCHERS =
            List.of(of(ProcessName.DISPATCHER, 0), of(ProcessName.DISPATCHER, 1));
    private static final List<ProcessName> JOINERS =
            List.of(of(ProcessName.JOINER, 0), of(ProcessName.JOINER, 1));

    @Test
    void aDispatcherIsTheFirst() {
        for (int seed = 0; seed < 50; seed++) {
            assertThat(NextVictim.of(DISPATCHERS, JOINERS, List.of(), new Random(seed)))
                    .get()
                    .isIn(DISPATCHERS);
            // Joiners that were killed while no dispatcher could be do not change that.
            assertThat(NextVictim.of(DISPATCHERS, JOINERS, JOINERS, new Random(seed)))
                    .get()
                    .isIn(DISPATCHERS);
        }
    }

    @Test
    void afterThatItIsAny() {
        Random random = new Random(1);
        Set<ProcessName> seen = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            NextVictim.of(DISPATCHERS, JOINERS, DISPATCHERS, random).ifPresent(seen::add);
        }
        assertThat(seen).containsAll(DISPATCHERS).containsAll(JOINERS);
    }

    @Test
    void onlyThoseThatMayBe() {
        assertThat(NextVictim.of(List.of(), JOINERS, List.of(), new Random(1))).get().isIn(JOINERS);
        assertThat(NextVictim.of(List.of(), List.of(), DISPATCHERS, new Random(1))).isEmpty();
    }

    private static ProcessName of(String role, int number) {
        return new ProcessName("east", role, role + "-" + number);
    }
}
