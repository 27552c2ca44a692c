package photon.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import photon.core.error.BugException;

class HistogramTest {
    @Test
    void aValueCountsAtTheFirstBoundThatItDoesNotExceed() {
        Histogram histogram = new Histogram(10, 20, 40);
        for (long value : new long[] {-1, 0, 10, 11, 20, 39, 40, 41, 1_000}) {
            histogram.record(value);
        }
        Histogram.Counts counts = histogram.counts();
        assertThat(counts.bounds()).containsExactly(10, 20, 40);
        assertThat(counts.counts()).containsExactly(3, 2, 2, 2);
        assertThat(counts.sum()).isEqualTo(-1 + 10 + 11 + 20 + 39 + 40 + 41 + 1_000);
    }

    @Test
    void nothingIsLostBetweenThreads() {
        Histogram histogram = new Histogram(1, 2);
        IntStream.range(0, 30_000).parallel().forEach(n -> histogram.record(n % 3 + 1));
        assertThat(histogram.counts().counts()).containsExactly(10_000, 10_000, 10_000);
        assertThat(histogram.counts().sum()).isEqualTo(60_000);
    }

    @Test
    void boundsAscend() {
        assertThatThrownBy(() -> new Histogram(1, 1)).isInstanceOf(BugException.class);
    }
}
