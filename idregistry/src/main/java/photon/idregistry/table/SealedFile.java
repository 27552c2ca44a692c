package photon.idregistry.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import photon.core.filter.BlockedFilter;
import photon.idregistry.table.TableFiles.TableFile;

/**
 * One sealed file, open: a sparse index, the cells' books and a filter are in memory, 8 bytes for
 * 92 rows and 10 bits a row. Every block that is read is checked. Its readers, {@link BlockReader}
 * and {@link SealedRows}, are each for one thread; any number of them may read at once.
 *
 * <p>It is counted who uses it, and removed when nobody does.
 */
final class SealedFile {
    private final TableFile file;
    private final SealedSpan.Name name;
    private final long rows;
    private final long[] firsts;

    /** Number, count, hash of each. */
    private final long[] cells;

    private final BlockedFilter filter;
    private final AtomicInteger users = new AtomicInteger(1);

    private SealedFile(
            TableFile file,
            SealedSpan.Name name,
            long rows,
            long[] firsts,
            long[] cells,
            BlockedFilter filter) {
        this.file = file;
        this.name = name;
        this.rows = rows;
        this.firsts = firsts;
        this.cells = cells;
        this.filter = filter;
    }

    /**
     * Reads header and footer only.
     *
     * @throws DamagedFileException if they are not as they were written
     */
    static SealedFile open(TableFile file) throws IOException {
        long size = file.size();
        if (size < SealedFormat.BLOCK + SealedFormat.TRAILER) {
            throw new DamagedFileException(file.name(), size, "it ends");
        }
        checkHeader(file);
        ByteBuffer trailer = ByteBuffer.allocate(SealedFormat.TRAILER);
        long trailerAt = size - SealedFormat.TRAILER;
        file.read(trailer, trailerAt);
        trailer.flip();
        long blocks = trailer.getLong();
        long cellCount = trailer.getLong();
        long filterLongs = trailer.getLong();
        long rows = trailer.getLong();
        SealedSpan.Name name =
                new SealedSpan.Name(trailer.getLong(), trailer.getLong(), trailer.getLong());
        long footerAt = SealedFormat.BLOCK * (1 + blocks);
        if (trailer.getLong() != SealedFormat.MAGIC
                || blocks < 0
                || blocks > size / SealedFormat.BLOCK
                || cellCount < 0
                || cellCount > size / SealedFormat.CELL
                || !BlockedFilter.isLength(filterLongs)
                || footerAt + (blocks + filterLongs) * Long.BYTES + cellCount * SealedFormat.CELL
                        != trailerAt) {
            throw new DamagedFileException(file.name(), trailerAt, "is no trailer for its size");
        }
        ByteBuffer footer = ByteBuffer.allocate((int) (size - footerAt));
        file.read(footer, footerAt);
        footer.flip();
        int checked = footer.limit() - Integer.BYTES;
        if (footer.getInt(checked) != SealedFormat.crc(new CRC32C(), footer, 0, checked)) {
            throw new DamagedFileException(file.name(), footerAt, "the footer's checksum differs");
        }
        long[] firsts = new long[(int) blocks];
        long[] cells = new long[(int) cellCount * 3];
        footer.asLongBuffer().get(firsts).get(cells);
        footer.position((firsts.length + cells.length) * Long.BYTES);
        BlockedFilter filter = BlockedFilter.read(footer, (int) filterLongs);
        return new SealedFile(file, name, rows, firsts, cells, filter);
    }

