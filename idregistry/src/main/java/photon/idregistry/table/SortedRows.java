package photon.idregistry.table;

import java.util.Arrays;

/** The rows of a frozen cell in id order. Used by one thread. */
final class SortedRows {
    private final long startMicros;
    private final Page[] pages;

    /** The number of each page's first row, over all pages. */
    private final int[] starts;

    /** Microseconds within the cell, then the row's number. */
    private final long[] order;

    private int next;

    SortedRows(Cell.Frozen cell) {
        startMicros = cell.number() * Cell.MICROS;
        pages = cell.distinctPages();
        starts = new int[pages.length];
        order = new long[cell.rows()];
        int start = 0;
        int found = 0;
        for (int i = 0; i < pages.length; i++) {
            starts[i] = start;
            long[] rows = pages[i].rows;
            for (int at = 0; at < rows.length; at += Page.ROW) {
                if (rows[at + Page.OWNER] != 0) {
                    order[found++] = rows[at] >>> 32 << 32 | (start + at / Page.ROW);
                }
            }
            start += pages[i].capacity();
        }
        Arrays.sort(order);
        sortWithinMicros();
    }

    private void sortWithinMicros() {
        int from = 0;
        for (int to = 1; to <= order.length; to++) {
            if (to == order.length || order[to] >>> 32 != order[from] >>> 32) {
                if (to - from > 1) {
                    heapSort(from, to);
                }
                from = to;
            }
        }
    }

    /** In place: there may be as many of one timestamp as there are rows. */
    private void heapSort(int from, int to) {
        int size = to - from;
        for (int i = size / 2 - 1; i >= 0; i--) {
            sink(from, i, size);
        }
        for (int last = size - 1; last > 0; last--) {
            long highest = order[from];
            order[from] = order[from + last];
            order[from + last] = highest;
            sink(from, 0, last);
        }
    }

    private void sink(int from, int start, int size) {
        int parent = start;
        for (int child = parent * 2 + 1; child < size; child = parent * 2 + 1) {
            if (child + 1 < size && compare(order[from + child], order[from + child + 1]) < 0) {
                child++;
            }
            if (compare(order[from + parent], order[from + child]) >= 0) {
                return;
            }
            long swapped = order[from + parent];
            order[from + parent] = order[from + child];
            order[from + child] = swapped;
            parent = child;
        }
    }

    private int compare(long one, long other) {
        long[] rows1 = page((int) one).rows;
        int at1 = at((int) one);
        long[] rows2 = page((int) other).rows;
        int at2 = at((int) other);
        return IdRow.compare(
                0,
                rows1[at1 + 1],
                rows1[at1 + 2],
                (int) rows1[at1],
                0,
                rows2[at2 + 1],
                rows2[at2 + 2],
                (int) rows2[at2]);
    }

    private int pageOf(int row) {
        int page = Arrays.binarySearch(starts, row);
        return page < 0 ? ~page - 1 : page;
    }

    private Page page(int row) {
        return pages[pageOf(row)];
    }

    private int at(int row) {
        return (row - starts[pageOf(row)]) * Page.ROW;
    }

    /** Fills the row with the next one; its owner may be {@link Cell#GRAVE}. False at the end. */
    boolean next(IdRow into) {
        if (next == order.length) {
            return false;
        }
        int row = (int) order[next++];
        page(row).read(at(row), startMicros, into);
        return true;
    }
}
