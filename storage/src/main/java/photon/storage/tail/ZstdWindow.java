package photon.storage.tail;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Learns how much memory the decompression of a zstd stream keeps: as much as the largest window of
 * its frames, which each of them names in its header (RFC 8878 section 3.1.1.1). Not thread-safe.
 */
final class ZstdWindow {
    private static final int MAGIC = 0xFD2FB528;
    private static final int DESCRIPTOR_AT = Integer.BYTES;
    private static final int HEADER_BYTES_MAX = 18;
    private static final int LOG_MIN = 10;

    /** A frame whose window is larger is refused by the library. */
    private static final long BYTES_MAX = 128 << 20;

    private final ByteBuffer header =
            ByteBuffer.allocate(HEADER_BYTES_MAX).order(ByteOrder.LITTLE_ENDIAN);
    private long largest;

    /** The largest window so far. */
    long largest() {
        return largest;
    }

    /** The next bytes of the stream are those of the buffer from here to its position. */
    void read(ByteBuffer buffer, int from) {
        if (header.hasRemaining()) {
            int length = Math.min(header.remaining(), buffer.position() - from);
            header.put(header.position(), buffer, from, length);
            header.position(header.position() + length);
            largest = Math.max(largest, Math.min(window(), BYTES_MAX));
        }
    }

    /** What comes next is another frame. */
    void frameEnds() {
        header.clear();
    }

    /** 0: the header is not there yet, or has no window. */
    private long window() {
        int read = header.position();
        if (read <= DESCRIPTOR_AT || header.getInt(0) != MAGIC) {
            return 0; // also a frame that is skipped
        }
        int descriptor = header.get(DESCRIPTOR_AT);
        boolean wholeContent = (descriptor & 0x20) != 0;
        if (!wholeContent) {
            int at = DESCRIPTOR_AT + 1;
            return read > at ? ofDescriptor(header.get(at) & 0xFF) : 0;
        }
        int dictionaryBytes = new int[] {0, 1, 2, 4}[descriptor & 3];
        int sizeBytes = 1 << ((descriptor >> 6) & 3);
        int at = DESCRIPTOR_AT + 1 + dictionaryBytes;
        return read >= at + sizeBytes ? contentSize(at, sizeBytes) : 0;
    }

    private static long ofDescriptor(int descriptor) {
        long power = 1L << (LOG_MIN + (descriptor >> 3));
        return power + power / 8 * (descriptor & 7);
    }

    private long contentSize(int at, int bytes) {
        long size = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            size = (size << Byte.SIZE) | (header.get(at + i) & 0xFF);
        }
        return bytes == 2 ? size + 256 : size & Long.MAX_VALUE;
    }
}
