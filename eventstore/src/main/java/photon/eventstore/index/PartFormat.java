package photon.eventstore.index;

import java.util.zip.CRC32C;

/**
 * The format of sealed parts, all big-endian.
 *
 * <pre>
 * data blocks: crc int32, count int32, rows, zeros
 * footer:      the first place of each data block: two int64,
 *              then the words of a {@link photon.core.filter.BlockedFilter}, int64 each
 * trailer:     blocks int64, words int64, rows int64, from int64, to int64, magic int64,
 *              crc int32 of footer and trailer
 * </pre>
 *
 * A block has 4 KiB; its checksum also covers its number. A row is a place and a position, in order
 * of place, each place once.
 */
final class PartFormat {
    /** "PHOTONX" and the version. */
    static final long MAGIC = 0x50484F544F4E5801L;

    static final int BLOCK = 4_096;
    static final int BLOCK_HEADER = 8;
    static final int ROW = 3 * Long.BYTES;
    static final int ROWS_PER_BLOCK = (BLOCK - BLOCK_HEADER) / ROW;
    static final int FIRST = 2 * Long.BYTES;
    static final int TRAILER = 6 * Long.BYTES + Integer.BYTES;

    private PartFormat() {}

    /** Of the block of this number, which begins there. */
    static int crc(CRC32C crc, byte[] bytes, int at, long number) {
        crc.reset();
        crc.update(bytes, at + Integer.BYTES, BLOCK - Integer.BYTES);
        return (int) (crc.getValue() ^ number * 0x9E3779B1L);
    }
}
