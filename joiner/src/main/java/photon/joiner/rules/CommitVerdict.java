package photon.joiner.rules;

import org.jspecify.annotations.Nullable;
import photon.core.error.BugException;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.registry.api.RegistryClient.CancelResult;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.api.RegistryClient.RemoveResult;

/** What a joiner does on the registry's answer: the table of docs/protocol.md section 3. */
public enum CommitVerdict {
    /** The id is this attempt's: write it, once. */
    WRITE,
    /** Another incarnation's token holds the id; that incarnation's repair sees to its output. */
    JOINED_ELSEWHERE,
    /** An attempt of this incarnation, not flushed yet, holds the id: be answered as it is. */
    WAIT_FOR_TWIN,
    /** An attempt of this incarnation holds the id, and its record is flushed. */
    JOINED,
    /**
     * A token of this incarnation holds the id, and there is no record of it, nor will there be:
     * only a repair can bring it back, so this incarnation must end.
     */
    LOST_WRITE,
    /** This incarnation may write nothing any more, ever. */
    FENCED,
    ID_TOO_OLD,
    /** Below the boundary, and an earlier commit of it may have been accepted. */
    OUTCOME_LOST,
    /** Turned away on arrival, and no copy of it is about: not committed. */
    ID_IN_FUTURE,
    /**
     * A copy of the commit has no answer, and may yet be accepted, or was: cancel the token, and
     * settle nothing before that is answered.
     */
    CANCEL,
    /** The token cannot be cancelled: only the fence ends it, so this incarnation must end. */
    CANCEL_FULL,
    /** The lost token could not be removed yet. */
    RETRY_EVENT,
    /**
     * The event is joined without its primary event: join it once more, under its upgrade's key.
     */
    UPGRADE,
    /** The event may only be joined without its primary event, and nobody has yet. */
    JOIN_UNMATCHED,
    /** The event is joined without its primary event, and with it may be upgraded. */
    WAIT_FOR_PRIMARY;

    /**
     * @param holder with TAKEN
     * @param book of this incarnation
     * @param askedAgain a copy of the commit was sent that has no answer
     * @param lostToken a repair item's
     */
    public static CommitVerdict of(
            CommitResult result,
            @Nullable CommitToken holder,
            Incarnation own,
            TokenBook book,
            boolean askedAgain,
            @Nullable CommitToken lostToken) {
        if (result == CommitResult.ACCEPTED) {
            return WRITE;
        }
        if (result == CommitResult.FENCED) {
            return FENCED;
        }
        CommitVerdict verdict = settled(result, holder, own, book, askedAgain, lostToken);
        return askedAgain && verdict != LOST_WRITE ? CANCEL : verdict;
    }

    /**
     * What a joiner does once the token is cancelled.
     *
     * @param heard of the commit, before the cancel
     * @param holder with TAKEN
     * @param book of this incarnation, as it is now
     * @param lostToken a repair item's
     */
    public static CommitVerdict ofCancel(
            CancelResult result,
            CommitResult heard,
            @Nullable CommitToken holder,
            Incarnation own,
            TokenBook book,
            @Nullable CommitToken lostToken) {
        return switch (result) {
            case HELD -> WRITE;
            case CANCELLED -> settled(heard, holder, own, book, true, lostToken);
            case FENCED -> FENCED;
            case CANCEL_FULL -> CANCEL_FULL;
        };
    }

    /**
     * @param copies that may have been accepted before: the boundary hides what became of them
     */
    private static CommitVerdict settled(
            CommitResult heard,
            @Nullable CommitToken holder,
            Incarnation own,
            TokenBook book,
            boolean copies,
            @Nullable CommitToken lostToken) {
        return switch (heard) {
            case TAKEN -> ofTaken(holder, own, book, lostToken);
            // A repair item's id was committed before, by the token that lost its output.
            case ID_TOO_OLD -> copies || lostToken != null ? OUTCOME_LOST : ID_TOO_OLD;
            case ID_IN_FUTURE -> ID_IN_FUTURE;
            case ACCEPTED, FENCED, CANCELLED ->
                    throw new BugException(
                            "Expected an answer that settles a token that is not cancelled, but got "
                                    + heard);
        };
    }

    private static CommitVerdict ofTaken(
            @Nullable CommitToken holder,
            Incarnation own,
            TokenBook book,
            @Nullable CommitToken lostToken) {
        if (holder == null || holder.equals(lostToken)) {
            // Never "joined elsewhere" on the word of the very token whose output is lost.
            return RETRY_EVENT;
        }
        if (!holder.isOf(own)) {
            return JOINED_ELSEWHERE;
        }
        return switch (book.stateOf(holder)) {
            case IN_FLIGHT, ACCEPTED -> WAIT_FOR_TWIN;
            case FLUSHED -> JOINED;
            case SETTLED, UNKNOWN -> LOST_WRITE;
        };
    }

    /**
     * What becomes of a verdict since the id's holder tells a kind (docs/protocol.md section 13).
     *
     * @param holder with TAKEN
     * @param attempt that was at the registry
     * @param upgrades they are wanted
     */
    public CommitVerdict ofKind(@Nullable CommitToken holder, Attempt attempt, boolean upgrades) {
        boolean settled = this == JOINED_ELSEWHERE || this == JOINED;
        if (!settled || holder == null || !holder.isUnmatched()) {
            return this;
        }
        if (holder.equals(CommitToken.JOIN_UNMATCHED)) {
            return JOIN_UNMATCHED;
        }
        if (!upgrades) {
            return this;
        }
        if (!attempt.isUnmatched()) {
            return UPGRADE;
        }
        return attempt.isFirstTry() ? WAIT_FOR_PRIMARY : this;
    }

    /**
     * What a repair item does after the removal of its lost token.
     *
     * @return {@link #WRITE}: go on to the commit
     */
    public static CommitVerdict ofRemove(RemoveResult result) {
        return switch (result) {
            case REMOVED -> WRITE;
            case NOT_FENCED -> RETRY_EVENT;
            case ID_TOO_OLD -> OUTCOME_LOST;
        };
    }
}
