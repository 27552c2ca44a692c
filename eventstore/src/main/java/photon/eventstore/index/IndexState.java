package photon.eventstore.index;

import java.util.List;
import photon.storage.tail.FilePosition;

/**
 * How far the logs are indexed.
 *
 * @param positions one a file that was ever read
 * @param primaryEvents ever put, also repeats and events that were dropped since
 * @param badRecords records before the positions that cannot be used
 */
public record IndexState(List<FilePosition> positions, long primaryEvents, long badRecords) {
    public static final IndexState EMPTY = new IndexState(List.of(), 0, 0);

    public IndexState {
        positions = List.copyOf(positions);
    }
}
