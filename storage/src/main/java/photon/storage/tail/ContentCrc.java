package photon.storage.tail;

import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * CRC-32 of a plain log, from its start up to where its records were taken: tells later whether a
 * compressed file begins with all of that. Known as long as the log is read without a gap. Not
 * thread-safe.
 */
final class ContentCrc {
    private static final int POLYNOMIAL = 0xEDB88320; // of gzip, lowest bit first
    private static final int[] TABLE = table();
    private static final long GAP = -1;

    private final CRC32 crc = new CRC32();

    /** The end of what it is of. */
    private long end;

    /**
     * Goes on from what an earlier life has read.
     *
     * @param known of all bytes before the offset; null: nobody knows
     */
    void resume(long offset, @Nullable Integer known) {
        crc.reset();
        end = offset;
        if (offset > 0 && known == null) {
            end = GAP;
        } else if (known != null) {
            crc.update(bytesOf(known));
        }
    }

    /** These bytes were taken; what was taken before counts once. */
    void take(byte[] bytes, int start, int length, long offset) {
        if (end == GAP) {
            return;
        }
        if (offset > end) {
            end = GAP;
        } else if (offset + length > end) {
            int before = (int) (end - offset);
            crc.update(bytes, start + before, length - before);
            end = offset + length;
        }
    }

    /** Of all bytes before this offset; null: nobody knows. */
    @Nullable Integer at(long offset) {
        return offset == end ? (Integer) (int) crc.getValue() : null;
    }

    /**
     * Four bytes that have this CRC: it is all that a CRC knows of what came before, so that what
     * follows them has the CRC of what follows the bytes that they stand for. One finds them from
     * the last one on, by the highest byte, which one entry of the table alone has.
     */
    static byte[] bytesOf(int value) {
        int[] steps = new int[Integer.BYTES];
        int state = ~value;
        for (int i = steps.length - 1; i >= 0; i--) {
            steps[i] = byHighestByte(state >>> 24);
            state = (state ^ TABLE[steps[i]]) << 8;
        }
        byte[] bytes = new byte[Integer.BYTES];
        state = ~0;
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (state ^ steps[i]);
            state = state >>> 8 ^ TABLE[steps[i]];
        }
        return bytes;
    }

    private static int byHighestByte(int highest) {
        for (int i = 0; i < TABLE.length; i++) {
            if (TABLE[i] >>> 24 == highest) {
                return i;
            }
        }
        throw new AssertionError("Expected each highest byte once");
    }

    private static int[] table() {
        int[] table = new int[256];
        for (int i = 0; i < table.length; i++) {
            int entry = i;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                entry = (entry & 1) == 1 ? entry >>> 1 ^ POLYNOMIAL : entry >>> 1;
            }
            table[i] = entry;
        }
        return table;
    }
}
