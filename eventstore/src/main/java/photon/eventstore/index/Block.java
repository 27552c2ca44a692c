package photon.eventstore.index;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.Event;
import photon.storage.zstd.ZstdBlocks;

/** A block before compression, or decompressed as it was read. Thread-safe. */
final class Block {
    private final byte[] raw;
    private volatile int @Nullable [] ranges;

    /**
     * @param raw events, each with its length before it; not copied
     */
    Block(byte[] raw) {
        this.raw = raw;
    }

    int bytes() {
        return raw.length;
    }

    /** From a frame's payload, which was found whole. */
    static Block of(byte[] payload, int from, int length) throws IOException {
        int rawLength =
                (payload[from + 1] & 0xFF) << 24
                        | (payload[from + 2] & 0xFF) << 16
                        | (payload[from + 3] & 0xFF) << 8
                        | (payload[from + 4] & 0xFF);
        if (payload[from] != SegmentFormat.BLOCK || rawLength < 0) {
            throw new DamagedIndexException("Expected a block of events, but got another frame");
        }
        byte[] raw = new byte[rawLength];
        if (ZstdBlocks.decompress(
                payload,
                from + SegmentFormat.BLOCK_HEADER,
                length - SegmentFormat.BLOCK_HEADER,
                raw)) {
            return new Block(raw);
        }
        throw new DamagedIndexException("Expected a block of %d bytes".formatted(rawLength));
    }

    /** The event of this number. */
    Event event(int number) throws IOException {
        int[] known = ranges();
        return Event.parser().parseFrom(raw, known[2 * number], known[2 * number + 1]);
    }

    List<Event> events() throws IOException {
        int[] known = ranges();
        List<Event> events = new ArrayList<>(known.length / 2);
        for (int i = 0; i < known.length; i += 2) {
            events.add(Event.parser().parseFrom(raw, known[i], known[i + 1]));
        }
        return events;
    }

    /** Where each event begins, and its length. A block of the newest is asked many times. */
    private int[] ranges() throws IOException {
        int[] known = ranges;
        if (known == null) {
            known = new int[64];
            int filled = 0;
            CodedInputStream in = CodedInputStream.newInstance(raw);
            while (!in.isAtEnd()) {
                int length = in.readRawVarint32();
                if (filled == known.length) {
                    known = Arrays.copyOf(known, 2 * filled);
                }
                known[filled++] = in.getTotalBytesRead();
                known[filled++] = length;
                in.skipRawBytes(length);
            }
            known = Arrays.copyOf(known, filled);
            ranges = known;
        }
        return known;
    }
}
