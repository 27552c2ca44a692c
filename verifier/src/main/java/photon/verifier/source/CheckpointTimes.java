package photon.verifier.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import photon.storage.files.FileStore;
import photon.storage.state.StateHome;
import photon.storage.state.StatePartitions;
import photon.storage.tail.CheckpointHistory;

/** What a datacenter's dispatcher has written down of how far it had read when. Only reads. */
@FunctionalInterface
public interface CheckpointTimes {
    /** As it stands now, of each partition of the state; one of which none can be seen is empty. */
    List<CheckpointHistory> read() throws IOException;

    /**
     * Of the state that is here when it is read: another one after the first was lost.
     *
     * @param home directory of the dispatcher's states: a {@link StateHome}
     */
    static CheckpointTimes ofHome(FileStore files, String home) {
        return () -> {
            String state = new StateHome(files, home).path();
            List<CheckpointHistory> all = new ArrayList<>();
            for (String partition : StatePartitions.read(files, state).directories()) {
                all.add(CheckpointHistory.read(files, partition + "/checkpoint"));
            }
            return all;
        };
    }
}
