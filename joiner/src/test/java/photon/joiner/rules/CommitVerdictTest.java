package photon.joiner.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.api.RegistryClient.RemoveResult;

/** The table of docs/protocol.md section 3, row by row. */
class CommitVerdictTest {
    private static final Incarnation OWN = new Incarnation(7, 2);
    private static final CommitToken EARLIER_LIFE = new CommitToken(7, 1, 1);
    private static final CommitToken ELSEWHERE = new CommitToken(9, 2, 1);

    private final TokenBook book = new TokenBook(OWN);

    @Test
    void acceptedIsWrittenHoweverOftenItWasAsked() {
        assertThat(of(CommitResult.ACCEPTED, null, false)).isEqualTo(CommitVerdict.WRITE);
        assertThat(of(CommitResult.ACCEPTED, null, true)).isEqualTo(CommitVerdict.WRITE);
    }

    @Test
    void takenByAnotherIncarnationIsJoinedElsewhere() {
        assertThat(of(CommitResult.TAKEN, ELSEWHERE, false))
                .isEqualTo(CommitVerdict.JOINED_ELSEWHERE);
        assertThat(of(CommitResult.TAKEN, EARLIER_LIFE, true))
                .isEqualTo(CommitVerdict.JOINED_ELSEWHERE);
    }

    @Test
    void takenByAnOpenAttemptOfOursWaitsForIt() {
        CommitToken twin = book.next();
        assertThat(of(CommitResult.TAKEN, twin, false)).isEqualTo(CommitVerdict.WAIT_FOR_TWIN);
        book.accepted(twin);
        assertThat(of(CommitResult.TAKEN, twin, false)).isEqualTo(CommitVerdict.WAIT_FOR_TWIN);
    }

    @Test
    void takenByAFlushedAttemptOfOursIsJoined() {
        CommitToken twin = book.next();
        book.accepted(twin);
        book.flushed(twin);
        assertThat(of(CommitResult.TAKEN, twin, true)).isEqualTo(CommitVerdict.JOINED);
    }

    @Test
    void takenByATokenOfOursThatWroteNothingIsALostWrite() {
        CommitToken settled = book.next();
        book.settled(settled, true);
        assertThat(of(CommitResult.TAKEN, settled, false)).isEqualTo(CommitVerdict.LOST_WRITE);
        assertThat(of(CommitResult.TAKEN, CommitToken.of(OWN, 99), false))
                .isEqualTo(CommitVerdict.LOST_WRITE);
    }

    @Test
    void fencedSpeaksForItself() {
        assertThat(of(CommitResult.FENCED, null, true)).isEqualTo(CommitVerdict.FENCED);
    }

    @Test
    void tooOldIsDefiniteOnAFirstTryOnly() {
        assertThat(of(CommitResult.ID_TOO_OLD, null, false)).isEqualTo(CommitVerdict.ID_TOO_OLD);
        assertThat(of(CommitResult.ID_TOO_OLD, null, true)).isEqualTo(CommitVerdict.OUTCOME_LOST);
        assertThat(verdict(CommitResult.ID_TOO_OLD, null, false, ELSEWHERE))
                .as("a repair item's id was accepted before")
                .isEqualTo(CommitVerdict.OUTCOME_LOST);
    }

    @Test
    void whatIsTurnedAwayOnArrivalIsDefiniteOnAFirstTryOnly() {
        assertThat(of(CommitResult.ID_IN_FUTURE, null, false))
                .isEqualTo(CommitVerdict.ID_IN_FUTURE);
        assertThat(of(CommitResult.ID_IN_FUTURE, null, true)).isEqualTo(CommitVerdict.DOUBTFUL);
    }

    @Test
    void aLostTokenNeverCountsAsJoinedElsewhere() {
        assertThat(verdict(CommitResult.TAKEN, ELSEWHERE, false, ELSEWHERE))
                .isEqualTo(CommitVerdict.RETRY_EVENT);
    }

    @Test
    void onlyAFencedTokenIsRemoved() {
        assertThat(CommitVerdict.ofRemove(RemoveResult.REMOVED)).isEqualTo(CommitVerdict.WRITE);
        assertThat(CommitVerdict.ofRemove(RemoveResult.NOT_FENCED))
                .isEqualTo(CommitVerdict.RETRY_EVENT);
        assertThat(CommitVerdict.ofRemove(RemoveResult.ID_TOO_OLD))
                .isEqualTo(CommitVerdict.OUTCOME_LOST);
    }

    private CommitVerdict of(
            CommitResult result, @Nullable CommitToken holder, boolean askedAgain) {
        return verdict(result, holder, askedAgain, null);
    }

    private CommitVerdict verdict(
            CommitResult result,
            @Nullable CommitToken holder,
            boolean askedAgain,
            @Nullable CommitToken lost) {
        return CommitVerdict.of(result, holder, OWN, book, askedAgain, lost);
    }
}
