package photon.joiner.rules;

/** What an event that is joined passes in a joiner, in this order. */
public enum JoinStage {
    /** From admission until the event store has given its primary event. */
    PRIMARY,

    /** Until the adapter has made its joined events. */
    ADAPTER,

    /** Until the registry has accepted its id; waiting for room among the commits is in it. */
    COMMIT,

    /** Until its record is flushed in the work log. */
    WORK_LOG
}
