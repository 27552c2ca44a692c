package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class RatesTest {
    private final List<DemoSample> samples = RunOfSamples.until(90_000);

    @Test
    void aRateIsTakenOverTheWindow() {
        assertThat(Rates.joinsPerSecond(samples, "east", 20_000)).isEqualTo(1_000);
        assertThat(Rates.joinsPerSecond(samples, "east", 40_000)).isZero();
        assertThat(Rates.joinsPerSecond(samples, "west", 50_000)).isEqualTo(2_000);
        // Of the three seconds up to then it joined in the first 0.4, before it was killed.
        assertThat(Rates.joinsPerSecond(samples, "east", 32_400))
                .isCloseTo(1_000 * 0.4 / 3, within(1e-9));
    }

    @Test
    void theFirstMomentsAreNoPeak() {
        assertThat(Rates.joinsPerSecond(samples, "east", 0)).isLessThanOrEqualTo(1_000);
        assertThat(Rates.joinsPerSecond(samples, "east", 200)).isLessThanOrEqualTo(1_000);
    }

    @Test
    void whatIsNotThereHasNoRate() {
        assertThat(Rates.joinsPerSecond(List.of(), "east", 5_000)).isZero();
        assertThat(Rates.joinsPerSecond(samples, "north", 20_000)).isZero();
        assertThat(Rates.joinsPerSecond(samples, "east", -1)).isZero();
    }
}
