package photon.joiner.task;

/** Why an incarnation ended. */
public enum TaskEnd {
    /** The registry refuses its tokens. */
    FENCED,
    /** The registry remembers as many cancelled tokens of the slot as it may. */
    CANCEL_FULL,
    /** The registry holds a token of its own for which there is no record. */
    LOST_WRITE,
    /** Something could not be written, synced or published. */
    OUTPUT_FAILED,
    /** The joiner closes, and not everything was settled in time. */
    CLOSED
}
