package photon.idregistry.table;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import photon.core.filter.BlockedFilter;
import photon.idregistry.table.TableFiles.NewFile;
import photon.idregistry.table.TableFiles.TableFile;

/** Writes one sealed file, rows in id order. Used by one thread. */
final class SealedFileWriter implements AutoCloseable {
    private static final int BLOCKS_AT_ONCE = 64;

    private final NewFile out;
    private final SealedSpan.Name name;
    private final BlockedFilter filter;
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer buffer = ByteBuffer.allocate(BLOCKS_AT_ONCE * SealedFormat.BLOCK);

    /** Rows of the block that is being filled, at the end of the buffer. */
    private int rowsHere;

    /** Theirs; the filter gets them together. */
    private final long[] hashesHere = new long[SealedFormat.ROWS_PER_BLOCK];

    private long[] firsts = new long[64];
    private int blocks;
    private long[] cells = new long[3 * 16];
    private int cellsUsed;
    private long rows;
    private long lastMicros = -1;
    private long lastHigh;
    private long lastLow;
    private int lastProcess;

    /**
     * @param rowsMax no more will be added
     */
    SealedFileWriter(NewFile out, SealedSpan.Name name, long rowsMax) throws IOException {
        this.out = out;
        this.name = name;
        this.filter = BlockedFilter.of(rowsMax);
        out.write(SealedFormat.header());
    }

    /** The row with its token. */
    void add(IdRow row) throws IOException {
        if (lastMicros >= 0
                && IdRow.compare(
                                row.micros,
                                row.serverHigh,
                                row.serverLow,
                                row.process,
                                lastMicros,
                                lastHigh,
                                lastLow,
                                lastProcess)
                        <= 0) {
            check(false, "Expected rows in order, but got %s behind one of %s", row, lastMicros);
        }
        if (rowsHere == SealedFormat.ROWS_PER_BLOCK) {
            endBlock();
        }
        if (rowsHere == 0) {
            beginBlock(row.micros);
        }
        buffer.putLong(row.micros)
                .putLong(row.serverHigh)
                .putLong(row.serverLow)
                .putInt(row.process)
                .putLong(row.owner)
                .putLong(row.sequence);
        hashesHere[rowsHere++] = row.hash;
        rows++;
        count(row);
        lastMicros = row.micros;
        lastHigh = row.serverHigh;
        lastLow = row.serverLow;
        lastProcess = row.process;
    }

    private void count(IdRow row) {
        if (lastMicros < 0 || row.cell() != cells[cellsUsed - 3]) {
            if (cellsUsed == cells.length) {
                cells = Arrays.copyOf(cells, cellsUsed * 2);
            }
            cells[cellsUsed] = row.cell();
            cellsUsed += 3;
        }
        cells[cellsUsed - 2]++;
        cells[cellsUsed - 1] += row.contentHash();
    }

    private void beginBlock(long firstMicros) {
        if (blocks == firsts.length) {
            firsts = Arrays.copyOf(firsts, blocks * 2);
        }
        firsts[blocks] = firstMicros;
        buffer.putInt(0).putInt(0).putLong(blocks);
    }

    private void endBlock() throws IOException {
        if (rowsHere == 0) {
            return;
        }
        int end = (buffer.position() + SealedFormat.BLOCK - 1) & -SealedFormat.BLOCK;
        int start = end - SealedFormat.BLOCK;
        while (buffer.position() < end) {
            buffer.putInt(0);
        }
        filter.addAll(hashesHere, rowsHere);
        buffer.putInt(start + 4, rowsHere);
        buffer.putInt(start, SealedFormat.crc(crc, buffer, start + 4, end));
        rowsHere = 0;
        blocks++;
        if (!buffer.hasRemaining()) {
            flush();
        }
    }

    private void flush() throws IOException {
        out.write(buffer.flip());
        buffer.clear();
    }

    /** Writes the footer and syncs. */
    SealedFile finish() throws IOException {
        endBlock();
        flush();
        int longs = blocks + cellsUsed + filter.longs();
        ByteBuffer footer = ByteBuffer.allocate(longs * Long.BYTES + SealedFormat.TRAILER);
        footer.asLongBuffer().put(firsts, 0, blocks).put(cells, 0, cellsUsed);
        footer.position((blocks + cellsUsed) * Long.BYTES);
        filter.write(footer);
        footer.putLong(blocks)
                .putLong(cellsUsed / 3)
                .putLong(filter.longs())
                .putLong(rows)
                .putLong(name.from())
                .putLong(name.to())
                .putLong(name.index())
                .putLong(SealedFormat.MAGIC);
        footer.putInt(SealedFormat.crc(crc, footer, 0, footer.position()));
        out.write(footer.flip());
        TableFile written = out.finish();
        SealedFile file = null;
        try {
            file = SealedFile.open(written);
        } finally {
            if (file == null) {
                written.delete();
            }
        }
        return file;
    }

    /** Removes what was not finished. */
    @Override
    public void close() {
        out.close();
    }
}
