package photon.storage.tail.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BacklogRuleTest {
    private static final long MINUTE_MICROS = 60_000_000;
    private static final long NOW_MICROS = 1_700_000_000_000_000L;
    private static final long NOW_MILLIS = NOW_MICROS / 1_000;

    private final BacklogRule rule = new BacklogRule();

    @Test
    void beforeAnythingIsKnownNoFileHasABacklog() {
        assertThat(rule.isBehind(0)).isFalse();
        assertThat(rule.isOld(1)).isFalse();
    }

    @Test
    void aFileHasABacklogThatIsMoreThanAMinuteBehindTheNewestEvent() {
        rule.read(NOW_MICROS - 5, NOW_MICROS);
        rule.read(NOW_MICROS - 3 * MINUTE_MICROS, NOW_MICROS);
        assertThat(rule.isBehind(NOW_MICROS - 5)).isFalse();
        assertThat(rule.isBehind(NOW_MICROS - 5 - MINUTE_MICROS)).isFalse();
        assertThat(rule.isBehind(NOW_MICROS - 6 - MINUTE_MICROS)).isTrue();
    }

    @Test
    void whereAllAreEquallyFarBehindNoneHasABacklog() {
        rule.read(NOW_MICROS - 1_000 * MINUTE_MICROS, NOW_MICROS);
        assertThat(rule.isBehind(NOW_MICROS - 1_000 * MINUTE_MICROS - 7)).isFalse();
    }

    @Test
    void anEventOfTheFutureMakesNoBacklogOfTheOthers() {
        rule.read(NOW_MICROS, NOW_MICROS);
        rule.read(NOW_MICROS + 1_000 * MINUTE_MICROS, NOW_MICROS);
        assertThat(rule.isBehind(NOW_MICROS)).isFalse();
        rule.listed(NOW_MILLIS, NOW_MILLIS);
        rule.listed(NOW_MILLIS + 10_000_000, NOW_MILLIS);
        assertThat(rule.isOld(NOW_MILLIS)).isFalse();
    }

    @Test
    void aFileOfWhichNothingWasReadIsToldByItsTimeOfModification() {
        rule.listed(NOW_MILLIS, NOW_MILLIS);
        assertThat(rule.isOld(NOW_MILLIS - 60_000)).isFalse();
        assertThat(rule.isOld(NOW_MILLIS - 60_001)).isTrue();
        assertThat(rule.isOld(0)).as("nobody knows").isFalse();
    }

    @Test
    void eventsOfCopiesOfOldLogsAreNotComparedWithTimesOfModification() {
        rule.listed(NOW_MILLIS, NOW_MILLIS);
        rule.read(1_000_000, NOW_MICROS);
        assertThat(rule.isBehind(1_000_000)).isFalse();
        assertThat(rule.isOld(NOW_MILLIS)).isFalse();
    }

    @Test
    void besideHistoryNothingHasABacklog() {
        long day = BacklogRule.LIVE_MAX.toNanos() / 1_000;
        rule.read(NOW_MICROS - day - 1, NOW_MICROS);
        rule.listed(NOW_MILLIS - day / 1_000 - 1, NOW_MILLIS);
        assertThat(rule.isBehind(NOW_MICROS - 2 * day)).isFalse();
        assertThat(rule.isOld(NOW_MILLIS - 2 * day / 1_000)).isFalse();
        rule.read(NOW_MICROS - day, NOW_MICROS);
        rule.listed(NOW_MILLIS - day / 1_000, NOW_MILLIS);
        assertThat(rule.isBehind(NOW_MICROS - 2 * day)).isTrue();
        assertThat(rule.isOld(NOW_MILLIS - 2 * day / 1_000)).isTrue();
    }
}
