package photon.joiner.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.registry.api.RegistryClient.CancelResult;
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
        assertThat(of(CommitResult.TAKEN, EARLIER_LIFE, false))
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
        assertThat(of(CommitResult.TAKEN, twin, false)).isEqualTo(CommitVerdict.JOINED);
    }

    @Test
    void takenByATokenOfOursThatWroteNothingIsALostWrite() {
        CommitToken settled = book.next();
        book.settled(settled);
        assertThat(of(CommitResult.TAKEN, settled, false)).isEqualTo(CommitVerdict.LOST_WRITE);
        assertThat(of(CommitResult.TAKEN, settled, true)).isEqualTo(CommitVerdict.LOST_WRITE);
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
        assertThat(verdict(CommitResult.ID_TOO_OLD, null, false, ELSEWHERE))
                .as("a repair item's id was accepted before")
                .isEqualTo(CommitVerdict.OUTCOME_LOST);
    }

    @Test
    void whatIsTurnedAwayOnArrivalIsNotCommitted() {
        assertThat(of(CommitResult.ID_IN_FUTURE, null, false))
                .isEqualTo(CommitVerdict.ID_IN_FUTURE);
    }

    /** Commit's answer with a copy about, then the cancel's. */
    @Test
    void whatHasACopyWithoutAnAnswerIsCancelledBeforeItIsSettled() {
        CommitToken open = book.next();
        CommitToken flushed = book.next();
        book.accepted(flushed);
        book.flushed(flushed);
        CommitToken settled = book.next();
        book.settled(settled);
        transcript(
                Map.of(
                        "elsewhere", ELSEWHERE,
                        "open", open,
                        "flushed", flushed,
                        "settled", settled),
                """
                ACCEPTED            -> WRITE
                FENCED              -> FENCED
                TAKEN settled       -> LOST_WRITE     # only a repair brings it back
                TAKEN elsewhere     -> CANCEL
                TAKEN open          -> CANCEL
                TAKEN flushed       -> CANCEL
                ID_TOO_OLD          -> CANCEL
                ID_IN_FUTURE        -> CANCEL

                TAKEN elsewhere     HELD        -> WRITE
                ID_TOO_OLD          HELD        -> WRITE
                ID_IN_FUTURE        HELD        -> WRITE
                TAKEN elsewhere     CANCELLED   -> JOINED_ELSEWHERE
                TAKEN open          CANCELLED   -> WAIT_FOR_TWIN
                TAKEN flushed       CANCELLED   -> JOINED
                TAKEN settled       CANCELLED   -> LOST_WRITE     # it became so meanwhile
                ID_TOO_OLD          CANCELLED   -> OUTCOME_LOST   # accepted before, perhaps
                ID_IN_FUTURE        CANCELLED   -> ID_IN_FUTURE
                TAKEN elsewhere     FENCED      -> FENCED
                ID_IN_FUTURE        FENCED      -> FENCED
                TAKEN elsewhere     CANCEL_FULL -> CANCEL_FULL
                """);
    }

    private void transcript(Map<String, CommitToken> holders, String lines) {
        for (String line : lines.lines().filter(l -> !l.isBlank()).toList()) {
            String[] sides = line.replaceAll("#.*", "").split("->");
            Deque<String> words = new ArrayDeque<>(List.of(sides[0].trim().split("\\s+")));
            CommitResult heard = CommitResult.valueOf(words.remove());
            CommitToken holder = heard == CommitResult.TAKEN ? holders.get(words.remove()) : null;
            CommitVerdict verdict =
                    words.isEmpty()
                            ? of(heard, holder, true)
                            : CommitVerdict.ofCancel(
                                    CancelResult.valueOf(words.remove()),
                                    heard,
                                    holder,
                                    OWN,
                                    book,
                                    null);
            assertThat(verdict).as(line).hasToString(sides[1].trim());
        }
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
