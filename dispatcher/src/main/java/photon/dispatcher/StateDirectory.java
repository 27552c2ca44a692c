package photon.dispatcher;

/**
 * Where a dispatcher's durable state lies, for those who read it too.
 *
 * @param path absolute, or a URI. What keeps a second dispatcher out is a lock of the caller's, or
 *     where several machines share it the {@link #lease}
 */
public record StateDirectory(String path) {
    /** Name of the versioned document in {@link #checkpoint()}. */
    public static final String CHECKPOINT = "checkpoint";

    /** Directory of the checkpoint document ({@code photon.storage.tail.Checkpoint}). */
    public String checkpoint() {
        return path + "/checkpoint";
    }

    /** Directory of the document that says which dispatcher works with it. */
    public String lease() {
        return path + "/lease";
    }

    /** Directory of the retry journal ({@code photon.storage.journal.RetryJournal}). */
    public String journal() {
        return path + "/journal";
    }

    /** Directory of the ledger ({@code photon.storage.ledger.Ledger}), entries of every kind. */
    public String ledger() {
        return path + "/ledger";
    }
}
