package photon.idregistry.table;

import java.util.Arrays;

/**
 * The rows of a frozen cell in id order. Used by one thread.
 *
 * <p>Rows lie in the order of their hashes, so to read them in id order misses the processor's
 * caches at each. They are therefore brought together some hundreds at a time, in a loop whose
 * reads do not wait for one another, and ordered there.
 */
final class SortedRows {
    private static final int ROW = Page.ROW;

    /** Small enough to stay in the nearest cache; at least so many are brought together. */
    private static final int WINDOW = 512;

    /** So many rows of one microsecond are brought together; more are ordered where they are. */
    private static final int WINDOW_MAX = 1 << 16;

    /** The microseconds of a cell fit what this leaves of a positive long. */
    private static final int NUMBER_BITS = 39;

    private static final long NUMBER_MASK = (1L << NUMBER_BITS) - 1;

    /** Runs of so many are ordered by insertion. */
    private static final int RUN = 8;

    private final long startMicros;
    private final Page[] pages;

    /** A row's number is its page's, shifted so far, and its place there. */
    private final int shift;

    /** Microseconds within the cell, {@link #NUMBER_BITS} bits of the row's number. */
    private final long[] order;

    /** So many of them are or were in the window. */
    private int taken;

    private long[] window = new long[WINDOW * ROW];

    /** The window's rows in id order. */
    private int[] sorted = new int[WINDOW];

    private int[] merged = new int[WINDOW];
    private int size;
    private int next;

    /** Rows below are in order already. */
    private int orderedTo;

    SortedRows(Cell.Frozen cell) {
        startMicros = cell.number() * Cell.MICROS;
        pages = cell.distinctPages();
        int capacity = 1;
        for (Page page : pages) {
            capacity = Math.max(capacity, page.capacity());
        }
        shift = Integer.numberOfTrailingZeros(Integer.highestOneBit(capacity));
        order = new long[cell.rows()];
        int found = 0;
        for (int i = 0; i < pages.length; i++) {
            long[] rows = pages[i].rows;
            long number = (long) i << shift;
            for (int at = 0; at < rows.length; at += ROW, number++) {
                if (rows[at + Page.OWNER] != 0) {
                    order[found++] = rows[at] >>> 32 << NUMBER_BITS | number;
                }
            }
        }
        Arrays.sort(order);
    }

    /** Fills the row with the next one; its owner may be {@link Cell#GRAVE}. False at the end. */
    boolean next(IdRow into) {
        if (next == size) {
            if (taken == order.length) {
                return false;
            }
            fill();
        }
        int at = sorted[next++] * ROW;
        long when = window[at];
        into.setId(startMicros + (when >>> 32), window[at + 1], window[at + 2], (int) when);
        into.owner = window[at + Page.OWNER];
        into.sequence = window[at + Page.SEQUENCE];
        return true;
    }

    /** The next rows, up to where another microsecond begins. */
    private void fill() {
        int from = taken;
        int to = Math.min(order.length, from + WINDOW);
        if (from < orderedTo) {
            gather(from, Math.min(to, orderedTo));
            return;
        }
        int last = to - 1;
        while (to < order.length && micros(to) == micros(last)) {
            to++;
        }
        int first = last;
        while (first > from && micros(first - 1) == micros(last)) {
            first--;
        }
        if (to - first <= WINDOW_MAX) {
            gather(from, to);
            sortWithinMicros();
        } else if (first > from) {
            gather(from, first);
            sortWithinMicros();
        } else {
            heapSort(from, to);
            orderedTo = to;
            gather(from, from + WINDOW);
        }
    }

    private long micros(int place) {
        return order[place] >>> NUMBER_BITS;
    }

    private void gather(int from, int to) {
        size = to - from;
        if (size > sorted.length) {
            window = new long[size * ROW];
            sorted = new int[size];
            merged = new int[size];
        }
        int at = 0;
        for (int i = from; i < to; i++) {
            long[] rows = rows(order[i]);
            int row = at(order[i]);
            window[at] = rows[row];
            window[at + 1] = rows[row + 1];
            window[at + 2] = rows[row + 2];
            window[at + 3] = rows[row + 3];
            window[at + 4] = rows[row + 4];
            sorted[i - from] = i - from;
            at += ROW;
        }
        taken = to;
        next = 0;
    }

    private long[] rows(long ordered) {
        return pages[(int) ((ordered & NUMBER_MASK) >>> shift)].rows;
    }

    private int at(long ordered) {
        return ((int) ordered & ((1 << shift) - 1)) * ROW;
    }

    private void sortWithinMicros() {
        int from = 0;
        for (int to = 1; to <= size; to++) {
            if (to == size || window[to * ROW] >>> 32 != window[from * ROW] >>> 32) {
                if (to - from > 1) {
                    mergeSort(from, to);
                }
                from = to;
            }
        }
    }

    private void mergeSort(int from, int to) {
        for (int run = from; run < to; run += RUN) {
            insertionSort(run, Math.min(to, run + RUN));
        }
        for (int run = RUN; run < to - from; run *= 2) {
            System.arraycopy(sorted, from, merged, from, to - from);
            for (int start = from; start + run < to; start += 2 * run) {
                merge(start, start + run, Math.min(to, start + 2 * run));
            }
        }
    }

    private void insertionSort(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            int row = sorted[i];
            int place = i;
            while (place > from && compareInWindow(sorted[place - 1], row) > 0) {
                sorted[place] = sorted[place - 1];
                place--;
            }
            sorted[place] = row;
        }
    }

    /** From {@link #merged} into {@link #sorted}. */
    private void merge(int from, int middle, int to) {
        int left = from;
        int right = middle;
        for (int place = from; place < to; place++) {
            if (right == to
                    || (left < middle && compareInWindow(merged[left], merged[right]) <= 0)) {
                sorted[place] = merged[left++];
            } else {
                sorted[place] = merged[right++];
            }
        }
    }

    /** Of two rows of one microsecond. */
    private int compareInWindow(int one, int other) {
        return compare(window, one * ROW, window, other * ROW);
    }

    private static int compare(long[] rows1, int at1, long[] rows2, int at2) {
        int order = Long.compareUnsigned(rows1[at1 + 1], rows2[at2 + 1]);
        if (order == 0) {
            order = Long.compareUnsigned(rows1[at1 + 2], rows2[at2 + 2]);
        }
        return order != 0 ? order : Integer.compareUnsigned((int) rows1[at1], (int) rows2[at2]);
    }

    /** Slow, but in place: as many may be of one microsecond as there are rows. */
    private void heapSort(int from, int to) {
        int count = to - from;
        for (int i = count / 2 - 1; i >= 0; i--) {
            sink(from, i, count);
        }
        for (int last = count - 1; last > 0; last--) {
            swap(from, from + last);
            sink(from, 0, last);
        }
    }

    private void sink(int from, int start, int count) {
        int parent = start;
        for (int child = parent * 2 + 1; child < count; child = parent * 2 + 1) {
            if (child + 1 < count && compareOrdered(from + child, from + child + 1) < 0) {
                child++;
            }
            if (compareOrdered(from + parent, from + child) >= 0) {
                return;
            }
            swap(from + parent, from + child);
            parent = child;
        }
    }

    private void swap(int one, int other) {
        long kept = order[one];
        order[one] = order[other];
        order[other] = kept;
    }

    /** Of two rows of one microsecond. */
    private int compareOrdered(int one, int other) {
        return compare(rows(order[one]), at(order[one]), rows(order[other]), at(order[other]));
    }
}
