package photon.idregistry.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which entries go while others are in flight. */
final class EntryPaceTest {
    private static final int MANY = 256;
    private static final int IN_FLIGHT_MAX = 8;

    private final EntryPace pace = new EntryPace(new BatchLimits(4_096, IN_FLIGHT_MAX, 131_072));

    @Test
    void oneGoesAtOnceIfNoneIsInFlight() {
        assertThat(pace.mayGo(0, 1)).isTrue();
    }

    @Test
    void aSmallOneWaitsForTheOneBeforeIfReplicasAreNear() {
        assertThat(pace.mayGo(1, MANY - 1)).isFalse();
        commit(5, 0);
        assertThat(pace.mayGo(1, MANY - 1)).isFalse();
        assertThat(pace.mayGo(1, MANY)).isTrue();
    }

    @Test
    void noMoreThanTheLimitGoWhateverTheyHold() {
        assertThat(pace.mayGo(IN_FLIGHT_MAX - 1, MANY)).isTrue();
        assertThat(pace.mayGo(IN_FLIGHT_MAX, 1_000_000)).isFalse();
    }

    @Test
    void smallOnesDoNotWaitForARoundTripBetweenFarReplicas() {
        commit(106, 0);
        assertThat(pace.mayGo(4, 1)).isTrue();
        assertThat(pace.mayGo(5, 1)).isFalse();
    }

    @Test
    void aSlowCommitAmongQuickOnesChangesNothing() {
        commit(5, 0);
        commit(400, 1);
        assertThat(pace.mayGo(1, 1)).isFalse();
    }

    @Test
    void smallOnesNeverFillMoreThanTheLimit() {
        commit(10_000, 0);
        assertThat(pace.mayGo(IN_FLIGHT_MAX - 1, 1)).isTrue();
        assertThat(pace.mayGo(IN_FLIGHT_MAX, 1)).isFalse();
    }

    @Test
    void aTimeThatWasShortOnceIsForgotten() {
        commit(5, 0);
        commit(106, 40);
        assertThat(pace.mayGo(1, 1)).as("it counts for half a minute and a period more").isFalse();
        commit(106, 80);
        assertThat(pace.mayGo(4, 1)).isTrue();
    }

    private void commit(long millis, long atSeconds) {
        pace.committed(
                Duration.ofMillis(millis).toNanos(), Duration.ofSeconds(atSeconds).toNanos());
    }
}
