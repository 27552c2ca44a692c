package photon.server.configcheck.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import photon.server.configcheck.rules.RetentionRules.Held;
import photon.server.configcheck.rules.RetentionRules.Logs;

class RetentionRulesTest {
    private static final Instant NOW = Instant.parse("2026-11-20T00:00:00Z");
    private static final Optional<Duration> THREE_DAYS = Optional.of(Duration.ofDays(3));

    private static Logs old(long days) {
        return new Logs(Optional.of(NOW.minus(Duration.ofDays(days))), "");
    }

    private static List<CheckLine.Level> levels(
            Optional<Duration> retention, Logs primary, Logs foreign) {
        return RetentionRules.ofLogs(retention, primary, foreign, NOW).stream()
                .map(CheckLine::level)
                .toList();
    }

    @Test
    void foreignLogsThatOutliveTheirIdsAreWarnedOf() {
        assertThat(levels(THREE_DAYS, old(9), old(4)))
                .containsExactly(CheckLine.Level.OK, CheckLine.Level.OK);
        assertThat(levels(THREE_DAYS, old(9), old(5)))
                .containsExactly(CheckLine.Level.WARN, CheckLine.Level.OK);
        assertThat(levels(Optional.empty(), old(900), old(500)))
                .containsExactly(CheckLine.Level.OK, CheckLine.Level.OK);
    }

    @Test
    void primaryLogsThatBeginAfterTheForeignOnesAreWarnedOf() {
        assertThat(levels(THREE_DAYS, old(1), old(3)))
                .containsExactly(CheckLine.Level.OK, CheckLine.Level.WARN);
        assertThat(levels(Optional.empty(), old(10), old(20)))
                .containsExactly(CheckLine.Level.OK, CheckLine.Level.WARN);
    }

    @Test
    void whatIsTooOldToBeJoinedNeedsNoPrimaryLogs() {
        assertThat(levels(THREE_DAYS, old(3), old(30)).get(1)).isEqualTo(CheckLine.Level.OK);
    }

    @Test
    void aLineSaysHowLongToKeepLogs() {
        Logs none = new Logs(Optional.empty(), "");
        assertThat(RetentionRules.ofLogs(THREE_DAYS, none, none, NOW))
                .extracting(CheckLine::found)
                .containsExactly(
                        "none is there yet: keep them for 3d at least",
                        "none is there yet: keep them for 6d at least");
        assertThat(RetentionRules.ofLogs(Optional.empty(), old(2), old(0), NOW))
                .extracting(CheckLine::found)
                .containsExactly(
                        "the oldest was last written a moment ago: keep them forever",
                        "the oldest was last written 2d ago: keep them forever");
    }

    @Test
    void logsThatCannotBeListedFail() {
        Logs silent = new Logs(Optional.empty(), "no answer within 5000 ms");
        assertThat(levels(THREE_DAYS, silent, silent))
                .containsExactly(CheckLine.Level.FAIL, CheckLine.Level.FAIL);
    }

    @Test
    void theRegistrysRetentionIsTheConfigurations() {
        assertThat(
                        RetentionRules.ofRegistry(THREE_DAYS, Optional.empty(), Optional.empty())
                                .level())
                .isEqualTo(CheckLine.Level.OK);
        CheckLine other =
                RetentionRules.ofRegistry(
                        THREE_DAYS,
                        Optional.of(new Held(Optional.empty())),
                        Optional.of("the registry's retention is unlimited"));
        assertThat(other.level()).isEqualTo(CheckLine.Level.WARN);
        assertThat(other.found()).isEqualTo("the registry's retention is unlimited");
    }
}
