package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import photon.core.metrics.Percentiles;

/** {@link Percentiles} and {@link DelayTally}. */
class DelaysTest {
    private final DelayTally tally = new DelayTally();

    @Test
    void aPercentileIsAValueThatWasThere() {
        assertThat(Percentiles.of(List.of(), 50)).isEmpty();
        assertThat(Percentiles.of(List.of(3.0), 1)).hasValue(3);
        assertThat(Percentiles.of(List.of(4.0, 1.0, 3.0, 2.0), 50)).hasValue(2);
        assertThat(Percentiles.of(List.of(4.0, 1.0, 3.0, 2.0), 51)).hasValue(3);
        List<Double> hundred = IntStream.rangeClosed(1, 100).mapToObj(i -> (double) i).toList();
        assertThat(Percentiles.of(hundred, 99)).hasValue(99);
        assertThat(Percentiles.of(hundred, 100)).hasValue(100);
    }

    @Test
    void aHistogramGivesTheBoundOfTheBucket() {
        TreeMap<Long, Long> counts = new TreeMap<>(Map.of(10L, 98L, 20L, 1L, 30L, 1L));
        assertThat(Percentiles.of(counts, 98)).hasValue(10);
        assertThat(Percentiles.of(counts, 99)).hasValue(20);
        assertThat(Percentiles.of(counts, 99.5)).hasValue(30);
        assertThat(Percentiles.of(new TreeMap<>(), 99)).isEmpty();
    }

    @Test
    void onlyWhatGrowsInAWindowCounts() {
        tally.observe("east/joiner", Map.of(10L, 5L), false);
        tally.observe("east/joiner", Map.of(10L, 7L, 20L, 1L), true);
        tally.observe("east/joiner", Map.of(10L, 90L, 20L, 1L), false);
        tally.observe("east/joiner", Map.of(10L, 91L, 20L, 3L), true);
        assertThat(tally.counts()).containsExactly(Map.entry(10L, 3L), Map.entry(20L, 3L));
    }

    @Test
    void processesAreAddedUpAndAStartAnewBeginsAtNothing() {
        tally.observe("east/joiner", Map.of(10L, 5L), true);
        tally.observe("west/joiner", Map.of(10L, 2L), true);
        tally.observe("east/joiner", Map.of(10L, 3L, 20L, 9L), true);
        tally.observe("east/joiner", Map.of(10L, 4L, 20L, 9L), true);
        assertThat(tally.counts()).containsExactly(Map.entry(10L, 11L), Map.entry(20L, 9L));
    }
}
