package photon.storage.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A batch of entries as it stands in a segment: magic, length, CRC32C over the frame's own
 * position, the length and the content. Each frame is synced before the next is written, so a crash
 * tears the last one only. The position in the checksum keeps a frame that somebody's event happens
 * to contain from being taken for one of ours.
 */
final class BatchFrame {
    static final int HEADER_BYTES = 12;
    private static final int MAGIC = 0x50484A31; // "PHJ1"

    private BatchFrame() {}

    static byte[] header(long position, byte[] content, int length) {
        return ByteBuffer.allocate(HEADER_BYTES)
                .putInt(MAGIC)
                .putInt(length)
                .putInt(crc(position, content, 0, length))
                .array();
    }

    /** Where the frame at this position ends; -1 if no whole frame stands there. */
    static int endOf(byte[] segment, int position) {
        if (segment.length - position < HEADER_BYTES) {
            return -1;
        }
        ByteBuffer header = ByteBuffer.wrap(segment, position, HEADER_BYTES);
        if (header.getInt() != MAGIC) {
            return -1;
        }
        int length = header.getInt();
        int from = position + HEADER_BYTES;
        if (length <= 0
                || length > segment.length - from
                || header.getInt() != crc(position, segment, from, length)) {
            return -1;
        }
        return from + length;
    }

    /** Whether a whole frame begins anywhere behind this position. */
    static boolean anyBehind(byte[] segment, int position) {
        for (int at = position + 1; at <= segment.length - HEADER_BYTES; at++) {
            if (endOf(segment, at) >= 0) {
                return true;
            }
        }
        return false;
    }

    private static int crc(long position, byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(12).putLong(position).putInt(length).flip());
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
