package photon.storage.journal;

/**
 * One round in which every row is tried once more; made by {@link OpenJournal#sweep}. Used in the
 * journal's loop.
 */
public final class Sweep {
    private int remaining;

    Sweep() {}

    /** True once each row of the round was tried after its begin. */
    public boolean done() {
        return remaining == 0;
    }

    void joined() {
        remaining++;
    }

    void left() {
        remaining--;
    }
}
