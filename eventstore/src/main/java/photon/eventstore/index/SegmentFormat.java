package photon.eventstore.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import photon.storage.tail.FilePosition;

/**
 * What stands in a segment, frame by frame ({@link photon.storage.frames.FrameWriter}): a head,
 * commits with the positions of then, and after that batches: blocks and the commit that makes them
 * count. A payload begins with its kind.
 *
 * <p>A block: kind, length of what is compressed, int32, and that, compressed by zstd: per event
 * its length (base 128, as in protobuf) and its bytes.
 */
final class SegmentFormat {
    static final byte HEAD = 'H';
    static final byte BLOCK = 'B';
    static final byte COMMIT = 'C';
    static final int BLOCK_HEADER = 1 + Integer.BYTES;

    private static final int VERSION = 2;

    private SegmentFormat() {}

    @FunctionalInterface
    private interface Body {
        void write(DataOutputStream out) throws IOException;
    }

    private static byte[] encode(byte kind, Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(kind);
            body.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot encode a frame of the log index", e);
        }
        return bytes.toByteArray();
    }

    static byte[] encode(SegmentHead head) {
        return encode(
                HEAD,
                out -> {
                    out.writeInt(VERSION);
                    bytes(out, head.settings().getBytes(UTF_8));
                    out.writeLong(head.primaryEvents());
                    out.writeLong(head.badRecords());
                    out.writeInt(head.segments().size());
                    for (SegmentStat segment : head.segments()) {
                        out.writeLong(segment.number());
                        out.writeLong(segment.events());
                        out.writeLong(segment.bytes());
                        out.writeLong(segment.newestMicros());
                    }
                });
    }

    static SegmentHead decodeHead(byte[] payload) throws IOException {
        DataInputStream in = in(payload, HEAD);
        int version = in.readInt();
        if (version != VERSION) {
            throw new OtherIndexException(
                    "it has a segment of format version %d, and this version of Photon writes %d"
                            .formatted(version, VERSION));
        }
        String settings = new String(bytes(in), UTF_8);
        long primaryEvents = in.readLong();
        long badRecords = in.readLong();
        List<SegmentStat> segments = new ArrayList<>();
        for (int n = in.readInt(); n > 0; n--) {
            segments.add(
                    new SegmentStat(in.readLong(), in.readLong(), in.readLong(), in.readLong()));
        }
        return new SegmentHead(settings, primaryEvents, badRecords, segments);
    }

    /**
     * @param positions of the segment, so far
     */
    static byte[] encode(Commit commit, PositionCodec positions) {
        return encode(
                COMMIT,
                out -> {
                    out.writeLong(commit.events());
                    out.writeLong(commit.newestMicros());
                    out.writeLong(commit.badRecords());
                    out.writeInt(commit.positions().size());
                    for (FilePosition position : commit.positions()) {
                        positions.write(out, position);
                    }
                    out.writeInt(commit.forgotten().size());
                    for (String key : commit.forgotten()) {
                        bytes(out, key.getBytes(UTF_8));
                    }
                    out.writeInt(commit.dropped().size());
                    for (long segment : commit.dropped()) {
                        out.writeLong(segment);
                    }
                });
    }

    /**
     * @param codec of the segment, so far
     */
    static Commit decodeCommit(byte[] payload, PositionCodec codec) throws IOException {
        DataInputStream in = in(payload, COMMIT);
        long events = in.readLong();
        long newestMicros = in.readLong();
        long badRecords = in.readLong();
        List<FilePosition> positions = new ArrayList<>();
        for (int n = in.readInt(); n > 0; n--) {
            positions.add(codec.read(in));
        }
        List<String> forgotten = new ArrayList<>();
        for (int n = in.readInt(); n > 0; n--) {
            forgotten.add(new String(bytes(in), UTF_8));
        }
        List<Long> dropped = new ArrayList<>();
        for (int n = in.readInt(); n > 0; n--) {
            dropped.add(in.readLong());
        }
        return new Commit(events, newestMicros, badRecords, positions, forgotten, dropped);
    }

    private static DataInputStream in(byte[] payload, byte kind) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload));
        byte found = in.readByte();
        if (found != kind) {
            throw new DamagedIndexException(
                    "Expected a frame of kind %c in a segment, but got %c"
                            .formatted((char) kind, (char) found));
        }
        return in;
    }

    private static void bytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }
}
