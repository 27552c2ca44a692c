package photon.storage.tail;

import java.util.ArrayList;
import java.util.List;

/**
 * How far a dispatcher has finished its files.
 *
 * @param owner number of the process start that wrote it; each start claims the document with a
 *     higher one first, so that a stalled owner's late write is refused
 * @param positions one per file, in no order
 * @param gone files that it has read and that went away too long ago to be listed one by one
 */
public record Checkpoint(long owner, List<FilePosition> positions, GoneFiles gone) {
    public Checkpoint {
        positions = List.copyOf(positions);
    }

    public Checkpoint(long owner, List<FilePosition> positions) {
        this(owner, positions, GoneFiles.NONE);
    }

    /**
     * What this and the checkpoint of another partition of the state say together, for those who
     * only read: nobody owns or writes that. Partitions have no file in common.
     */
    public Checkpoint plus(Checkpoint other) {
        List<FilePosition> all = new ArrayList<>(positions);
        all.addAll(other.positions);
        return new Checkpoint(Math.max(owner, other.owner), all, gone.plus(other.gone));
    }
}
