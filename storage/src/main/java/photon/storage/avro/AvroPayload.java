package photon.storage.avro;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a tail makes of a container file: frames, so that it goes on by offsets as in any file whose
 * content is compressed. The first frame is the schema, each other a record or a corrupt block.
 *
 * <p>Offsets are stored, and a later version must count alike: <b>lengths may never change</b>. A
 * record's is that of its binary encoding and one byte, a corrupt block's is always the same.
 */
public final class AvroPayload {
    private static final byte SCHEMA = 0;
    private static final byte RECORD = 1;
    private static final byte CORRUPT = 2;
    private static final int CORRUPT_BYTES = 512;
    private static final int REASON_AT = 1 + Short.BYTES;

    private AvroPayload() {}

    /** What a payload is. */
    public enum Kind {
        SCHEMA,
        RECORD,
        CORRUPT
    }

    public static byte[] schema(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + utf8.length).put(SCHEMA).put(utf8).array();
    }

    public static byte[] record(byte[] bytes, int from, int to) {
        return ByteBuffer.allocate(1 + to - from).put(RECORD).put(bytes, from, to - from).array();
    }

    public static byte[] corrupt(String reason) {
        byte[] utf8 = reason.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(utf8.length, CORRUPT_BYTES - REASON_AT);
        return ByteBuffer.allocate(CORRUPT_BYTES)
                .put(CORRUPT)
                .putShort((short) length)
                .put(utf8, 0, length)
                .array();
    }

    public static Kind kind(byte[] bytes, int from) {
        return switch (bytes[from]) {
            case SCHEMA -> Kind.SCHEMA;
            case RECORD -> Kind.RECORD;
            default -> Kind.CORRUPT;
        };
    }

    public static String schemaText(byte[] bytes, int from, int to) {
        return new String(bytes, from + 1, to - from - 1, StandardCharsets.UTF_8);
    }

    /** Behind the kind. */
    public static AvroCursor recordIn(byte[] bytes, int from, int to) {
        return new AvroCursor(bytes, from + 1, to);
    }

    public static String reason(byte[] bytes, int from) {
        int length = ByteBuffer.wrap(bytes).getShort(from + 1);
        int at = from + REASON_AT;
        return new String(Arrays.copyOfRange(bytes, at, at + length), StandardCharsets.UTF_8);
    }
}
