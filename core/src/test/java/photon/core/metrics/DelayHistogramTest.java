package photon.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class DelayHistogramTest {
    private final DelayHistogram histogram = new DelayHistogram();

    @Test
    void shortDelaysAreToldApart() {
        for (int micros = 0; micros < 32; micros++) {
            histogram.record(micros);
            histogram.record(micros);
        }
        assertThat(histogram.counts()).hasSize(32).containsEntry(0L, 2L).containsEntry(31L, 2L);
    }

    @Test
    void aDelayIsKnownToASixteenth() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            long micros = random.nextLong() >>> (22 + random.nextInt(40));
            DelayHistogram one = new DelayHistogram();
            one.record(micros);
            SortedMap<Long, Long> counts = one.counts();
            assertThat(counts).hasSize(1).containsValue(1L);
            assertThat(counts.firstKey()).isBetween(micros, micros + micros / 16);
        }
    }

    @Test
    void everyBucketEndsWhereTheNextBegins() {
        long longest = -1;
        while (longest < 1L << 41) {
            DelayHistogram one = new DelayHistogram();
            one.record(longest + 1);
            long next = one.counts().firstKey();
            assertThat(next).isGreaterThan(longest);
            DelayHistogram last = new DelayHistogram();
            last.record(next);
            assertThat(last.counts()).containsOnlyKeys(next);
            longest = next;
        }
    }

    @Test
    void whatIsOutsideCountsAsTheNearest() {
        histogram.record(-1);
        histogram.record(Long.MIN_VALUE);
        histogram.record(Long.MAX_VALUE);
        assertThat(histogram.counts()).isEqualTo(Map.of(0L, 2L, (1L << 42) - 1, 1L));
    }
}
