package photon.dispatcher.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IntakeGateTest {
    private final IntakeGate gate = new IntakeGate(0);

    @Test
    void readsFreelyWhileFewRowsWaitForTheEventStore() {
        gate.reads(0);
        assertThat(gate.pauseNanos(IntakeGate.ROWS_BEHIND_MAX - 1, 1)).isZero();
    }

    @Test
    void slowsDownAboveAndNeverStops() {
        int many = IntakeGate.ROWS_BEHIND_MAX;
        long second = IntakeGate.SLOW_EVERY.toNanos();
        assertThat(gate.pauseNanos(many, 0)).isZero();
        gate.reads(0);
        assertThat(gate.pauseNanos(many, 10)).isEqualTo(second - 10);
        assertThat(gate.pauseNanos(many, second)).isZero();
        gate.reads(second);
        assertThat(gate.pauseNanos(many, second + 1)).isEqualTo(second - 1);
    }
}
