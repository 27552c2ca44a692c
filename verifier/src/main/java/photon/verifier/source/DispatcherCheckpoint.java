package photon.verifier.source;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import photon.storage.files.FileStore;
import photon.storage.state.StateHome;
import photon.storage.state.StatePartitions;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.ResetNotes;

/**
 * What a datacenter's dispatcher has written down of how far it has read, also before a person has
 * reset it. Only reads.
 */
@FunctionalInterface
public interface DispatcherCheckpoint {
    /**
     * As it stands now.
     *
     * @param state that the dispatcher works with
     * @return of all its partitions together; empty: this state is not here, or none was written in
     *     one of its partitions yet
     */
    Optional<Checkpoint> read(UUID state) throws IOException;

    /**
     * @param home directory of the dispatcher's states: a {@link StateHome}
     */
    static DispatcherCheckpoint ofHome(FileStore files, String home) {
        return state -> {
            StateHome states = new StateHome(files, home);
            return states.identity().filter(state::equals).isPresent()
                    ? ofAllPartitions(files, StatePartitions.read(files, states.path(state)))
                    : Optional.empty();
        };
    }

    /** What one partition has read is not known without its own. */
    private static Optional<Checkpoint> ofAllPartitions(FileStore files, StatePartitions partitions)
            throws IOException {
        Optional<Checkpoint> all = Optional.empty();
        for (String partition : partitions.directories()) {
            String directory = partition + "/checkpoint";
            Optional<Checkpoint> one = CheckpointFiles.read(files, directory);
            if (one.isEmpty()) {
                return Optional.empty();
            }
            // Behind it: a note stands before the checkpoint that it is about.
            Checkpoint everRead = ResetNotes.read(files, directory).withReadBefore(one.get());
            all = all.map(others -> others.plus(everRead)).or(() -> Optional.of(everRead));
        }
        return all;
    }
}
