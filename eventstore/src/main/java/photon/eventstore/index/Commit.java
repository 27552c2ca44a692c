package photon.eventstore.index;

import java.util.List;
import photon.storage.tail.FilePosition;

/**
 * Ends a batch in a segment: the blocks before it count from here on, together with what it says.
 *
 * @param events in the blocks since the commit before
 * @param newestMicros the latest timestamp among them
 * @param positions of files that were read
 * @param forgotten keys of files whose positions are dropped
 * @param dropped segments that are dropped
 */
record Commit(
        long events,
        long newestMicros,
        long badRecords,
        List<FilePosition> positions,
        List<String> forgotten,
        List<Long> dropped) {
    Commit {
        positions = List.copyOf(positions);
        forgotten = List.copyOf(forgotten);
        dropped = List.copyOf(dropped);
    }

    static Commit positions(List<FilePosition> positions) {
        return new Commit(0, Long.MIN_VALUE, 0, positions, List.of(), List.of());
    }

    static Commit forget(List<String> fileKeys) {
        return new Commit(0, Long.MIN_VALUE, 0, List.of(), fileKeys, List.of());
    }

    static Commit drop(List<Long> segments) {
        return new Commit(0, Long.MIN_VALUE, 0, List.of(), List.of(), segments);
    }
}
