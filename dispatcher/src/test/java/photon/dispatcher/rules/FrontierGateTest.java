package photon.dispatcher.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FrontierGateTest {
    private static final long WAIT_MAX = FrontierGate.WAIT_MAX.toNanos();
    private static final long FRESH_MAX = FrontierGate.WAIT_MAX_BESIDE_A_BACKLOG.toNanos();

    private final FrontierGate gate = new FrontierGate();

    @Test
    void nothingPassesBeforeAnythingIsKnownButForAWhileOnly() {
        assertThat(gate.passes(1, WAIT_MAX - 1)).isFalse();
        assertThat(gate.passes(1, WAIT_MAX)).isTrue();
    }

    @Test
    void whatIsOlderThanTheUnreadPasses() {
        gate.heard(Frontier.unread(1_000));
        assertThat(gate.passes(999, 0)).isTrue();
        assertThat(gate.passes(1_000, 0)).isFalse();
        assertThat(gate.passes(1_000, WAIT_MAX)).isTrue();
    }

    @Test
    void allPassesWhereEverythingIsRead() {
        gate.heard(Frontier.unread(FrontierGate.OPEN));
        assertThat(gate.passes(Long.MAX_VALUE, 0)).isTrue();
    }

    @Test
    void aFreshEventDoesNotWaitForABacklog() {
        gate.heard(new Frontier(1_000, 8_000, FrontierGate.OPEN));
        assertThat(gate.passes(8_000, 0)).isTrue();
        assertThat(gate.passes(Long.MAX_VALUE, 0)).isTrue();
    }

    @Test
    void anEventOfTheBacklogWaitsForTheBacklog() {
        gate.heard(new Frontier(1_000, 8_000, FrontierGate.OPEN));
        assertThat(gate.passes(999, 0)).isTrue();
        assertThat(gate.passes(7_999, WAIT_MAX - 1)).isFalse();
        assertThat(gate.passes(7_999, WAIT_MAX)).isTrue();
    }

    @Test
    void aFreshEventWaitsForASecondForTheLogsThatAreReadLive() {
        gate.heard(new Frontier(1_000, 8_000, 9_000));
        assertThat(gate.passes(8_999, 0)).isTrue();
        assertThat(gate.passes(9_000, FRESH_MAX - 1)).isFalse();
        assertThat(gate.passes(9_000, FRESH_MAX)).isTrue();
    }

    /** As beside a backlog of its own, where the event store does not say what is fresh. */
    @Test
    void othersWaitForNoLongerThanIsSaid() {
        assertThat(gate.waitMax(FrontierGate.WAIT_MAX)).isFalse();
        assertThat(gate.waitMax(Duration.ofSeconds(1))).isTrue();
        gate.heard(Frontier.unread(1_000));
        assertThat(gate.passes(1_000, FRESH_MAX - 1)).isFalse();
        assertThat(gate.passes(1_000, FRESH_MAX)).isTrue();
    }
}
