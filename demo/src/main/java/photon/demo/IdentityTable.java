package photon.demo;

import photon.core.id.EventId;

/**
 * Event ids with a number each, 32 bytes an entry: hundreds of thousands fit where a map of objects
 * would not. Open addressing; nothing is ever removed. Not thread-safe.
 */
final class IdentityTable {
    private static final int FIRST_SLOTS = 1 << 12;

    private long[] micros = new long[FIRST_SLOTS];
    private long[] serverHigh = new long[FIRST_SLOTS];
    private long[] serverLow = new long[FIRST_SLOTS];
    private int[] process = new int[FIRST_SLOTS];

    /** The entry's number plus one; 0: the slot is free. */
    private int[] marks = new int[FIRST_SLOTS];

    private int size;

    /**
     * Keeps the number that an id had first.
     *
     * @param number 0 or more
     * @return true if the id is new
     */
    boolean add(EventId id, int number) {
        if (2 * (size + 1) > marks.length) {
            grow();
        }
        int slot = slot(id.micros(), id.serverHigh(), id.serverLow(), id.process());
        if (marks[slot] != 0) {
            return false;
        }
        put(slot, id.micros(), id.serverHigh(), id.serverLow(), id.process(), number + 1);
        size++;
        return true;
    }

    /** The number of the id; negative: it is not there. */
    int get(EventId id) {
        return marks[slot(id.micros(), id.serverHigh(), id.serverLow(), id.process())] - 1;
    }

    int size() {
        return size;
    }

    /** Where the id stands, or the free slot where it would. */
    private int slot(long time, long high, long low, int logger) {
        int mask = marks.length - 1;
        int slot = new EventId(time, high, low, logger).hashCode() & mask;
        while (marks[slot] != 0
                && (micros[slot] != time
                        || serverHigh[slot] != high
                        || serverLow[slot] != low
                        || process[slot] != logger)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void put(int slot, long time, long high, long low, int logger, int mark) {
        micros[slot] = time;
        serverHigh[slot] = high;
        serverLow[slot] = low;
        process[slot] = logger;
        marks[slot] = mark;
    }

    private void grow() {
        long[] oldMicros = micros;
        long[] oldHigh = serverHigh;
        long[] oldLow = serverLow;
        int[] oldProcess = process;
        int[] oldMarks = marks;
        int slots = Math.multiplyExact(2, oldMarks.length);
        micros = new long[slots];
        serverHigh = new long[slots];
        serverLow = new long[slots];
        process = new int[slots];
        marks = new int[slots];
        for (int i = 0; i < oldMarks.length; i++) {
            if (oldMarks[i] != 0) {
                int slot = slot(oldMicros[i], oldHigh[i], oldLow[i], oldProcess[i]);
                put(slot, oldMicros[i], oldHigh[i], oldLow[i], oldProcess[i], oldMarks[i]);
            }
        }
    }
}
