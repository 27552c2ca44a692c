package photon.dispatcher.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FrontierGateTest {
    private static final long WAIT_MAX = FrontierGate.WAIT_MAX.toNanos();

    private final FrontierGate gate = new FrontierGate();

    @Test
    void nothingPassesBeforeAnythingIsKnownButForAWhileOnly() {
        assertThat(gate.passes(1, WAIT_MAX - 1)).isFalse();
        assertThat(gate.passes(1, WAIT_MAX)).isTrue();
    }

    @Test
    void whatIsOlderThanTheUnreadPasses() {
        gate.unreadFrom(1_000);
        assertThat(gate.passes(999, 0)).isTrue();
        assertThat(gate.passes(1_000, 0)).isFalse();
        assertThat(gate.passes(1_000, WAIT_MAX)).isTrue();
    }

    @Test
    void allPassesWhereEverythingIsRead() {
        gate.unreadFrom(FrontierGate.OPEN);
        assertThat(gate.passes(Long.MAX_VALUE, 0)).isTrue();
    }
}
