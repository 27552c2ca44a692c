package photon.eventstore.index;

/**
 * One segment.
 *
 * @param number segments are numbered from 1 on in the order in which they are written
 * @param events put there, repeats among them
 * @param bytes in its file
 * @param newestMicros the latest timestamp of its events; {@link Long#MIN_VALUE}: it has none
 */
record SegmentStat(long number, long events, long bytes, long newestMicros) {
    SegmentStat with(long moreEvents, long bytesNow, long micros) {
        return new SegmentStat(
                number, events + moreEvents, bytesNow, Math.max(newestMicros, micros));
    }
}
