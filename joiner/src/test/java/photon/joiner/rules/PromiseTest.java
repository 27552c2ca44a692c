package photon.joiner.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import photon.joiner.Events;
import photon.registry.api.ControlClient.Renewed;

class PromiseTest {
    private static final long NONE = Long.MAX_VALUE;
    private static final long MINUTE = 60_000_000;

    private final Promise promise = new Promise(Duration.ofMinutes(10));

    private static Renewed heard(long limitMinutes, long wantedMinutes) {
        return new Renewed(limitMinutes * MINUTE, wantedMinutes * MINUTE);
    }

    @Test
    void nothingIsPromisedWhereNoBoundaryMoves() {
        promise.begin(Long.MIN_VALUE);
        assertThat(promise.raise(new Renewed(Long.MIN_VALUE, Long.MIN_VALUE), NONE))
                .isEqualTo(Long.MIN_VALUE);
        assertThat(promise.raise(new Renewed(5, Long.MIN_VALUE), NONE)).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void theFirstBoundaryMayBeWhereItIsWanted() {
        assertThat(promise.raise(new Renewed(Long.MIN_VALUE, 100 * MINUTE), NONE))
                .isEqualTo(110 * MINUTE);
    }

    @Test
    void itIsAStepAboveTheLimitAndNeverLowered() {
        assertThat(promise.raise(heard(100, 100), NONE)).isEqualTo(110 * MINUTE);
        assertThat(promise.raise(heard(100, 5_000), NONE)).isEqualTo(110 * MINUTE);
        assertThat(promise.raise(heard(50, 5_000), NONE)).isEqualTo(110 * MINUTE);
        assertThat(promise.raise(heard(300, 290), NONE)).isEqualTo(300 * MINUTE);
    }

    @Test
    void itIsNotAboveWhatIsNotPublished() {
        assertThat(promise.raise(heard(100, 100), 103 * MINUTE)).isEqualTo(103 * MINUTE);
        assertThat(promise.raise(heard(200, 200), 103 * MINUTE)).isEqualTo(103 * MINUTE);
        assertThat(promise.forbids(Events.id(0))).isFalse();
        promise.begin(Events.id(5).micros());
        assertThat(promise.forbids(Events.id(4))).isTrue();
        assertThat(promise.forbids(Events.id(5))).isFalse();
    }

    @Test
    void aSmallMarginDoesNotMakeTheStepsSmall() {
        Promise small = new Promise(Duration.ZERO);
        assertThat(small.step()).isEqualTo(Promise.STEP_MIN);
        assertThat(small.raise(heard(100, 5_000), NONE)).isEqualTo(102 * MINUTE);
        assertThat(small.raise(heard(4_999, 5_000), NONE)).isEqualTo(5_000 * MINUTE);
    }
}
