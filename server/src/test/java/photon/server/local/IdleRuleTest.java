package photon.server.local;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.server.local.IdleRule.Step.DONE;
import static photon.server.local.IdleRule.Step.PUBLISH;
import static photon.server.local.IdleRule.Step.RETRY_WAITING;
import static photon.server.local.IdleRule.Step.TRY_DEFERRED;
import static photon.server.local.IdleRule.Step.WAIT;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.dispatcher.state.DispatcherStatus;
import photon.server.local.IdleRule.Observation;

/** Transcripts: what is seen when, and what is to be done. */
class IdleRuleTest {
    private final IdleRule rule = new IdleRule(Duration.ofNanos(100));
    private long polls;

    /** Both readers have looked once more each time. */
    private List<Long> polls() {
        polls++;
        return List.of(polls + 1_000, polls);
    }

    private Observation settled(long progress) {
        return new Observation(progress, true, polls(), 0, 0, 0, 0);
    }

    private Observation unread(long progress) {
        return new Observation(progress, false, polls(), 0, 0, 0, 0);
    }

    private Observation busy(long progress) {
        return new Observation(progress, true, polls(), 1, 0, 0, 0);
    }

    private Observation unsettled(long progress, long unsettled, long deferred) {
        return new Observation(progress, true, polls(), 0, unsettled, deferred, 0);
    }

    private Observation unpublished(long progress, long unsettled, long unpublished) {
        return new Observation(progress, true, polls(), 0, unsettled, 0, unpublished);
    }

    @Test
    void endsOnlyAfterWaitingRowsWereTriedAndNothingNewCame() {
        assertThat(rule.observe(settled(1), 0)).isEqualTo(WAIT);
        assertThat(rule.observe(settled(1), 10)).isEqualTo(RETRY_WAITING);
        assertThat(rule.observe(settled(1), 500)).isEqualTo(WAIT);
        rule.retried();
        assertThat(rule.observe(settled(1), 501)).isEqualTo(DONE);
    }

    /** It may find in the end what nobody else knows of. */
    @Test
    void aLookAtTheLogsThatHangsIsWaitedFor() {
        rule.observe(settled(1), 0);
        rule.observe(settled(1), 10);
        rule.retried();
        long others = 10;
        for (long nanos : new long[] {50, 100, 110, 500, 5_000}) {
            Observation hanging = new Observation(1, true, List.of(1_000L, others++), 0, 0, 0, 0);
            assertThat(rule.observe(hanging, nanos)).isEqualTo(WAIT);
        }
        Observation ended = new Observation(1, true, List.of(1_001L, others), 0, 0, 0, 0);
        assertThat(rule.observe(ended, 5_001)).isEqualTo(DONE);
    }

    @Test
    void aReaderWithoutLogsIsNotWaitedFor() {
        Observation nothing =
                new Observation(1, true, List.of(DispatcherStatus.NO_LOGS), 0, 0, 0, 0);
        rule.observe(nothing, 0);
        rule.observe(nothing, 10);
        rule.retried();
        assertThat(rule.observe(nothing, 50)).isEqualTo(WAIT);
        assertThat(rule.observe(nothing, 110)).isEqualTo(DONE);
    }

    @Test
    void somethingNewStartsItAllAnew() {
        rule.observe(settled(1), 0);
        rule.observe(settled(1), 10);
        rule.retried();
        assertThat(rule.observe(settled(2), 20)).isEqualTo(WAIT);
        assertThat(rule.observe(settled(2), 200)).isEqualTo(RETRY_WAITING);
        rule.retried();
        assertThat(rule.observe(settled(2), 201)).isEqualTo(DONE);
    }

    @Test
    void whatCameDuringTheRetryMakesAnotherOne() {
        rule.observe(settled(1), 0);
        assertThat(rule.observe(settled(1), 10)).isEqualTo(RETRY_WAITING);
        assertThat(rule.observe(settled(2), 20)).isEqualTo(WAIT);
        rule.retried();
        assertThat(rule.observe(settled(2), 200)).isEqualTo(RETRY_WAITING);
    }

    @Test
    void neverEndsWhileALogIsUnreadOrARepairIsPending() {
        rule.observe(settled(1), 0);
        rule.observe(settled(1), 10);
        rule.retried();
        assertThat(rule.observe(unread(1), 300)).isEqualTo(WAIT);
        assertThat(rule.observe(busy(1), 400)).isEqualTo(WAIT);
        assertThat(rule.observe(settled(1), 450)).isEqualTo(WAIT);
        assertThat(rule.observe(settled(1), 499)).isEqualTo(WAIT);
        assertThat(rule.observe(settled(1), 500)).as("not looked at since").isEqualTo(WAIT);
        assertThat(rule.observe(settled(1), 501)).isEqualTo(DONE);
    }

