package photon.simulation.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Against a sorted list. */
class DueQueueTest {
    private record Added(long nanos, int number) {}

    @Test
    void givesTheSoonestAndOfOneMomentTheFirst() {
        SplittableRandom random = new SplittableRandom(5);
        DueQueue queue = new DueQueue();
        List<Added> model = new ArrayList<>();
        List<Integer> ran = new ArrayList<>();
        for (int i = 0; i < 8_000; i++) {
            if (model.isEmpty() || random.nextInt(100) < (i < 5_000 ? 60 : 45)) {
                int number = i;
                long nanos = random.nextInt(200);
                queue.add(nanos, () -> ran.add(number));
                model.add(new Added(nanos, number));
            } else {
                Added first =
                        model.stream()
                                .min(
                                        Comparator.comparingLong(Added::nanos)
                                                .thenComparingInt(Added::number))
                                .orElseThrow();
                model.remove(first);
                assertThat(queue.firstNanos()).isEqualTo(first.nanos);
                queue.remove().run();
                assertThat(ran.get(ran.size() - 1)).isEqualTo(first.number);
            }
            assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
        }
    }
}
