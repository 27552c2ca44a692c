package photon.joiner.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import photon.core.error.BugException;

class AdapterBrakeTest {
    private final AdapterBrake brake = new AdapterBrake(50, 10);

    private void decisions(int count, boolean failure) {
        for (int i = 0; i < count; i++) {
            brake.decided(failure);
        }
    }

    @Test
    void isOnWhenMoreThanTheShareOfTheWindowFails() {
        decisions(5, false);
        decisions(5, true);
        assertThat(brake.isOn()).as("half of them is not more than half").isFalse();
        assertThat(brake.decided(true)).isTrue();
    }

    @Test
    void aFewDecisionsSayNothing() {
        decisions(9, true);
        assertThat(brake.isOn()).isFalse();
        assertThat(brake.decided(true)).isTrue();
    }

    @Test
    void whatIsLongPastDoesNotCount() {
        decisions(5, true);
        decisions(5, false);
        for (int i = 0; i < 1_000; i++) {
            assertThat(brake.decided(i % 2 == 0)).isFalse();
        }
    }

    @Test
    void isOffWhenTheAdapterDoesBetterAtTheEventsThatAreTried() {
        decisions(10, true);
        assertThat(brake.isOn()).isTrue();
        decisions(AdapterBrake.PROBES, true);
        assertThat(brake.isOn()).isTrue();
        decisions(AdapterBrake.PROBES / 2, true);
        decisions(AdapterBrake.PROBES / 2 - 1, false);
        assertThat(brake.isOn()).isTrue();
        assertThat(brake.decided(false)).isFalse();
        decisions(9, true);
        assertThat(brake.isOn()).as("begins anew").isFalse();
    }

    @Test
    void isNeverOnIfAllMayFail() {
        AdapterBrake never = new AdapterBrake(100, 1);
        for (int i = 0; i < 100; i++) {
            assertThat(never.decided(true)).isFalse();
        }
    }

    @Test
    void refusesBoundsThatMeanNothing() {
        assertThatThrownBy(() -> new AdapterBrake(0, 10)).isInstanceOf(BugException.class);
        assertThatThrownBy(() -> new AdapterBrake(101, 10)).isInstanceOf(BugException.class);
        assertThatThrownBy(() -> new AdapterBrake(50, 0)).isInstanceOf(BugException.class);
    }
}
