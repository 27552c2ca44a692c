package photon.server.configcheck.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.core.time.ClockState;

class ClockRulesTest {
    private static final ClockState SILENT =
            new ClockState(ClockState.Source.CHRONY, false, 250_000, "chronyc is not there");

    private final ClockRules rules = new ClockRules(Duration.ofMillis(250), Duration.ofMinutes(1));

    @ParameterizedTest
    @CsvSource({
        "0, OK",
        "250000, OK",
        "-250000, OK",
        "250001, WARN",
        "-250001, WARN",
        "60000000, WARN",
        "60000001, FAIL",
        "-60000001, FAIL"
    })
    void aDifferenceOfClocksIsJudgedByItsSize(long micros, CheckLine.Level level) {
        assertThat(rules.beside("r0", OptionalLong.of(micros), "").level()).isEqualTo(level);
    }

    @Test
    void whatIsBehindIsSaidSo() {
        assertThat(rules.beside("r0", OptionalLong.of(-1_500_000), "").found())
                .isEqualTo("its clock is 1,500 ms behind this machine's");
        assertThat(rules.beside("r0", OptionalLong.of(1_200), "").found())
                .isEqualTo("its clock is 1.2 ms ahead of this machine's");
    }

    @Test
    void aServerThatDoesNotAnswerIsNotCompared() {
        CheckLine line = rules.beside("r0", OptionalLong.empty(), "cannot be reached");
        assertThat(line.level()).isEqualTo(CheckLine.Level.WARN);
        assertThat(line.found()).isEqualTo("not compared: cannot be reached");
    }

    @Test
    void aClockIsKeptByChronydOrAPersonVouches() {
        assertThat(rules.kept(ClockState.configured(50_000), false, true).level())
                .isEqualTo(CheckLine.Level.OK);
        assertThat(chrony(1_000).level()).isEqualTo(CheckLine.Level.OK);
        assertThat(chrony(250_001).level()).isEqualTo(CheckLine.Level.WARN);
    }

    private CheckLine chrony(long boundMicros) {
        return rules.kept(
                new ClockState(ClockState.Source.CHRONY, true, boundMicros, ""), false, true);
    }

    @Test
    void withoutChronydAServerHasNoVoteWhateverElseKeepsTheClock() {
        CheckLine line = rules.kept(SILENT, true, true);
        assertThat(line.level()).isEqualTo(CheckLine.Level.WARN);
        assertThat(line.found()).contains("chronyc is not there");
        assertThat(line.expected()).contains("no vote");
    }

    @Test
    void anyOtherDaemonIsContentWithTimesyncd() {
        assertThat(rules.kept(SILENT, true, false).level()).isEqualTo(CheckLine.Level.OK);
        assertThat(rules.kept(SILENT, false, false).level()).isEqualTo(CheckLine.Level.WARN);
    }
}
