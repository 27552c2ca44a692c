package photon.verifier.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import photon.core.id.EventId;

final class IdIndexTest {
    @Test
    void numbersIdentitiesAsAMapWould() {
        SplittableRandom random = new SplittableRandom(7);
        IdIndex index = new IdIndex();
        Map<EventId, Integer> model = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            EventId id = randomId(random);
            assertThat(index.find(id)).isEqualTo(model.getOrDefault(id, IdIndex.ABSENT));
            model.putIfAbsent(id, model.size());
            assertThat(index.add(id)).isEqualTo(model.get(id));
        }
        assertThat(index.size()).isEqualTo(model.size()).isBetween(5_000, 49_000);
        model.forEach((id, number) -> assertThat(index.get(number)).isEqualTo(id));
    }

    @Test
    void columnsAreZeroUntilSet() {
        IntColumn ints = new IntColumn();
        LongColumn longs = new LongColumn();
        ints.add(9_999, 3);
        longs.set(9_999, -5);
        assertThat(ints.add(9_999, 4)).isEqualTo(7);
        assertThat(longs.get(9_999)).isEqualTo(-5);
        assertThat(ints.get(9_998) + ints.get(1_000_000) + longs.get(0)).isZero();
    }

    /** Alike in all but one part, whichever that is. */
    private static EventId randomId(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> new EventId(random.nextInt(9_000), 1, 1, 1);
            case 1 -> new EventId(1, random.nextInt(9_000), 1, 1);
            case 2 -> new EventId(1, 1, random.nextInt(9_000), 1);
            default -> new EventId(1, 1, 1, random.nextInt(9_000));
        };
    }
}
