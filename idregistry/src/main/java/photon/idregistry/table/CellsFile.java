package photon.idregistry.table;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Cells in a file of a snapshot, which has a checksum for it: a version byte, then a cell: number,
 * count, hash, index of the last change, rows (int64 each), and five longs a row as in {@link
 * Page}; at the end a cell number of -1.
 */
final class CellsFile {
    private static final int VERSION = 1;
    private static final int BUFFER = 64 << 10;

    private CellsFile() {}

    static void write(List<Cell.Frozen> cells, OutputStream out) throws IOException {
        out.write(VERSION);
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        for (Cell.Frozen cell : cells) {
            room(5, buffer, out);
            buffer.putLong(cell.number())
                    .putLong(cell.count())
                    .putLong(cell.hash())
                    .putLong(cell.changedAt())
                    .putLong(cell.rows());
            for (Page page : cell.distinctPages()) {
                for (int at = 0; at < page.rows.length; at += Page.ROW) {
                    if (page.rows[at + Page.OWNER] != 0) {
                        room(Page.ROW, buffer, out);
                        for (int i = 0; i < Page.ROW; i++) {
                            buffer.putLong(page.rows[at + i]);
                        }
                    }
                }
            }
        }
        room(1, buffer, out);
        buffer.putLong(-1);
        out.write(buffer.array(), 0, buffer.position());
    }

    private static void room(int longs, ByteBuffer buffer, OutputStream out) throws IOException {
        if (buffer.remaining() < longs * Long.BYTES) {
            out.write(buffer.array(), 0, buffer.position());
            buffer.clear();
        }
    }

    /**
     * Adds the cells, with their books as they are in the file.
     *
     * @param whole false: of an overlay, whose books speak of a file, too
     * @param name for people
     */
    static void read(DataInputStream in, Cells into, boolean whole, String name)
            throws IOException {
        int version = in.readUnsignedByte();
        if (version != VERSION) {
            throw new IOException(
                    "Expected " + name + " in version " + VERSION + ", but got " + version);
        }
        IdRow row = new IdRow();
        for (long number = in.readLong(); number >= 0; number = in.readLong()) {
            long count = in.readLong();
            long hash = in.readLong();
            long changedAt = in.readLong();
            long rows = in.readLong();
            Cell cell = into.need(number);
            long found = 0;
            for (long i = 0; i < rows; i++) {
                long when = in.readLong();
                row.setId(
                        number * Cell.MICROS + (when >>> 32),
                        in.readLong(),
                        in.readLong(),
                        (int) when);
                row.owner = in.readLong();
                row.sequence = in.readLong();
                into.put(row, row.owner, row.sequence, changedAt);
                found += row.contentHash();
            }
            if (whole && (count != rows || hash != found || cell.ids.size() != rows)) {
                throw new IOException(
                        "Expected %s to have %d ids in cell %d with hash %x, but got %d with %x"
                                .formatted(name, count, number, hash, rows, found));
            }
            cell.count = count;
            cell.hash = hash;
            cell.changedAt = changedAt;
        }
    }
}
