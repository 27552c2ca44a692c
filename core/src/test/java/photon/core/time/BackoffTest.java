package photon.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class BackoffTest {
    private final Backoff backoff =
            new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30), new SplittableRandom(1));

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    @Test
    void doublesUpToItsLimitWithJitterBelow() {
        assertThat(backoff.afterFailures(1)).isBetween(millis(250), millis(500));
        assertThat(backoff.afterFailures(3)).isBetween(millis(1_000), millis(2_000));
        assertThat(backoff.afterFailures(60)).isBetween(millis(15_000), millis(30_000));
        assertThat(backoff.afterWaiting(Duration.ZERO)).isBetween(millis(250), millis(500));
        assertThat(backoff.afterWaiting(millis(4_000))).isBetween(millis(2_000), millis(4_000));
        assertThat(backoff.afterWaiting(millis(Long.MAX_VALUE)))
                .isBetween(millis(15_000), millis(30_000));
        assertThat(backoff.max()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void delaysDifferAndFollowFromTheRandomNumbersAlone() {
        Backoff same = new Backoff(millis(500), Duration.ofSeconds(30), new SplittableRandom(1));
        long different = 0;
        Duration last = Duration.ZERO;
        for (int i = 0; i < 100; i++) {
            Duration delay = backoff.afterFailures(5);
            assertThat(same.afterFailures(5)).isEqualTo(delay);
            different += delay.equals(last) ? 0 : 1;
            last = delay;
        }
        assertThat(different).isGreaterThan(90);
    }

    @Test
    void refusesALimitBelowTheFirstDelay() {
        assertThatThrownBy(() -> new Backoff(millis(2), millis(1), new SplittableRandom(1)))
                .hasMessageContaining("Expected a backoff from a shorter to a longer delay");
    }
}