    @Test
    void whatIsSettledLateAndBringsNothingNewDoesNotStartTheTimeAnew() {
        rule.observe(settled(1), 0);
        assertThat(rule.observe(unsettled(1, 7, 0), 300)).isEqualTo(WAIT);
        assertThat(rule.observe(settled(1), 310)).isEqualTo(RETRY_WAITING);
        rule.retried();
        assertThat(rule.observe(settled(1), 320)).isEqualTo(DONE);
    }

    /** Between its looks at two parts something may go from the second to the first. */
    @Test
    void oneLookAtWhichAllIsSettledIsNotEnough() {
        rule.observe(settled(1), 0);
        rule.observe(settled(1), 10);
        rule.retried();
        assertThat(rule.observe(unsettled(1, 1, 0), 300)).isEqualTo(WAIT);
        assertThat(rule.observe(settled(1), 310)).isEqualTo(WAIT);
        assertThat(rule.observe(settled(1), 320)).isEqualTo(DONE);
    }

    @Test
    void whatIsDeferredIsTriedWhenItAloneIsLeft() {
        assertThat(rule.observe(unsettled(1, 9, 5), 0)).isEqualTo(WAIT);
        assertThat(rule.observe(unsettled(1, 9, 5), 10)).as("4 are on their way").isEqualTo(WAIT);
        assertThat(rule.observe(unsettled(1, 5, 5), 20)).isEqualTo(TRY_DEFERRED);
        assertThat(rule.observe(unsettled(1, 5, 5), 30)).as("no hurt").isEqualTo(TRY_DEFERRED);
        assertThat(rule.observe(unsettled(1, 5, 0), 40)).as("on their way").isEqualTo(WAIT);
        assertThat(rule.observe(settled(1), 50)).isEqualTo(RETRY_WAITING);
        rule.retried();
        assertThat(rule.observe(settled(1), 99)).isEqualTo(WAIT);
        assertThat(rule.observe(settled(1), 100)).isEqualTo(WAIT);
        assertThat(rule.observe(settled(1), 101)).isEqualTo(DONE);
    }

    /** Its primary event may be in what is not read yet, here or in the other datacenter. */
    @Test
    void nothingIsHastenedWhileALogIsUnreadSomethingMovesOrARepairIsPending() {
        rule.observe(settled(1), 0);
        assertThat(rule.observe(new Observation(1, false, polls(), 0, 5, 5, 0), 100))
                .isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(1, true, polls(), 1, 5, 5, 0), 200))
                .isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(2, true, polls(), 0, 5, 5, 0), 300))
                .isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(2, true, polls(), 0, 5, 5, 0), 310))
                .isEqualTo(TRY_DEFERRED);
        assertThat(rule.observe(new Observation(2, false, polls(), 0, 0, 0, 5), 400))
                .isEqualTo(WAIT);
        assertThat(rule.observe(new Observation(2, true, polls(), 1, 0, 0, 5), 500))
                .isEqualTo(WAIT);
    }

    @Test
    void whatIsJoinedIsPublishedWhenNothingMovesForHalfOfTheTime() {
        assertThat(rule.observe(unpublished(1, 2, 5), 0)).isEqualTo(WAIT);
        assertThat(rule.observe(unpublished(1, 2, 5), 20)).isEqualTo(WAIT);
        assertThat(rule.observe(unpublished(1, 0, 5), 49)).isEqualTo(WAIT);
        assertThat(rule.observe(unpublished(1, 0, 5), 50)).isEqualTo(PUBLISH);
        assertThat(rule.observe(unpublished(1, 0, 5), 60)).isEqualTo(WAIT);
        // It is published, and the last of what waits is tried.
        assertThat(rule.observe(settled(1), 70)).isEqualTo(RETRY_WAITING);
        rule.retried();
        assertThat(rule.observe(settled(1), 99)).isEqualTo(WAIT);
        assertThat(rule.observe(settled(1), 100)).isEqualTo(WAIT);
        assertThat(rule.observe(settled(1), 101)).isEqualTo(DONE);
    }

    @Test
    void eventsThatComeOneByOneAreNoFilesOfTheirOwn() {
        for (int i = 0; i < 100; i++) {
            assertThat(rule.observe(unpublished(i, 0, i), i * 40L)).isEqualTo(WAIT);
        }
        assertThat(rule.observe(new Observation(99, false, polls(), 0, 0, 0, 99), 9_000))
                .isEqualTo(WAIT);
        assertThat(rule.observe(unpublished(99, 0, 99), 9_049)).isEqualTo(WAIT);
        assertThat(rule.observe(unpublished(99, 0, 99), 9_050)).isEqualTo(PUBLISH);
        assertThat(rule.observe(unpublished(99, 0, 99), 9_099)).isEqualTo(WAIT);
        assertThat(rule.observe(unpublished(99, 0, 99), 9_100)).isEqualTo(PUBLISH);
    }
}
