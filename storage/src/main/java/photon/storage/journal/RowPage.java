package photon.storage.journal;

/**
 * Some rows of a {@link RowTable}, by columns: 87 bytes per row, and no object. Free places are a
 * chain through {@link #offset}.
 */
final class RowPage {
    /** 89 KB a page: a dispatcher has a table for each of its partitions, most with a few rows. */
    static final int BITS = 10;

    static final int ROWS = 1 << BITS;

    static final byte USED = 1;
    static final byte HAS_TOKEN = 2;
    static final byte ATTEMPT_OPEN = 4;
    static final byte PROCESSING = 8;
    static final byte IN_SWEEP = 16;
    static final byte SWEEP_AGAIN = 32;

    final long[] micros = new long[ROWS];
    final long[] serverHigh = new long[ROWS];
    final long[] serverLow = new long[ROWS];
    final int[] process = new int[ROWS];
    final long[] number = new long[ROWS];
    final long[] version = new long[ROWS];
    final long[] insertedMillis = new long[ROWS];
    final long[] dueMillis = new long[ROWS];
    final int[] attempts = new int[ROWS];
    final int[] reason = new int[ROWS];
    final int[] segment = new int[ROWS];
    final int[] offset = new int[ROWS];
    final int[] length = new int[ROWS];
    final int[] orderAt = new int[ROWS];
    final short[] priority = new short[ROWS];
    final byte[] flags = new byte[ROWS];

    private int firstFree;
    private int used;

    RowPage() {
        for (int at = 0; at < ROWS; at++) {
            offset[at] = at + 1;
        }
    }

    boolean full() {
        return used == ROWS;
    }

    boolean empty() {
        return used == 0;
    }

    int take() {
        int at = firstFree;
        firstFree = offset[at];
        flags[at] = USED;
        used++;
        return at;
    }

    void free(int at) {
        flags[at] = 0;
        offset[at] = firstFree;
        firstFree = at;
        used--;
    }

    boolean is(int at, byte flag) {
        return (flags[at] & flag) != 0;
    }

    void set(int at, byte flag, boolean on) {
        flags[at] = (byte) (on ? flags[at] | flag : flags[at] & ~flag);
    }
}
