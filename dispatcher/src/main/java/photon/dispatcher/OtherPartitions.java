package photon.dispatcher;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.dispatcher.state.StateDirectory;
import photon.storage.files.FileStore;
import photon.storage.state.StatePartitions;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.FilePosition;
import photon.storage.tail.PositionsElsewhere;

/**
 * What has been read and done in the other partitions of a dispatcher's state, by their
 * checkpoints. Another dispatcher may be at work there. Thread-safe.
 */
public final class OtherPartitions implements PositionsElsewhere {
    private final FileStore files;
    private final StatePartitions partitions;
    private final int own;

    /**
     * @param own the partition that asks
     */
    public OtherPartitions(FileStore files, StatePartitions partitions, int own) {
        this.files = files;
        this.partitions = partitions;
        this.own = own;
    }

    @Override
    public List<FilePosition> read() throws IOException {
        List<FilePosition> positions = new ArrayList<>();
        for (int partition = 0; partition < partitions.count(); partition++) {
            if (partition != own) {
                StateDirectory other = new StateDirectory(partitions.directory(partition));
                Optional<Checkpoint> checkpoint = CheckpointFiles.read(files, other.checkpoint());
                if (checkpoint.isPresent()) {
                    // A power cut must not take back what its reader's own checkpoint builds on.
                    files.syncDirectory(other.checkpoint());
                    positions.addAll(checkpoint.get().positions());
                }
            }
        }
        return positions;
    }
}
