package photon.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChronyTrackingTest {
    static final String NORMAL =
            "A29FC87B,162.159.200.123,4,1700000000.123456789,-0.000150000,0.000012000,0.000034000,"
                    + "-12.345,-0.010,0.090,0.012000000,0.000500000,64.4,Normal\n";
    static final String UNSYNCHRONISED =
            "00000000,,0,0.000000000,0.000000000,0.000000000,0.000000000,0.000,0.000,0.000,"
                    + "1.000000000,1.000000000,0.0,Not synchronised\n";

    @Test
    void theBoundIsChronysOwnAndGrowsByWhatTheClockMayDrift() throws IOException {
        ChronyTracking tracking = ChronyTracking.parse(NORMAL);
        assertThat(tracking.synchronised()).isTrue();
        // |offset| 150 + dispersion 500 + delay 12,000 / 2, and 0.01 + 0.09 + 1 ppm since.
        assertThat(tracking.boundMicros(0)).isEqualTo(6_650);
        assertThat(tracking.boundMicros(10_000_000_000L)).isEqualTo(6_661);
    }

    @Test
    void whatIsNotSynchronisedSaysSo() throws IOException {
        assertThat(ChronyTracking.parse(UNSYNCHRONISED).synchronised()).isFalse();
        assertThat(ChronyTracking.parse(NORMAL.replace("Normal", "Not synchronised")))
                .returns(false, ChronyTracking::synchronised);
        assertThat(ChronyTracking.parse(NORMAL.replace(",4,", ",0,")).synchronised()).isFalse();
        assertThat(ChronyTracking.parse(NORMAL.replace(",4,", ",16,")).synchronised()).isFalse();
        assertThat(ChronyTracking.parse(NORMAL.replace("Normal", "Insert second")).synchronised())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "506 Cannot talk to daemon",
                "A,B,4,1,nan,0,0,0,0,0,0,0,0,Normal",
                "A,B,4,1,0,0,0,0,0,0,Infinity,0,0,Normal",
                "A,B,four,1,0,0,0,0,0,0,0,0,0,Normal",
                "A,B,4,1,0,0,0,0,0,0,0,0,0,Normal,more"
            })
    void anythingElseIsNoAnswer(String text) {
        assertThatThrownBy(() -> ChronyTracking.parse(text))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("chronyc answers '" + text + "'");
    }
}
