package photon.bench.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long BEGAN = -5 * SECOND;

    private final Latencies latencies = new Latencies(BEGAN, 3);

    private void record(long answeredAfterNanos, long micros) {
        long answered = BEGAN + answeredAfterNanos;
        latencies.record(answered - micros * 1_000, answered);
    }

    @Test
    void percentilesAreWithinASixteenth() {
        for (int i = 1; i <= 1_000; i++) {
            record(SECOND, i * 1_000L);
        }
        Latencies.Summary all = Latencies.of(List.of(latencies), second -> true);
        assertThat(all.calls()).isEqualTo(1_000);
        assertThat(all.percentileMillis(50).orElseThrow()).isBetween(500.0, 500 * 17 / 16.0);
        assertThat(all.percentileMillis(99).orElseThrow()).isBetween(990.0, 990 * 17 / 16.0);
        assertThat(all.percentileMillis(99.9).orElseThrow()).isBetween(999.0, 999 * 17 / 16.0);
        assertThat(all.maxMillis().orElseThrow()).isBetween(1_000.0, 1_000 * 17 / 16.0);
    }

    @Test
    void onlyWhatIsAnsweredInTheMeasuredTimeCounts() {
        record(-1, 10);
        record(0, 11);
        record(3 * SECOND - 1, 12);
        record(3 * SECOND, 13);
        Latencies.Summary all = Latencies.of(List.of(latencies), second -> true);
        assertThat(all.counts().keySet()).containsExactly(11L, 12L);
    }

    @Test
    void secondsAreToldApartAndConnectionsAdded() {
        record(0, 5);
        record(SECOND, 6);
        record(2 * SECOND, 7);
        Latencies other = new Latencies(BEGAN, 3);
        other.record(BEGAN, BEGAN + SECOND + 6_000);
        List<Latencies> both = List.of(latencies, other);
        assertThat(Latencies.of(both, second -> second == 1).calls()).isEqualTo(2);
        assertThat(Latencies.of(both, second -> second != 1).counts().keySet())
                .containsExactly(5L, 7L);
    }

    @Test
    void nothingHasNoPercentile() {
        Latencies.Summary none = Latencies.of(List.of(latencies), second -> true);
        assertThat(none.percentileMillis(50)).isEmpty();
        assertThat(none.maxMillis()).isEmpty();
    }
}
