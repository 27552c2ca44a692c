package photon.dispatcher.state;

import java.io.IOException;
import java.util.List;
import photon.storage.files.FileStore;
import photon.storage.state.StatePartitions;

/**
 * Where a dispatcher's durable state of one partition lies ({@code
 * photon.storage.state.StatePartitions}), for those who read it too.
 *
 * @param path absolute, or a URI. What keeps a second dispatcher out is a lock of the caller's, or
 *     where several machines share it the partition's lease
 */
public record StateDirectory(String path) {
    /** Name of the versioned document in {@link #checkpoint()}. */
    public static final String CHECKPOINT = "checkpoint";

    /**
     * One for each partition of a state ({@link StatePartitions}), in order.
     *
     * @param state the state's directory
     */
    public static List<StateDirectory> ofPartitions(FileStore files, String state)
            throws IOException {
        return StatePartitions.read(files, state).directories().stream()
                .map(StateDirectory::new)
                .toList();
    }

    /** Directory of the checkpoint document ({@code photon.storage.tail.Checkpoint}). */
    public String checkpoint() {
        return path + "/checkpoint";
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
