package photon.idregistry.table;

import photon.core.id.EventId;

/**
 * Some rows of a bucket: open addressing with linear probing over longs, without an object an id.
 * Removal shifts the run behind it back, so the table itself has no graves.
 *
 * <p>A row has five longs: microseconds within the cell and process; the server's upper and lower
 * half; {@linkplain IdRow#owner slot and generation}; sequence. A slot is never 0, so 0 in the
 * fourth says free.
 */
final class Page {
    static final int ROW = 5;
    static final int OWNER = 3;
    static final int SEQUENCE = 4;

    /** Small, since most cells of a quiet pipeline hold few ids. */
    private static final int ROWS_MIN = 8;

    /** 80 KiB: what splitting, or copying after a freeze, costs at most. */
    static final int ROWS_MAX = 2_048;

    /** It may be changed in this epoch only: later ones share it with a freeze. */
    final int epoch;

    /** So many top bits of their hashes its rows have in common. */
    final int depth;

    long[] rows;
    int size;

    Page(int epoch, int depth, int capacity) {
        this.epoch = epoch;
        this.depth = depth;
        this.rows = new long[capacity * ROW];
    }

    static Page small(int epoch) {
        return new Page(epoch, 0, ROWS_MIN);
    }

    Page copy(int newEpoch) {
        Page copy = new Page(newEpoch, depth, 0);
        copy.rows = rows.clone();
        copy.size = size;
        return copy;
    }

    int capacity() {
        return rows.length / ROW;
    }

    boolean isFull() {
        return size * 20 >= capacity() * 17;
    }

    /** Shards are chosen by the hash's low end, pages by its top: this is from between. */
    private static int home(long hash, int capacity) {
        return (int) (hash >>> 16) & (capacity - 1);
    }

    /** Where the id's row begins; if it is not here, the complement of where it would. */
    int find(long hash, long when, long serverHigh, long serverLow) {
        long[] all = rows;
        int at = home(hash, all.length / ROW) * ROW;
        while (all[at + OWNER] != 0) {
            if (all[at] == when && all[at + 1] == serverHigh && all[at + 2] == serverLow) {
                return at;
            }
            at += ROW;
            if (at == all.length) {
                at = 0;
            }
        }
        return ~at;
    }

    /** Reads where {@link #find} would begin. */
    long touch(long hash) {
        long[] all = rows;
        int at = home(hash, all.length / ROW) * ROW;
        // A row may lie in two lines of the cache.
        return all[at] ^ all[at + SEQUENCE];
    }

    void set(int at, long when, IdRow row, long owner, long sequence) {
        rows[at] = when;
        rows[at + 1] = row.serverHigh;
        rows[at + 2] = row.serverLow;
        rows[at + OWNER] = owner;
        rows[at + SEQUENCE] = sequence;
    }

    /** Fills the row with this one; its owner may be {@link Cell#GRAVE}. */
    void read(int at, long startMicros, IdRow into) {
        into.setId(startMicros + (rows[at] >>> 32), rows[at + 1], rows[at + 2], (int) rows[at]);
        into.owner = rows[at + OWNER];
        into.sequence = rows[at + SEQUENCE];
    }

    /** The stable hash of the id in this place. */
    long hash(int at, long startMicros) {
        return hashOf(rows, at, startMicros);
    }

    void remove(int at, long startMicros) {
        int mask = capacity() - 1;
        int hole = at / ROW;
        size--;
        for (int row = (hole + 1) & mask; rows[row * ROW + OWNER] != 0; row = (row + 1) & mask) {
            // A row may fill the hole unless its home lies behind the hole.
            int fromHome = (row - home(hash(row * ROW, startMicros), mask + 1)) & mask;
            int fromHole = (row - hole) & mask;
            if (fromHome >= fromHole) {
                System.arraycopy(rows, row * ROW, rows, hole * ROW, ROW);
                hole = row;
            }
        }
        rows[hole * ROW + OWNER] = 0;
    }

    /** Makes room for twice as many. */
    void grow(long startMicros) {
        long[] old = rows;
        rows = new long[old.length * 2];
        for (int at = 0; at < old.length; at += ROW) {
            if (old[at + OWNER] != 0) {
                place(old, at, hashOf(old, at, startMicros));
            }
        }
    }

    /** Puts all rows into one of two, by the first bit in which their hashes may differ. */
    void splitInto(Page zero, Page one, long startMicros) {
        for (int at = 0; at < rows.length; at += ROW) {
            if (rows[at + OWNER] != 0) {
                long hash = hash(at, startMicros);
                Page half = (hash << depth) >= 0 ? zero : one;
                half.place(rows, at, hash);
                half.size++;
            }
        }
    }

    private static long hashOf(long[] from, int at, long startMicros) {
        return EventId.stableHash(
                startMicros + (from[at] >>> 32), from[at + 1], from[at + 2], (int) from[at]);
    }

    private void place(long[] from, int at, long hash) {
        int to = home(hash, capacity()) * ROW;
        while (rows[to + OWNER] != 0) {
            to += ROW;
            if (to == rows.length) {
                to = 0;
            }
        }
        System.arraycopy(from, at, rows, to, ROW);
    }

    long bytes() {
        return 56 + rows.length * (long) Long.BYTES;
    }
}
