package photon.server.local;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.server.local.IdleRule.Step.DONE;
import static photon.server.local.IdleRule.Step.PUBLISH;
import static photon.server.local.IdleRule.Step.RETRY_WAITING;
import static photon.server.local.IdleRule.Step.WAIT;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import photon.server.local.IdleRule.Observation;

class IdleRuleTest {
    private final IdleRule rule = new IdleRule(Duration.ofNanos(100));

    @Test
    void endsOnlyAfterWaitingRowsWereTriedAndNothingNewCame() {
        assertThat(rule.observe(new Observation(1, true, 0, 0), 0)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(1, true, 0, 0), 10)).isEqualTo(RETRY_WAITING);
        assertThat(rule.observe(new Observation(1, true, 0, 0), 500)).isEqualTo(WAIT);
        rule.retried();
        assertThat(rule.observe(new Observation(1, true, 0, 0), 501)).isEqualTo(DONE);
    }

    @Test
    void somethingNewStartsItAllAnew() {
        rule.observe(new Observation(1, true, 0, 0), 0);
        rule.observe(new Observation(1, true, 0, 0), 10);
        rule.retried();
        assertThat(rule.observe(new Observation(2, true, 0, 0), 20)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(2, true, 0, 0), 200)).isEqualTo(RETRY_WAITING);
        rule.retried();
        assertThat(rule.observe(new Observation(2, true, 0, 0), 201)).isEqualTo(DONE);
    }

    @Test
    void neverEndsWhileALogIsUnreadOrSomethingIsPending() {
        rule.observe(new Observation(1, true, 0, 0), 0);
        rule.observe(new Observation(1, true, 0, 0), 10);
        rule.retried();
        assertThat(rule.observe(new Observation(1, false, 0, 0), 300)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(1, true, 3, 0), 400)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(1, true, 0, 0), 450)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(1, true, 0, 0), 501)).isEqualTo(DONE);
    }

    @Test
    void whatIsJoinedIsPublishedWhenNothingElseMovesForHalfOfTheTime() {
        assertThat(rule.observe(new Observation(1, true, 7, 5), 0)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(1, true, 7, 5), 90)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(1, true, 5, 5), 100)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(1, true, 5, 5), 139)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(1, true, 5, 5), 140)).isEqualTo(PUBLISH);
        assertThat(rule.observe(new Observation(1, true, 5, 5), 150)).isEqualTo(WAIT);
        // It is published, and the last of what waits is tried.
        assertThat(rule.observe(new Observation(1, true, 0, 0), 160)).isEqualTo(RETRY_WAITING);
        rule.retried();
        assertThat(rule.observe(new Observation(1, true, 0, 0), 249)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(1, true, 0, 0), 250)).isEqualTo(DONE);
    }

    @Test
    void eventsThatComeOneByOneAreNoFilesOfTheirOwn() {
        for (int i = 0; i < 100; i++) {
            assertThat(rule.observe(new Observation(i, true, i, i), i * 40L)).isEqualTo(WAIT);
        }
        assertThat(rule.observe(new Observation(99, false, 99, 99), 9_000)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(99, true, 99, 99), 9_050)).isEqualTo(PUBLISH);
    }
}
