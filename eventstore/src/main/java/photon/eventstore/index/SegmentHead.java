package photon.eventstore.index;

import java.util.List;

/**
 * Begins a segment: what stood before it. The positions follow as commits without events.
 *
 * @param settings what decides which records the index holds
 * @param primaryEvents put before
 * @param badRecords counted before
 * @param segments older ones that are held, oldest first
 */
record SegmentHead(
        String settings, long primaryEvents, long badRecords, List<SegmentStat> segments) {
    SegmentHead {
        segments = List.copyOf(segments);
    }
}
