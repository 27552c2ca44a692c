package photon.eventstore.index;

import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.util.Arrays;
import photon.proto.v1.Event;
import photon.storage.zstd.ZstdBlocks;

/** Collects events until they fill a block, and compresses it. Not thread-safe. */
final class BlockBuilder {
    /** Level 3 takes 5 % less, and twice the time. */
    private static final int LEVEL = 1;

    private final int bytesMax;
    private byte[] raw = new byte[32 << 10];
    private byte[] payload = new byte[64 << 10];
    private int filled;
    private int count;

    BlockBuilder(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Whether the event would make it too large, so that it is to be taken before. */
    boolean isFullFor(Event event) {
        return count == RecordPosition.RECORDS_PER_BLOCK_MAX
                || (count > 0 && filled + event.getSerializedSize() > bytesMax);
    }

    /** Returns its number in the block. */
    int add(Event event) throws IOException {
        int size = event.getSerializedSize();
        int needed = filled + size + 5;
        if (needed > raw.length) {
            raw = Arrays.copyOf(raw, Math.max(needed, 2 * raw.length));
        }
        CodedOutputStream out = CodedOutputStream.newInstance(raw, filled, size + 5);
        out.writeUInt32NoTag(size);
        event.writeTo(out);
        filled += out.getTotalBytesWritten();
        return count++;
    }

    /** What it has, before compression. */
    Block block() {
        return new Block(Arrays.copyOf(raw, filled));
    }

    /**
     * Compresses what it has, and is empty again.
     *
     * @return how many bytes of {@link #payload} the block takes
     */
    int finish() {
        int max = SegmentFormat.BLOCK_HEADER + ZstdBlocks.bound(filled);
        if (max > payload.length) {
            payload = new byte[max];
        }
        payload[0] = SegmentFormat.BLOCK;
        payload[1] = (byte) (filled >>> 24);
        payload[2] = (byte) (filled >>> 16);
        payload[3] = (byte) (filled >>> 8);
        payload[4] = (byte) filled;
        int compressed =
                ZstdBlocks.compress(raw, filled, payload, SegmentFormat.BLOCK_HEADER, LEVEL);
        filled = 0;
        count = 0;
        return SegmentFormat.BLOCK_HEADER + compressed;
    }

    byte[] payload() {
        return payload;
    }
}
