package photon.idregistry.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cells by their numbers, in order, looked up without an object a lookup. 64 cells side by side are
 * one chunk, so that many cells that come in any order are no trouble.
 */
final class Cells {
    private static final int CHUNK_BITS = 6;
    private static final int CHUNK = 1 << CHUNK_BITS;

    private long[] keys = new long[8];
    private @Nullable Cell[][] chunks = new Cell[8][];
    private int used;
    private @Nullable Cell last;
    private int epoch;

    /** The cells' and their buckets', about. */
    private long bytes;

    long bytes() {
        return bytes;
    }

    Cells(int epoch) {
        this.epoch = epoch;
    }

    /** Pages of epochs before are copied before they change, since a freeze has them. */
    void enterEpoch(int newEpoch) {
        epoch = newEpoch;
    }

    @Nullable Cell get(long number) {
        Cell found = last;
        if (found != null && found.number == number) {
            return found;
        }
        int chunk = Arrays.binarySearch(keys, 0, used, number >> CHUNK_BITS);
        found = chunk < 0 ? null : chunks[chunk][(int) number & (CHUNK - 1)];
        if (found != null) {
            last = found;
        }
        return found;
    }

    /** Makes it if it is not there. */
    Cell need(long number) {
        Cell found = get(number);
        if (found != null) {
            return found;
        }
        int chunk = Arrays.binarySearch(keys, 0, used, number >> CHUNK_BITS);
        if (chunk < 0) {
            chunk = ~chunk;
            insertChunk(chunk, number >> CHUNK_BITS);
        }
        Cell made = new Cell(number, epoch);
        chunks[chunk][(int) number & (CHUNK - 1)] = made;
        last = made;
        bytes += made.bytes();
        return made;
    }

    private void insertChunk(int at, long key) {
        if (used == keys.length) {
            keys = Arrays.copyOf(keys, used * 2);
            chunks = Arrays.copyOf(chunks, used * 2);
        }
        System.arraycopy(keys, at, keys, at + 1, used - at);
        System.arraycopy(chunks, at, chunks, at + 1, used - at);
        keys[at] = key;
        chunks[at] = new Cell[CHUNK];
        used++;
    }

    /**
     * Puts an id that is not there, or changes its holder.
     *
     * @return its cell, whose books are the caller's to keep
     */
    Cell put(IdRow row, long owner, long sequence, long index) {
        Cell cell = need(row.cell());
        long before = cell.bytes();
        cell.ids.put(row, owner, sequence, epoch);
        changed(cell, before, index);
        return cell;
    }

    /**
     * @return its cell; null if the id was there, and then the row knows its holder
     */
    @Nullable Cell putIfAbsent(IdRow row, long index) {
        Cell cell = need(row.cell());
        long before = cell.bytes();
        if (!cell.ids.putIfAbsent(row, epoch)) {
            return null;
        }
        changed(cell, before, index);
        return cell;
    }

    Cell remove(IdRow row, long index) {
        Cell cell = need(row.cell());
        long before = cell.bytes();
        cell.ids.remove(row, epoch);
        changed(cell, before, index);
        return cell;
    }

    private void changed(Cell cell, long bytesBefore, long index) {
        cell.changedAt = index;
        bytes += cell.bytes() - bytesBefore;
    }

    /** Tells the row its holder; {@link Cell#GRAVE} counts as one. True if there is one. */
    boolean find(IdRow row) {
        Cell cell = get(row.cell());
        if (cell == null) {
            row.holder = 0;
            return false;
        }
        return cell.ids.find(row);
    }

    /** Reads where {@link #find} would begin. */
    long touch(long number, long hash) {
        Cell cell = get(number);
        return cell == null ? 0 : cell.ids.touch(hash);
    }

    /** The first cell from this number on; null if there is none. */
    @Nullable Cell atOrAfter(long number) {
        int chunk = Arrays.binarySearch(keys, 0, used, number >> CHUNK_BITS);
        int place = (int) number & (CHUNK - 1);
        if (chunk < 0) {
            chunk = ~chunk;
            place = 0;
        }
        for (; chunk < used; chunk++, place = 0) {
            for (; place < CHUNK; place++) {
                Cell cell = chunks[chunk][place];
                if (cell != null) {
                    return cell;
                }
            }
        }
        return null;
    }

    /** All from one number on and below another, in order. */
    List<Cell> between(long from, long to) {
        List<Cell> found = new ArrayList<>();
        Cell cell = atOrAfter(from);
        while (cell != null && cell.number < to) {
            found.add(cell);
            cell = atOrAfter(cell.number + 1);
        }
        return found;
    }

    /** As {@link #between}, as they are now, for another thread. */
    List<Cell.Frozen> frozen(long from, long to) {
        return between(from, to).stream().map(Cell::freeze).toList();
    }

    /** Forgets the cells below this number. */
    void dropBelow(long number) {
        Cell cell = atOrAfter(0);
        while (cell != null && cell.number < number) {
            bytes -= cell.bytes();
            cell = atOrAfter(cell.number + 1);
        }
        last = null;
        int whole = Arrays.binarySearch(keys, 0, used, number >> CHUNK_BITS);
        if (whole >= 0) {
            Arrays.fill(chunks[whole], 0, (int) number & (CHUNK - 1), null);
        } else {
            whole = ~whole;
        }
        System.arraycopy(keys, whole, keys, 0, used - whole);
        System.arraycopy(chunks, whole, chunks, 0, used - whole);
        Arrays.fill(chunks, used - whole, used, null);
        used -= whole;
    }
}
