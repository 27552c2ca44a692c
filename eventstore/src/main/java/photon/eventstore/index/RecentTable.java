package photon.eventstore.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The newest rows, in memory: places and positions by open addressing, 24 bytes a slot, no objects.
 * The slot comes from a place's first bits, so that the slots' order is nearly that of places. Of
 * two positions of a place it holds the later one.
 *
 * <p>One thread puts, any thread finds. A row's place is written before its position, which is
 * published by release and read by acquire; rows are never removed; a larger array is published
 * when it is filled.
 */
final class RecentTable {
    /** Of a slot: two halves of the place, the position. */
    static final int SLOT_BYTES = 3 * Long.BYTES;

    private static final int SLOTS_MIN = 1 << 10;
    private static final int ROWS_AHEAD = 64;
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private volatile long[] words = new long[3 * SLOTS_MIN];
    private int rows;

    /** Only so that what is read ahead is not thought to be of no use. */
    @SuppressWarnings("unused")
    private long readAhead;

    /** How many rows fit a table of this size. */
    static int rowsFor(long bytes) {
        long slots = Math.max(SLOTS_MIN, Long.highestOneBit(bytes / SLOT_BYTES));
        return rowsOf((int) Math.min(slots, 1 << 26));
    }

    private static int rowsOf(int slots) {
        return slots - slots / 4 - slots / 16;
    }

    /** How many places are held. For the thread that puts. */
    int rows() {
        return rows;
    }

    /** What it takes of the heap. */
    long bytes() {
        return (long) words.length * Long.BYTES;
    }

    /**
     * Puts a batch: row by row its place and position, three words each. Where the rows go is read
     * before they are put: memory is slow, and gives many places at once as fast as one.
     */
    void putBatch(long[] batch) {
        long read = 0;
        for (int from = 0; from < batch.length; from += 3 * ROWS_AHEAD) {
            int to = Math.min(batch.length, from + 3 * ROWS_AHEAD);
            long[] in = words;
            for (int at = from; at < to; at += 3) {
                read ^= in[home(in, batch[at]) + 2];
            }
            for (int at = from; at < to; at += 3) {
                put(batch[at], batch[at + 1], batch[at + 2]);
            }
        }
        readAhead = read;
    }

    void put(long high, long low, long position) {
        long[] in = words;
        if (rows >= rowsOf(in.length / 3)) {
            in = grown(in);
            words = in;
        }
        rows += insert(in, high, low, position);
    }

    /** Puts all that the other one holds. */
    void putAll(RecentTable other) {
        long[] from = other.words;
        for (int at = 0; at < from.length; at += 3) {
            if (from[at + 2] != 0) {
                put(from[at], from[at + 1], from[at + 2]);
            }
        }
    }

    private static long[] grown(long[] from) {
        long[] to = new long[2 * from.length];
        for (int at = 0; at < from.length; at += 3) {
            if (from[at + 2] != 0) {
                insert(to, from[at], from[at + 1], from[at + 2]);
            }
        }
        return to;
    }

    private static int insert(long[] in, long high, long low, long position) {
        int at = home(in, high);
        while (true) {
            long there = in[at + 2];
            if (there == 0) {
                in[at] = high;
                in[at + 1] = low;
                WORD.setRelease(in, at + 2, position);
                return 1;
            }
            if (in[at] == high && in[at + 1] == low) {
                if (position > there) {
                    WORD.setRelease(in, at + 2, position);
                }
                return 0;
            }
            at = at + 3 == in.length ? 0 : at + 3;
        }
    }

    /** The position at this place; 0: there is none. */
    long find(long high, long low) {
        long[] in = words;
        int at = home(in, high);
        while (true) {
            long position = (long) WORD.getAcquire(in, at + 2);
            if (position == 0 || (in[at] == high && in[at + 1] == low)) {
                return position;
            }
            at = at + 3 == in.length ? 0 : at + 3;
        }
    }

    private static int home(long[] in, long high) {
        int bits = Integer.numberOfTrailingZeros(in.length / 3);
        return 3 * (int) ((high ^ Long.MIN_VALUE) >>> (Long.SIZE - bits));
    }

    /** All rows, three words each, in order of place. Nobody may put any more. */
    long[] sorted() {
        long[] in = words;
        long[] out = new long[3 * rows];
        int filled = 0;
        for (int at = 0; at < in.length; at += 3) {
            if (in[at + 2] != 0 && home(in, in[at]) <= at) {
                filled = insertInOrder(out, filled, in, at);
            }
        }
        // What found no slot at the end stands at the beginning, and is last by its place.
        for (int at = 0; in[at + 2] != 0; at += 3) {
            if (home(in, in[at]) > at) {
                filled = insertInOrder(out, filled, in, at);
            }
        }
        return out;
    }

    /** Rows come nearly in order: within a run of full slots only. */
    private static int insertInOrder(long[] out, int filled, long[] in, int at) {
        int to = filled;
        while (to > 0 && Place.compare(out[to - 3], out[to - 2], in[at], in[at + 1]) > 0) {
            to -= 3;
        }
        System.arraycopy(out, to, out, to + 3, filled - to);
        System.arraycopy(in, at, out, to, 3);
        return filled + 3;
    }
}