    private static void checkHeader(TableFile file) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(SealedFormat.BLOCK);
        file.read(header, 0);
        header.flip();
        int version = header.getInt(8);
        if (header.getLong(0) == SealedFormat.MAGIC && version != SealedFormat.VERSION) {
            throw new DamagedFileException(
                    file.name(),
                    8,
                    "is format version %d: expected %d, as this Photon writes it"
                            .formatted(version, SealedFormat.VERSION));
        }
        if (!header.equals(SealedFormat.header())) {
            throw new DamagedFileException(file.name(), 0, "is no header");
        }
    }

    TableFile file() {
        return file;
    }

    SealedSpan.Name name() {
        return name;
    }

    long rows() {
        return rows;
    }

    int blocks() {
        return firsts.length;
    }

    int cells() {
        return cells.length / 3;
    }

    long cellNumber(int cell) {
        return cells[cell * 3];
    }

    long cellCount(int cell) {
        return cells[cell * 3 + 1];
    }

    long cellHash(int cell) {
        return cells[cell * 3 + 2];
    }

    /** What the sparse index, the books and the filter take of the heap. */
    long bytes() {
        return (firsts.length + cells.length) * (long) Long.BYTES + filter.bytes();
    }

    /** False: it does not hold the row's id. Reads no block. */
    boolean mayHold(IdRow row) {
        return filter.mayHold(row.hash);
    }

    /** Tells the row its holder. True if there is one. In any thread. */
    boolean find(IdRow row, BlockReader reader) throws IOException {
        row.holder = 0;
        if (!mayHold(row)) {
            return false;
        }
        int high = lastBlockFrom(row.micros);
        if (high < 0) {
            return false;
        }
        // With many ids of one microsecond, a timestamp alone does not say which block it is.
        int low = high;
        while (low > 0 && firsts[low] == row.micros) {
            low = Math.max(0, low - Math.max(1, 2 * (high - low)));
        }
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (compare(reader.block(this, middle), 0, row) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return findIn(reader.block(this, low), row);
    }

    /** The last block whose first row has at most this timestamp; -1 if there is none. */
    private int lastBlockFrom(long micros) {
        return firstAtLeast(micros + 1) - 1;
    }

    /** The block in which rows of this timestamp or later ones begin. */
    int firstBlockOf(long micros) {
        return Math.max(0, firstAtLeast(micros) - 1);
    }

    /** The first block whose first row has at least this timestamp. */
    private int firstAtLeast(long micros) {
        int low = 0;
        int high = firsts.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (firsts[middle] < micros) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static boolean findIn(ByteBuffer block, IdRow row) {
        int low = 0;
        int high = block.getInt(4) - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = compare(block, middle, row);
            if (order == 0) {
                int at = SealedFormat.BLOCK_HEADER + middle * SealedFormat.ROW;
                row.holder = block.getLong(at + 28);
                row.holderSequence = block.getLong(at + 36);
                return true;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return false;
    }

    private static int compare(ByteBuffer block, int place, IdRow row) {
        int at = SealedFormat.BLOCK_HEADER + place * SealedFormat.ROW;
        return IdRow.compare(
                block.getLong(at),
                block.getLong(at + 8),
                block.getLong(at + 16),
                block.getInt(at + 24),
                row.micros,
                row.serverHigh,
                row.serverLow,
                row.process);
    }

    /** Checks the block at this place of a buffer. */
    void checkBlock(ByteBuffer in, int at, int number, CRC32C with) throws IOException {
        int found = SealedFormat.crc(with, in, at + 4, at + SealedFormat.BLOCK);
        int count = in.getInt(at + 4);
        if (found != in.getInt(at)
                || in.getLong(at + 8) != number
                || count <= 0
                || count > SealedFormat.ROWS_PER_BLOCK) {
            throw new DamagedFileException(
                    file.name() + " (" + name.inSnapshot() + " in snapshots)",
                    SealedFormat.BLOCK * (1L + number),
                    "the checksum of block " + number + " differs");
        }
    }

    /** One user more. */
    SealedFile retain() {
        users.incrementAndGet();
        return this;
    }

    /** One user less. The last one removes it. */
    void release() {
        if (users.decrementAndGet() == 0) {
            file.delete();
        }
    }

    @Override
    public String toString() {
        return file.name();
    }
}
