package photon.eventstore.index;

import static photon.core.error.Checks.check;

/**
 * Where a record lies, in one long: the segment's number, the offset of its block in there, and its
 * number in the block. Later records have greater positions, and none has 0.
 */
final class RecordPosition {
    static final int RECORDS_PER_BLOCK_MAX = 256;
    private static final long SEGMENT_MAX = (1 << 23) - 1;
    private static final long OFFSET_MAX = (1L << 32) - 1;

    private RecordPosition() {}

    static long of(long segment, long offset, int record) {
        check(
                segment > 0
                        && segment <= SEGMENT_MAX
                        && offset >= 0
                        && offset <= OFFSET_MAX
                        && record >= 0
                        && record < RECORDS_PER_BLOCK_MAX,
                "Expected a position within a segment, but got segment %s, offset %s, record %s",
                segment,
                offset,
                record);
        return segment << 40 | offset << 8 | record;
    }

    static long segment(long position) {
        return position >>> 40;
    }

    static long offset(long position) {
        return position >>> 8 & OFFSET_MAX;
    }

    static int record(long position) {
        return (int) (position & 0xFF);
    }
}
