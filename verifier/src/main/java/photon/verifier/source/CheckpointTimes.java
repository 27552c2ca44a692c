package photon.verifier.source;

import java.io.IOException;
import photon.storage.files.FileStore;
import photon.storage.state.StateHome;
import photon.storage.tail.CheckpointHistory;

/** What a datacenter's dispatcher has written down of how far it had read when. Only reads. */
@FunctionalInterface
public interface CheckpointTimes {
    /** As it stands now; empty: none can be seen here. */
    CheckpointHistory read() throws IOException;

    /**
     * Of the state that is here when it is read: another one after the first was lost.
     *
     * @param home directory of the dispatcher's states: a {@link StateHome}
     */
    static CheckpointTimes ofHome(FileStore files, String home) {
        return () -> of(files, new StateHome(files, home).path() + "/checkpoint").read();
    }

    /**
     * @param directory of the dispatcher's checkpoint
     */
    static CheckpointTimes of(FileStore files, String directory) {
        return () -> CheckpointHistory.read(files, directory);
    }
}
