package photon.storage.format;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes JSON as UTF-8 bytes into a buffer that is used again. Not thread-safe. */
final class JsonBytes {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes = new byte[512];
    private int length;

    int length() {
        return length;
    }

    void raw(char ascii) {
        ensure(1);
        bytes[length++] = (byte) ascii;
    }

    void raw(byte[] utf8) {
        ensure(utf8.length);
        System.arraycopy(utf8, 0, bytes, length, utf8.length);
        length += utf8.length;
    }

    /** The inside of a JSON string. */
    void text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        text(utf8, 0, utf8.length);
    }

    /** The inside of a JSON string, of well-formed UTF-8. */
    void text(byte[] utf8, int from, int to) {
        ensure((to - from) * 6);
        for (int i = from; i < to; i++) {
            byte b = utf8[i];
            if (b == '"' || b == '\\') {
                bytes[length++] = '\\';
                bytes[length++] = b;
            } else if (b >= 0 && b < 0x20) {
                bytes[length++] = '\\';
                bytes[length++] = 'u';
                bytes[length++] = '0';
                bytes[length++] = '0';
                bytes[length++] = HEX[b >> 4];
                bytes[length++] = HEX[b & 15];
            } else {
                bytes[length++] = b;
            }
        }
    }

    /** What was written; the buffer is empty again. */
    ByteString take() {
        ByteString taken = ByteString.copyFrom(bytes, 0, length);
        length = 0;
        return taken;
    }

    private void ensure(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
