package photon.idregistry.table;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import photon.idregistry.replicated.StateFile;

/**
 * Cells in a file of a snapshot, which has a checksum for it: a version byte, then a cell: number,
 * count, hash, index of the last change, rows (int64 each), and five longs a row as in {@link
 * Page}; at the end a cell number of -1.
 */
final class CellsFile {
    /** A file of any other version is refused. */
    private static final int VERSION = 1;

    private static final int BUFFER = 64 << 10;

    private final OutputStream out;
    private final byte[] bytes = new byte[BUFFER];
    private final ByteBuffer buffer = ByteBuffer.wrap(bytes);

    private CellsFile(OutputStream out) {
        this.out = out;
    }

    static void write(List<Cell.Frozen> cells, OutputStream out) throws IOException {
        out.write(VERSION);
        CellsFile file = new CellsFile(out);
        for (Cell.Frozen cell : cells) {
            file.write(cell);
        }
        file.room(1).putLong(-1);
        file.flush();
    }

    private void write(Cell.Frozen cell) throws IOException {
        room(5).putLong(cell.number())
                .putLong(cell.count())
                .putLong(cell.hash())
                .putLong(cell.changedAt())
                .putLong(cell.rows());
        for (Page page : cell.distinctPages()) {
            for (int at = 0; at < page.rows.length; at += Page.ROW) {
                if (page.rows[at + Page.OWNER] != 0) {
                    room(Page.ROW);
                    for (int i = 0; i < Page.ROW; i++) {
                        buffer.putLong(page.rows[at + i]);
                    }
                }
            }
        }
    }

    private ByteBuffer room(int longs) throws IOException {
        if (buffer.remaining() < longs * Long.BYTES) {
            flush();
        }
        return buffer;
    }

    private void flush() throws IOException {
        out.write(bytes, 0, buffer.position());
        buffer.clear();
    }

    /**
     * Adds the cells, with their books as they are in the file.
     *
     * @param whole false: of an overlay, whose books speak of a file, too
     * @param name for people
     */
    static void read(DataInputStream in, Cells into, boolean whole, String name)
            throws IOException {
        StateFile.checkVersion(name, VERSION, in.readUnsignedByte());
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
