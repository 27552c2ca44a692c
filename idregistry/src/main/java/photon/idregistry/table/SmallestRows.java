package photon.idregistry.table;

import java.util.Arrays;

/** Keeps the first rows in id order of all that are offered, and no more than so many. */
final class SmallestRows {
    private static final int ROW = 6;

    private int limit;
    private long[] heap = new long[16 * ROW];
    private int size;

    /**
     * Begins anew, without any.
     *
     * @param most it keeps no more; above 0
     */
    void begin(int most) {
        limit = most;
        size = 0;
    }

    int size() {
        return size;
    }

    void offer(IdRow row) {
        if (size < limit) {
            if (size * ROW == heap.length) {
                heap = Arrays.copyOf(heap, size * 2 * ROW);
            }
            set(size++, row);
            rise(size - 1);
        } else if (compare(0, row) > 0) {
            set(0, row);
            sink(size);
        }
    }

    private void set(int place, IdRow row) {
        int at = place * ROW;
        heap[at] = row.micros;
        heap[at + 1] = row.serverHigh;
        heap[at + 2] = row.serverLow;
        heap[at + 3] = row.process;
        heap[at + 4] = row.owner;
        heap[at + 5] = row.sequence;
    }

    private int compare(int place, IdRow row) {
        int at = place * ROW;
        return IdRow.compare(
                heap[at],
                heap[at + 1],
                heap[at + 2],
                (int) heap[at + 3],
                row.micros,
                row.serverHigh,
                row.serverLow,
                row.process);
    }

    private int compare(int place, int other) {
        int at = place * ROW;
        int to = other * ROW;
        return IdRow.compare(
                heap[at],
                heap[at + 1],
                heap[at + 2],
                (int) heap[at + 3],
                heap[to],
                heap[to + 1],
                heap[to + 2],
                (int) heap[to + 3]);
    }

    private void rise(int from) {
        int child = from;
        while (child > 0 && compare((child - 1) / 2, child) < 0) {
            swap((child - 1) / 2, child);
            child = (child - 1) / 2;
        }
    }

    private void sink(int end) {
        int parent = 0;
        for (int child = 1; child < end; child = parent * 2 + 1) {
            if (child + 1 < end && compare(child, child + 1) < 0) {
                child++;
            }
            if (compare(parent, child) >= 0) {
                return;
            }
            swap(parent, child);
            parent = child;
        }
    }

    private void swap(int one, int other) {
        for (int i = 0; i < ROW; i++) {
            long kept = heap[one * ROW + i];
            heap[one * ROW + i] = heap[other * ROW + i];
            heap[other * ROW + i] = kept;
        }
    }

    /** Adds them to the page, in order. Takes no more offers then. */
    void moveTo(IdPage page) {
        for (int last = size - 1; last > 0; last--) {
            swap(0, last);
            sink(last);
        }
        for (int i = 0; i < size; i++) {
            int at = i * ROW;
            page.add(
                    heap[at],
                    heap[at + 1],
                    heap[at + 2],
                    (int) heap[at + 3],
                    heap[at + 4],
                    heap[at + 5]);
        }
    }
}
