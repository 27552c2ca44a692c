package photon.simulation.checks;

/** What must become of a foreign identity once every fault has been mended. */
public enum Fate {
    /** Published once, with any of its contents and of its primary event's: all that it gives. */
    JOINABLE,
    /** Its primary event never comes where it is read: a journal row wherever it is read. */
    WAITING,
    /** Ahead of every clock for longer than the world lasts: a journal row, or not read yet. */
    FUTURE,
    /** Below the boundary from the start: skipped wherever it is read, never published. */
    TOO_OLD,
    /** Left out by the stream's {@code where}: nowhere to be found. */
    FILTERED,
    /** Left out by the adapter: in the ledger wherever it is read, never published. */
    SKIPPED,
    /** Refused for good by the adapter or by what it gave: a dead letter wherever it is read. */
    REJECTED
}
