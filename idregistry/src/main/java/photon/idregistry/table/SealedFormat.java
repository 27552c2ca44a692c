package photon.idregistry.table;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The format of sealed files, all big-endian.
 *
 * <pre>
 * header block: magic int64, version int32, crc int32, zeros
 * data blocks:  crc int32, count int32, number int64, count rows, zeros
 * footer:       first timestamp int64 of each data block,
 *               then a cell: number int64, count int64, hash int64,
 *               then the words of an {@link photon.core.filter.BlockedFilter}, int64 each
 * trailer:      blocks int64, cells int64, words int64, rows int64, from int64, to int64, index int64,
 *               magic int64, crc int32 of footer and trailer
 * </pre>
 *
 * A block has 4 KiB. A row is a packed id and a packed token, in id order.
 */
final class SealedFormat {
    /** "PHOTONID". */
    static final long MAGIC = 0x50484F544F4E4944L;

    static final int VERSION = 1;
    static final int BLOCK = 4_096;
    static final int BLOCK_HEADER = 16;
    static final int ROW = 44;
    static final int ROWS_PER_BLOCK = (BLOCK - BLOCK_HEADER) / ROW;
    static final int CELL = 3 * Long.BYTES;
    static final int TRAILER = 8 * Long.BYTES + Integer.BYTES;

    private SealedFormat() {}

    static int crc(CRC32C crc, ByteBuffer bytes, int from, int to) {
        int limit = bytes.limit();
        int position = bytes.position();
        crc.reset();
        bytes.limit(to).position(from);
        crc.update(bytes);
        bytes.limit(limit).position(position);
        return (int) crc.getValue();
    }

    static ByteBuffer header() {
        ByteBuffer header = ByteBuffer.allocate(BLOCK);
        header.putLong(MAGIC).putInt(VERSION).putInt(0).rewind();
        return header.putInt(12, crc(new CRC32C(), header, 0, BLOCK));
    }
}
