package photon.server.local;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.server.local.IdleRule.Step.DONE;
import static photon.server.local.IdleRule.Step.RETRY_WAITING;
import static photon.server.local.IdleRule.Step.WAIT;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import photon.server.local.IdleRule.Observation;

class IdleRuleTest {
    private final IdleRule rule = new IdleRule(Duration.ofNanos(100));

    @Test
    void endsOnlyAfterWaitingRowsWereTriedAndNothingNewCame() {
        assertThat(rule.observe(new Observation(1, true, 0), 0)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(1, true, 0), 10)).isEqualTo(RETRY_WAITING);
        assertThat(rule.observe(new Observation(1, true, 0), 500)).isEqualTo(WAIT);
        rule.retried();
        assertThat(rule.observe(new Observation(1, true, 0), 501)).isEqualTo(DONE);
    }

    @Test
    void somethingNewStartsItAllAnew() {
        rule.observe(new Observation(1, true, 0), 0);
        rule.observe(new Observation(1, true, 0), 10);
        rule.retried();
        assertThat(rule.observe(new Observation(2, true, 0), 20)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(2, true, 0), 200)).isEqualTo(RETRY_WAITING);
        rule.retried();
        assertThat(rule.observe(new Observation(2, true, 0), 201)).isEqualTo(DONE);
    }

    @Test
    void neverEndsWhileALogIsUnreadOrSomethingIsPending() {
        rule.observe(new Observation(1, true, 0), 0);
        rule.observe(new Observation(1, true, 0), 10);
        rule.retried();
        assertThat(rule.observe(new Observation(1, false, 0), 300)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(1, true, 3), 400)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(1, true, 0), 450)).isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(1, true, 0), 501)).isEqualTo(DONE);
    }
}
