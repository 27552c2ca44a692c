package photon.idregistry.table;

import java.io.IOException;
import java.util.List;

/**
 * The cells of one sealed file, and what changed of them since it was frozen: the overlay, which is
 * read first.
 */
final class SealedSpan {
    /**
     * Says which rows the file holds, on all replicas: the ids of these cells as of this index,
     * those below the boundary of then left out.
     *
     * @param to exclusive
     */
    record Name(long from, long to, long index) {
        /** In a snapshot. */
        String inSnapshot() {
            return "sealed-%d-%d-%d".formatted(from, to, index);
        }
    }

    final SealedFile file;
    final Cells overlay;

    /** The index of the last entry that changed the overlay; 0 if it is empty. */
    long changedAt;

    /** So many of the file's cells have been dropped. */
    private int dropped;

    SealedSpan(SealedFile file, Cells overlay, long changedAt) {
        this.file = file;
        this.overlay = overlay;
        this.changedAt = changedAt;
    }

    Name name() {
        return file.name();
    }

    /** Tells the row its holder. True if there is one. */
    boolean find(IdRow row, BlockReader reader) throws IOException {
        return findInOverlay(row) ? row.holder != 0 : file.find(row, reader);
    }

    /** True if the overlay knows whether there is a holder, and who: the row has been told then. */
    boolean findInOverlay(IdRow row) {
        if (!overlay.find(row)) {
            return false;
        }
        if (row.holder == Cell.GRAVE) {
            row.holder = 0;
        }
        return true;
    }

    /** Puts an id that nobody holds. */
    void put(IdRow row, long index) {
        put(overlay, row, index);
        changedAt = index;
    }

    /** Removes an id from its holder. */
    void remove(IdRow row, long index) {
        bury(overlay, row, index);
        changedAt = index;
    }

    static void put(Cells overlay, IdRow row, long index) {
        Cell cell = overlay.put(row, row.owner, row.sequence, index);
        cell.count++;
        cell.hash += row.contentHash();
    }

    static void bury(Cells overlay, IdRow row, long index) {
        Cell cell = overlay.put(row, Cell.GRAVE, 0, index);
        cell.count--;
        cell.hash -= row.contentHash(row.holder, row.holderSequence);
    }

    /** Adds all that it holds, from a cell on: it was not in the books before. */
    void enter(long fromCell, TableDigest books) {
        skipTo(fromCell);
        for (int i = dropped; i < file.cells(); i++) {
            books.add(file.cellCount(i), file.cellHash(i));
        }
        for (Cell cell : overlay.between(0, Long.MAX_VALUE)) {
            books.add(cell.count, cell.hash);
        }
    }

    /** Its cells below have left the books by another way. */
    void skipTo(long cell) {
        dropBelow(cell, new TableDigest());
    }

    /** Takes the cells below out of the books. */
    void dropBelow(long number, TableDigest books) {
        while (dropped < file.cells() && file.cellNumber(dropped) < number) {
            books.subtract(file.cellCount(dropped), file.cellHash(dropped));
            dropped++;
        }
        for (Cell cell : overlay.between(0, number)) {
            books.subtract(cell.count, cell.hash);
        }
        overlay.dropBelow(number);
    }

    /** The first of its cells from this number on; the highest int64 if there is none. */
    long cellFrom(long number) {
        int low = dropped;
        int high = file.cells();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (file.cellNumber(middle) < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        long sealed = low < file.cells() ? file.cellNumber(low) : Long.MAX_VALUE;
        Cell changed = overlay.atOrAfter(number);
        return changed == null ? sealed : Math.min(sealed, changed.number);
    }

    /** As it is now, for another thread, which has to release the file. */
    Frozen freeze() {
        return new Frozen(file.retain(), overlay.frozen(0, Long.MAX_VALUE), changedAt);
    }

    record Frozen(SealedFile file, List<Cell.Frozen> overlay, long changedAt) {}
}
