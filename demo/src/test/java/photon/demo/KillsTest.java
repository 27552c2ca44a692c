package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KillsTest {
    @Test
    void aDatacenterThatIsBackSaysWhatItHadLost() {
        assertThat(Kills.backText(0)).isEqualTo("east is back, and had lost nothing");
        assertThat(Kills.backText(1_141))
                .isEqualTo(
                        "east is back: 1,141 events that its dead joiner had not written are joined again");
    }
}
