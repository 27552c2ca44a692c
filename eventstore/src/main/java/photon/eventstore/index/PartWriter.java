package photon.eventstore.index;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import photon.core.filter.BlockedFilter;
import photon.eventstore.index.IndexNames.Range;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.AppendFile;

/**
 * Writes a sealed part, rows in order, under another name until it is whole and durable. Not
 * thread-safe.
 */
final class PartWriter implements AutoCloseable {
    private static final int BLOCKS_AT_ONCE = 64;

    private final FileStore files;
    private final String directory;
    private final Range range;
    private final AppendFile out;
    private final BlockedFilter filter;
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer buffer = ByteBuffer.allocate(BLOCKS_AT_ONCE * PartFormat.BLOCK);
    private long[] firsts = new long[128];
    private int blocks;
    private int rowsHere;

    /** The low halves of theirs; the filter gets them together. */
    private final long[] lowsHere = new long[PartFormat.ROWS_PER_BLOCK];

    private long rows;
    private long lastHigh;
    private long lastLow;

    /**
     * @param rowsMax no more will be added
     */
    PartWriter(FileStore files, String directory, Range range, long rowsMax) throws IOException {
        this.files = files;
        this.directory = directory;
        this.range = range;
        this.filter = BlockedFilter.of(rowsMax);
        files.delete(unfinished());
        this.out = files.create(unfinished());
    }

    private String unfinished() {
        return directory + "/" + IndexNames.unfinished(IndexNames.part(range));
    }

    void add(long high, long low, long position) throws IOException {
        check(
                rows == 0 || Place.compare(lastHigh, lastLow, high, low) < 0,
                "Expected rows in order, but got place %s behind %s",
                high,
                lastHigh);
        if (rowsHere == PartFormat.ROWS_PER_BLOCK) {
            endBlock();
        }
        if (rowsHere == 0) {
            beginBlock(high, low);
        }
        buffer.putLong(high).putLong(low).putLong(position);
        lowsHere[rowsHere++] = low;
        rows++;
        lastHigh = high;
        lastLow = low;
    }

    private void beginBlock(long high, long low) {
        if (2 * blocks == firsts.length) {
            firsts = Arrays.copyOf(firsts, 2 * firsts.length);
        }
        firsts[2 * blocks] = high;
        firsts[2 * blocks + 1] = low;
        buffer.position(buffer.position() + PartFormat.BLOCK_HEADER);
    }

    private void endBlock() throws IOException {
        filter.addAll(lowsHere, rowsHere);
        int at = buffer.position() / PartFormat.BLOCK * PartFormat.BLOCK;
        if (buffer.position() == at) { // the block is exactly full
            at -= PartFormat.BLOCK;
        }
        int end = at + PartFormat.BLOCK;
        Arrays.fill(buffer.array(), buffer.position(), end, (byte) 0);
        buffer.putInt(at + Integer.BYTES, rowsHere);
        buffer.putInt(at, PartFormat.crc(crc, buffer.array(), at, blocks));
        buffer.position(end);
        blocks++;
        rowsHere = 0;
        if (!buffer.hasRemaining()) {
            drain();
        }
    }

    private void drain() throws IOException {
        out.write(buffer.array(), 0, buffer.position());
        buffer.clear();
    }

    /** Durable, under its name, when it returns. */
    void finish() throws IOException {
        if (rowsHere > 0) {
            endBlock();
        }
        drain();
        ByteBuffer footer =
                ByteBuffer.allocate(
                        Math.toIntExact(
                                (long) blocks * PartFormat.FIRST
                                        + filter.bytes()
                                        + PartFormat.TRAILER));
        footer.asLongBuffer().put(firsts, 0, 2 * blocks);
        footer.position(blocks * PartFormat.FIRST);
        filter.write(footer);
        footer.putLong(blocks)
                .putLong(filter.longs())
                .putLong(rows)
                .putLong(range.from())
                .putLong(range.to())
                .putLong(PartFormat.MAGIC);
        crc.reset();
        crc.update(footer.array(), 0, footer.position());
        footer.putInt((int) crc.getValue());
        out.write(footer.array(), 0, footer.position());
        out.sync();
        out.close();
        files.rename(unfinished(), directory + "/" + IndexNames.part(range));
        files.syncDirectory(directory);
    }

    /** What is not finished stays under its other name, and is deleted at the next start. */
    @Override
    public void close() throws IOException {
        out.close();
    }
}
