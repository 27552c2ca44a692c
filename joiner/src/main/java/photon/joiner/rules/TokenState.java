package photon.joiner.rules;

/** What became of a sequence number of this incarnation. */
public enum TokenState {
    /** Sent to the registry, no definite answer yet: of the commit, or of the cancel. */
    IN_FLIGHT(0),
    /** The id is its; its record is not flushed yet. */
    ACCEPTED(1),
    /** Its record is flushed in the work log. */
    FLUSHED(2),
    /** Its attempt ended without a record: if the registry holds it, its output is lost. */
    SETTLED(3),
    /** Not made by this incarnation. */
    UNKNOWN(-1);

    /** As the book keeps it; never below 0 for states that it keeps. */
    final int bits;

    TokenState(int bits) {
        this.bits = bits;
    }
}
