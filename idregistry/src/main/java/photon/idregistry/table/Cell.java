package photon.idregistry.table;

import java.util.Arrays;

/**
 * Two seconds: its ids that are in memory, and the books of them. In an overlay, where rows stand
 * for what changed, count and hash say by how much.
 */
final class Cell {
    /**
     * Small, so that the busiest shard's newest cell is small beside any budget: to seal a cell
     * that still grows costs it twice. Not too small: the books of each are kept as long as its
     * ids. A time within fits 32 bits.
     */
    static final long MICROS = 2_000_000L;

    /** In place of an owner, in overlays: the id is not held, whatever the file says. */
    static final long GRAVE = -1;

    final long number;
    final Bucket ids;
    long count;
    long hash;

    /** The index of the last entry that changed it. */
    long changedAt;

    Cell(long number, int epoch) {
        this.number = number;
        this.ids = new Bucket(number * MICROS, epoch);
    }

    /** The cell that a timestamp falls into; the first one for all before 1970. */
    static long of(long micros) {
        return Math.max(0, micros) / MICROS;
    }

    long bytes() {
        return ids.bytes() + 120;
    }

    Frozen freeze() {
        return new Frozen(number, count, hash, changedAt, ids.size(), ids.pages());
    }

    /**
     * A cell as it was, to be read in any one thread.
     *
     * @param pages some several times, side by side
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Frozen(long number, long count, long hash, long changedAt, int rows, Page[] pages) {

        /** Each page once. */
        Page[] distinctPages() {
            Page[] distinct = new Page[pages.length];
            int found = 0;
            for (int i = 0; i < pages.length; i++) {
                if (i == 0 || pages[i] != pages[i - 1]) {
                    distinct[found++] = pages[i];
                }
            }
            return Arrays.copyOf(distinct, found);
        }
    }
}
