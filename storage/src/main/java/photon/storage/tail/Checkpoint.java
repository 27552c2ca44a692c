package photon.storage.tail;

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
}
