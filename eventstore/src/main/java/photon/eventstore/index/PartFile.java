package photon.eventstore.index;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import photon.core.filter.BlockedFilter;
import photon.eventstore.index.FilePool.PooledFile;
import photon.eventstore.index.IndexNames.Range;

/**
 * A sealed part: in memory the first place of each block and the filter, 1.4 bytes a row. Every
 * block that is read is checked. Thread-safe.
 */
final class PartFile {
    private final PooledFile file;
    private final Range range;
    private final long rows;
    private final long bytes;

    /** Two halves each. */
    private final long[] firsts;

    private final BlockedFilter filter;

    private PartFile(
            PooledFile file,
            Range range,
            long rows,
            long bytes,
            long[] firsts,
            BlockedFilter filter) {
        this.file = file;
        this.range = range;
        this.rows = rows;
        this.bytes = bytes;
        this.firsts = firsts;
        this.filter = filter;
    }

    /**
     * Reads the footer only.
     *
     * @throws DamagedIndexException if it is not as it was written
     */
    static PartFile open(PooledFile file, Range range) throws IOException {
        long size = file.length();
        if (size < PartFormat.TRAILER) {
            throw new DamagedIndexException(file.path(), size, "it ends");
        }
        ByteBuffer trailer = ByteBuffer.allocate(PartFormat.TRAILER);
        long trailerAt = size - PartFormat.TRAILER;
        readFully(file, trailerAt, trailer.array(), PartFormat.TRAILER);
        long blocks = trailer.getLong();
        long filterLongs = trailer.getLong();
        long rows = trailer.getLong();
        Range written = new Range(trailer.getLong(), trailer.getLong());
        long footerBytes = blocks * PartFormat.FIRST + filterLongs * Long.BYTES;
        if (trailer.getLong() != PartFormat.MAGIC
                || !written.equals(range)
                || blocks < 0
                || blocks > size / PartFormat.BLOCK
                || !BlockedFilter.isLength(filterLongs)
                || blocks * PartFormat.BLOCK + footerBytes != trailerAt) {
            throw new DamagedIndexException(
                    file.path(), trailerAt, "is no trailer for its name and size");
        }
        ByteBuffer footer = ByteBuffer.allocate(Math.toIntExact(footerBytes + PartFormat.TRAILER));
        readFully(file, blocks * PartFormat.BLOCK, footer.array(), footer.limit());
        CRC32C crc = new CRC32C();
        int checked = footer.limit() - Integer.BYTES;
        crc.update(footer.array(), 0, checked);
        if (footer.getInt(checked) != (int) crc.getValue()) {
            throw new DamagedIndexException(
                    file.path(), blocks * PartFormat.BLOCK, "the footer's checksum differs");
        }
        long[] firsts = new long[(int) (2 * blocks)];
        footer.asLongBuffer().get(firsts);
        footer.position((int) blocks * PartFormat.FIRST);
        BlockedFilter filter = BlockedFilter.read(footer, (int) filterLongs);
        return new PartFile(file, range, rows, size, firsts, filter);
    }

    private static void readFully(PooledFile file, long offset, byte[] into, int length)
            throws IOException {
        try {
            file.readFully(offset, into, 0, length);
        } catch (EOFException e) {
            throw new DamagedIndexException(file.path(), offset, "it ends: " + e.getMessage());
        }
    }

    PooledFile file() {
        return file;
    }

    Range range() {
        return range;
    }

    long rows() {
        return rows;
    }

    long bytes() {
        return bytes;
    }

    /** What it takes of the heap. */
    long memoryBytes() {
        return (long) firsts.length * Long.BYTES + filter.bytes();
    }

    int blocks() {
        return firsts.length / 2;
    }

    /**
     * The position at this place; 0: there is none.
     *
     * @param into has room for a block
     */
    long find(long high, long low, byte[] into) throws IOException {
        if (!filter.mayHold(low)) {
            return 0;
        }
        int block = lastBlockFrom(high, low);
        if (block < 0) {
            return 0;
        }
        int count = read(block, 1, into);
        ByteBuffer rowsHere = ByteBuffer.wrap(into, 0, PartFormat.BLOCK);
        int from = 0;
        int to = count - 1;
        while (from <= to) {
            int middle = (from + to) >>> 1;
            int at = PartFormat.BLOCK_HEADER + middle * PartFormat.ROW;
            int order = Place.compare(rowsHere.getLong(at), rowsHere.getLong(at + 8), high, low);
            if (order == 0) {
                return rowsHere.getLong(at + 16);
            }
            if (order < 0) {
                from = middle + 1;
            } else {
                to = middle - 1;
            }
        }
        return 0;
    }

    private int lastBlockFrom(long high, long low) {
        int from = 0;
        int to = blocks() - 1;
        while (from <= to) {
            int middle = (from + to) >>> 1;
            if (Place.compare(firsts[2 * middle], firsts[2 * middle + 1], high, low) <= 0) {
                from = middle + 1;
            } else {
                to = middle - 1;
            }
        }
        return to;
    }

    /**
     * Reads blocks and checks them; returns how many rows the last one has.
     *
     * @throws DamagedIndexException if they are not as they were written
     */
    int read(int block, int count, byte[] into) throws IOException {
        readFully(file, (long) block * PartFormat.BLOCK, into, count * PartFormat.BLOCK);
        ByteBuffer read = ByteBuffer.wrap(into);
        CRC32C crc = new CRC32C();
        int rowsHere = 0;
        for (int i = 0; i < count; i++) {
            int at = i * PartFormat.BLOCK;
            rowsHere = read.getInt(at + Integer.BYTES);
            if (read.getInt(at) != PartFormat.crc(crc, into, at, block + i)
                    || rowsHere <= 0
                    || rowsHere > PartFormat.ROWS_PER_BLOCK) {
                throw new DamagedIndexException(
                        file.path(),
                        (long) (block + i) * PartFormat.BLOCK,
                        "the checksum of the block differs");
            }
        }
        return rowsHere;
    }
}
