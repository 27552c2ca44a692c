package photon.storage.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import photon.storage.lease.LeaseDocument.Standing;

class TakeOverRuleTest {
    private static final long TERM_MILLIS = 20_000;
    private static final long SECOND = 1_000_000_000L;

    private final TakeOverRule rule = new TakeOverRule("me", new SplittableRandom(1));

    private static Standing standing(long version, String holder, boolean released) {
        return new Standing(
                version, Optional.of(new Lease(7, holder, "h:1", TERM_MILLIS, released)));
    }

    private Duration looked(long version, long atNanos) {
        return rule.looked(standing(version, "other", false), atNanos, atNanos);
    }

    @Test
    void whatNobodyHoldsIsTakenAtOnce() {
        assertThat(rule.looked(new Standing(0, Optional.empty()), 0, 0)).isZero();
        assertThat(rule.looked(standing(3, "other", true), 0, 0)).isZero();
    }

    /** Its earlier life has ended: a lock on this machine tells. */
    @Test
    void whatIsItsOwnIsTakenAtOnce() {
        assertThat(rule.looked(standing(3, "me", false), 0, 0)).isZero();
    }

    @Test
    void whatAnotherHoldsIsTakenWhenItHasStoodForItsTerm() {
        long taken = 0;
        for (long now = 5 * SECOND; taken == 0; now += SECOND) {
            Duration wait = looked(3, now);
            assertThat(wait).isLessThanOrEqualTo(Duration.ofMillis(TERM_MILLIS / 4));
            taken = wait.isZero() ? now : 0;
        }
        assertThat(taken).isBetween(25 * SECOND, 31 * SECOND);
    }

    @Test
    void aRenewalBeginsTheTimeAnew() {
        for (long version = 1; version < 50; version++) {
            assertThat(looked(version, version * 15 * SECOND)).isPositive();
        }
    }

    /** What was seen stood when the answer came, perhaps no sooner, and when it was asked for. */
    @Test
    void slowLooksCountForNothing() {
        assertThat(rule.looked(standing(3, "other", false), 0, 100 * SECOND)).isPositive();
        assertThat(rule.looked(standing(3, "other", false), 110 * SECOND, 200 * SECOND))
                .isPositive();
        assertThat(rule.looked(standing(3, "other", false), 126 * SECOND, 126 * SECOND)).isZero();
    }

    @Test
    void thoseWhoWaitDoNotAllTryAtOneTime() {
        long distinct =
                new SplittableRandom(2)
                        .longs(20)
                        .map(
                                seed -> {
                                    TakeOverRule one =
                                            new TakeOverRule("x", new SplittableRandom(seed));
                                    long now = 0;
                                    while (!one.looked(standing(3, "other", false), now, now)
                                            .isZero()) {
                                        now += SECOND / 10;
                                    }
                                    return now;
                                })
                        .distinct()
                        .count();
        assertThat(distinct).isGreaterThan(10);
    }
}
