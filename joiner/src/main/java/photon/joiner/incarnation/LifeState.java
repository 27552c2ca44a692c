package photon.joiner.incarnation;

/** Where a joiner is in its present life. */
public enum LifeState {
    /** Not started. Leaves for {@link #REGISTERING}. */
    NEW,
    /** Asks the control group for a generation. Leaves for {@link #OPENING_OUTPUT}. */
    REGISTERING,
    /** Makes its work directory. Leaves for {@link #SERVING}, or {@link #LOOKING_ROUND}. */
    OPENING_OUTPUT,
    /** Joins. Leaves when its incarnation ends, or for {@link #CLOSING}. */
    SERVING,
    /**
     * Its incarnation ended: asks whether another process has the slot now. Leaves for {@link
     * #BACKING_OFF}, or for {@link #STOPPED} if so.
     */
    LOOKING_ROUND,
    /** Waits before it registers anew. Leaves for {@link #REGISTERING}. */
    BACKING_OFF,
    /** Admits nothing; finishes what it has. Leaves for {@link #STOPPED}. */
    CLOSING,
    /** For good. */
    STOPPED
}
