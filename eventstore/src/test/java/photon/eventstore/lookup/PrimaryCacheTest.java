package photon.eventstore.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.eventstore.Events.event;
import static photon.eventstore.Events.key;

import org.junit.jupiter.api.Test;
import photon.proto.v1.Event;

class PrimaryCacheTest {
    private static final int BYTES_MAX = 40_000;

    private final PrimaryCache cache = new PrimaryCache(BYTES_MAX);

    private static Event large(int number) {
        return event("e" + number, "{\"text\":\"" + "x".repeat(100) + "\"}");
    }

    @Test
    void itKeepsTheNewestWithinItsBytes() {
        for (int i = 0; i < 1_000; i++) {
            cache.put(large(i));
            assertThat(cache.bytes()).isBetween(1L, (long) BYTES_MAX);
        }
        int kept = 0;
        while (cache.get(key("e" + (999 - kept))) != null) {
            kept++;
        }
        // Never less than half of what fits.
        assertThat(kept).isGreaterThan(BYTES_MAX / 2 / (250 + large(999).getSerializedSize()) - 1);
        for (int i = 0; i < 1_000 - kept; i++) {
            assertThat(cache.get(key("e" + i))).isNull();
        }
    }

    @Test
    void theLastOfOneIdCounts() {
        cache.put(large(1));
        long bytes = cache.bytes();
        Event last = event("e1", "{\"text\":\"" + "y".repeat(100) + "\"}");
        for (int i = 0; i < 1_000; i++) {
            cache.put(last);
        }
        assertThat(cache.get(key("e1"))).isEqualTo(last);
        assertThat(cache.bytes()).isEqualTo(bytes);
    }

    @Test
    void oneThatIsInTheElderGenerationIsReplacedToo() {
        cache.put(event("old", "{\"n\":1}"));
        long one = cache.bytes();
        for (int i = 0; cache.bytes() < BYTES_MAX / 2 + one; i++) {
            cache.put(large(i));
        }
        assertThat(cache.get(key("old"))).isEqualTo(event("old", "{\"n\":1}"));
        cache.put(event("old", "{\"n\":2}"));
        assertThat(cache.get(key("old"))).isEqualTo(event("old", "{\"n\":2}"));
    }

    @Test
    void withoutRoomItKeepsNothing() {
        PrimaryCache none = new PrimaryCache(0);
        none.put(large(1));
        assertThat(none.get(key("e1"))).isNull();
        assertThat(none.bytes()).isZero();
    }
}
