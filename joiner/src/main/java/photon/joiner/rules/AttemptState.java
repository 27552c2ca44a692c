package photon.joiner.rules;

/** How far an attempt has come. Every state may also end in {@link #ANSWERED}. */
public enum AttemptState {
    /** Counted against the bound; waits for its primary event. Leaves when that was found. */
    ADMITTED,
    /** Its adapter runs. Leaves when that has emitted. */
    ADAPTING,
    /**
     * Repair items only: the lost token is being removed from the id. Leaves when the shard said
     * so.
     */
    REMOVING,
    /** Waits for room below the cap of its shard. Leaves when its commit is sent, with a token. */
    WAITING_FOR_ROOM,
    /** The registry may hold its token from now on. Leaves with a definite answer only. */
    COMMIT_SENT,
    /**
     * A copy of its commit has no answer, and no more are sent: its token is being cancelled.
     * Leaves with the cancel's answer only, which may be that the token holds the id.
     */
    CANCELLING,
    /**
     * Another attempt of this incarnation, not flushed yet, holds the id: answered as that one is.
     */
    WAITING_FOR_TWIN,
    /** Its record is on the way to the work log. Leaves when the log was flushed. */
    ACCEPTED,
    /** The end. */
    ANSWERED;

    boolean mayBecome(AttemptState next) {
        return switch (next) {
            case ADMITTED -> false;
            case ADAPTING -> this == ADMITTED;
            case REMOVING -> this == ADAPTING;
            case WAITING_FOR_ROOM -> this == ADAPTING || this == REMOVING;
            case COMMIT_SENT -> this == WAITING_FOR_ROOM;
            case CANCELLING -> this == COMMIT_SENT;
            case WAITING_FOR_TWIN, ACCEPTED -> this == COMMIT_SENT || this == CANCELLING;
            case ANSWERED -> this != ANSWERED;
        };
    }
}
