package photon.adapter;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Builds one JSON object in one line, for {@link Adapter.Result#emit}: escapes what must be
 * escaped. Not thread-safe; make one per event.
 *
 * @since 1.1
 */
public final class JsonLine {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] buffer = new byte[512];
    private int size;

    public JsonLine() {
        write((byte) '{');
    }

    public JsonLine text(String name, String value) {
        name(name);
        quoted(value);
        return this;
    }

    public JsonLine number(String name, long value) {
        name(name);
        writeAll(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
        return this;
    }

    public JsonLine flag(String name, boolean value) {
        name(name);
        writeAll(Boolean.toString(value).getBytes(StandardCharsets.US_ASCII));
        return this;
    }

    /**
     * @param json a JSON value in one line, such as that of {@link SourceEvent#json}; it is not
     *     looked at
     */
    public JsonLine json(String name, byte[] json) {
        name(name);
        writeAll(json);
        return this;
    }

    /** The object, without a line feed. */
    public byte[] toBytes() {
        byte[] line = Arrays.copyOf(buffer, size + 1);
        line[size] = '}';
        return line;
    }

    private void name(String name) {
        if (size > 1) {
            write((byte) ',');
        }
        quoted(name);
        write((byte) ':');
    }

    /** Half of a surrogate pair becomes '?': it has no UTF-8. */
    private void quoted(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        write((byte) '"');
        for (byte b : bytes) {
            if (b == '"' || b == '\\') {
                write((byte) '\\');
                write(b);
            } else if (b >= 0 && b < 0x20) {
                writeAll(new byte[] {'\\', 'u', '0', '0', HEX[b >> 4], HEX[b & 0xF]});
            } else {
                write(b);
            }
        }
        write((byte) '"');
    }

    private void write(byte b) {
        room(1);
        buffer[size++] = b;
    }

    private void writeAll(byte[] bytes) {
        room(bytes.length);
        System.arraycopy(bytes, 0, buffer, size, bytes.length);
        size += bytes.length;
    }

    private void room(int bytes) {
        if (bytes > buffer.length - size) {
            buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, size + bytes));
        }
    }
}
