package photon.verifier.source;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import photon.storage.files.FileStore;
import photon.storage.state.StateHome;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;

/** What a datacenter's dispatcher has written down of how far it has read. Only reads. */
@FunctionalInterface
public interface DispatcherCheckpoint {
    /**
     * As it stands now.
     *
     * @param state that the dispatcher works with
     * @return empty: this state is not here, or none was written in it yet
     */
    Optional<Checkpoint> read(UUID state) throws IOException;

    /**
     * @param home directory of the dispatcher's states: a {@link StateHome}
     */
    static DispatcherCheckpoint ofHome(FileStore files, String home) {
        return state -> {
            StateHome states = new StateHome(files, home);
            return states.identity().filter(state::equals).isPresent()
                    ? CheckpointFiles.read(files, states.path(state) + "/checkpoint")
                    : Optional.empty();
        };
    }
}
