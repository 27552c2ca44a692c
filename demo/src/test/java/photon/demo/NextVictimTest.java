package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import photon.testbed.process.ProcessName;

class NextVictimTest {
    private static final List<ProcessName> DISPATCHERS = two(ProcessName.DISPATCHER);
    private static final List<ProcessName> STORES = two(ProcessName.EVENT_STORE);
    private static final List<ProcessName> JOINERS = two(ProcessName.JOINER);
    private static final List<ProcessName> ALL = all(List.of(JOINERS, STORES, DISPATCHERS));

    @Test
    void oneOfEachRoleIsTheFirst() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            assertThat(NextVictim.of(ALL, List.of(), random)).get().isIn(DISPATCHERS);
            assertThat(NextVictim.of(ALL, DISPATCHERS, random)).get().isIn(STORES);
            assertThat(NextVictim.of(ALL, all(List.of(STORES, DISPATCHERS)), random))
                    .get()
                    .isIn(JOINERS);
            // What was killed while no dispatcher could be does not change that.
            assertThat(NextVictim.of(ALL, all(List.of(JOINERS, STORES)), random))
                    .get()
                    .isIn(DISPATCHERS);
        }
    }

    @Test
    void afterThatItIsAny() {
        Random random = new Random(1);
        Set<ProcessName> seen = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            NextVictim.of(ALL, ALL, random).ifPresent(seen::add);
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(ALL);
    }

    @Test
    void onlyThoseThatMayBe() {
        Random random = new Random(1);
        assertThat(NextVictim.of(JOINERS, List.of(), random)).get().isIn(JOINERS);
        assertThat(NextVictim.of(STORES, STORES, random)).get().isIn(STORES);
        assertThat(NextVictim.of(List.of(), DISPATCHERS, random)).isEmpty();
    }

    private static List<ProcessName> all(Collection<List<ProcessName>> some) {
        return some.stream().flatMap(List::stream).toList();
    }

    private static List<ProcessName> two(String role) {
        return List.of(of(role, 0), of(role, 1));
    }

    private static ProcessName of(String role, int number) {
        return new ProcessName("east", role, role + "-" + number);
    }
}
