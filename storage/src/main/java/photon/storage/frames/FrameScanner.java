package photon.storage.frames;

import static photon.core.error.Checks.check;

import java.util.zip.CRC32C;

/**
 * Finds frames in bytes. Does not read files and keeps no bytes. Not thread-safe.
 *
 * <p>After a corrupt range it goes on at the next place where magic and checksum are both right:
 * magic alone may stand in a payload.
 */
public final class FrameScanner {
    /** Bytes before a payload. */
    public static final int HEADER_BYTES = 12;

    /** Longest payload, bytes. */
    public static final int PAYLOAD_BYTES_MAX = 16 << 20;

    /** Never part of UTF-8 text. */
    static final int MAGIC = 0xF7504846;

    private final CRC32C crc = new CRC32C();
    private int end;

    /** What stands at the start of the scanned bytes. */
    public enum Found {
        /** A whole, right frame up to {@link #end()}. */
        FRAME,
        /** No frame begins before {@link #end()}; what begins there is not judged yet. */
        CORRUPT,
        /** Perhaps the beginning of a frame: at least the bytes up to {@link #end()} are needed. */
        INCOMPLETE
    }

    /** Judges what stands at {@code from}, with the bytes before {@code to} at hand. */
    public Found scan(byte[] bytes, int from, int to) {
        check(from >= 0 && from < to, "Expected bytes to scan, but got %s to %s", from, to);
        Found first = judge(bytes, from, to);
        if (first != Found.CORRUPT) {
            return first;
        }
        int at = from + 1;
        while (at < to && judge(bytes, at, to) == Found.CORRUPT) {
            at++;
        }
        end = at;
        return Found.CORRUPT;
    }

    /** Index as {@link Found} says, of the last scan. */
    public int end() {
        return end;
    }

    /** Length of the payload of a frame that begins at {@code from}. */
    static int payloadLength(byte[] bytes, int from) {
        return readInt(bytes, from + 4);
    }

    /** Checksum of a frame whose length field stands at {@code lengthAt}. */
    static int checksum(
            CRC32C crc, byte[] lengthBytes, int lengthAt, byte[] payload, int from, int length) {
        crc.reset();
        crc.update(lengthBytes, lengthAt, 4);
        crc.update(payload, from, length);
        return (int) crc.getValue();
    }

    static void writeInt(byte[] into, int at, int value) {
        into[at] = (byte) (value >>> 24);
        into[at + 1] = (byte) (value >>> 16);
        into[at + 2] = (byte) (value >>> 8);
        into[at + 3] = (byte) value;
    }

    private Found judge(byte[] bytes, int from, int to) {
        int magicAtHand = Math.min(4, to - from);
        for (int i = 0; i < magicAtHand; i++) {
            if (bytes[from + i] != (byte) (MAGIC >>> (24 - 8 * i))) {
                return Found.CORRUPT;
            }
        }
        if (to - from < HEADER_BYTES) {
            end = from + HEADER_BYTES;
            return Found.INCOMPLETE;
        }
        int length = payloadLength(bytes, from);
        if (length < 0 || length > PAYLOAD_BYTES_MAX) {
            return Found.CORRUPT;
        }
        end = from + HEADER_BYTES + length;
        if (end > to) {
            return Found.INCOMPLETE;
        }
        int expected = readInt(bytes, from + 8);
        int actual = checksum(crc, bytes, from + 4, bytes, from + HEADER_BYTES, length);
        return expected == actual ? Found.FRAME : Found.CORRUPT;
    }

    private static int readInt(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 24
                | (bytes[at + 1] & 0xFF) << 16
                | (bytes[at + 2] & 0xFF) << 8
                | (bytes[at + 3] & 0xFF);
    }
}
