package photon.eventstore.index;

import java.util.List;
import photon.proto.v1.Event;
import photon.storage.tail.FilePosition;

/**
 * What one poll of the logs adds.
 *
 * @param events primary events in the order read
 * @param positions where the files that were read stand afterwards, oldest file first
 * @param badRecords records in these ranges that cannot be used
 * @param newestMicros no event is taken for a newer one when old ones are dropped, Unix
 *     microseconds: the time at which they were read
 */
public record IndexBatch(
        List<Event> events, List<FilePosition> positions, long badRecords, long newestMicros) {

    /** One whose events are as new as they say. */
    public IndexBatch(List<Event> events, List<FilePosition> positions, long badRecords) {
        this(events, positions, badRecords, Long.MAX_VALUE);
    }

    public IndexBatch {
        events = List.copyOf(events);
        positions = List.copyOf(positions);
    }
}
