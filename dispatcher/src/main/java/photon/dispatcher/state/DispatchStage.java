package photon.dispatcher.state;

/** What an event that is read from a log and joined at once passes, in this order. */
public enum DispatchStage {
    /** From its timestamp, by the wall clock, until the dispatcher has it. */
    READ,

    /**
     * Until its way begins: its file is named in a checkpoint, the event store has read as far, and
     * it is this datacenter's turn.
     */
    ADMIT,

    /** Until the local replica has said that it is not joined yet. */
    LOOKUP,

    /** Until a joiner has said that it is joined, and durable. */
    JOIN
}
