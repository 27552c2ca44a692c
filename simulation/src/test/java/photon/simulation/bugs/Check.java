package photon.simulation.bugs;

/** Who catches a bug: an invariant's checker, or a check in the code itself. */
enum Check {
    I1("I1"),
    I2("I2"),
    I3("I3"),
    I5("I5"),
    I6("I6"),
    /** Replicas that have applied the same index differ. */
    REPLICAS("replicas"),
    /** What no fault explains cannot be read. */
    FILES("FILES"),
    /** An incarnation is fenced for silence that renews. */
    SILENCE("silence"),
    /** Two processes are live in the slots of one joiner. */
    SLOTS("slots"),
    /** What is called repaired has its rows in the registered state. */
    STATES("STATES"),
    /** What is retired was settled, is below the boundary, and known from before it goes. */
    RETIRED("RETIRED"),
    /** The code's own checks: a process has met what must not happen. */
    BUG("bug");

    private final String label;

    Check(String label) {
        this.label = label;
    }

    /** As a world's result names it. */
    String label() {
        return label;
    }
}
