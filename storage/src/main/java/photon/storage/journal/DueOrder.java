package photon.storage.journal;

import java.util.Arrays;

/**
 * Places of rows of one priority in the order in which they are due, those that are due at the same
 * time by when they came: a binary heap in which each row knows where it stands. Not thread-safe.
 */
final class DueOrder {
    static final int NOT_IN = -1;

    private static final int LENGTH_MIN = 16;

    private final RowTable table;
    private int[] rows = new int[LENGTH_MIN];
    private int size;

    DueOrder(RowTable table) {
        this.table = table;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int first() {
        return rows[0];
    }

    void add(int row) {
        if (size == rows.length) {
            rows = Arrays.copyOf(rows, size + (size >> 1));
        }
        size++;
        rise(size - 1, row);
    }

    void remove(int row) {
        int at = table.page(row).orderAt[RowTable.at(row)];
        size--;
        int last = rows[size];
        if (last != row) {
            if (at > 0 && before(last, rows[(at - 1) >> 1])) {
                rise(at, last);
            } else {
                sink(at, last);
            }
        }
        table.page(row).orderAt[RowTable.at(row)] = NOT_IN;
        if (rows.length > LENGTH_MIN && size < rows.length / 4) {
            rows = Arrays.copyOf(rows, Math.max(LENGTH_MIN, rows.length / 2));
        }
    }

    long bytes() {
        return rows.length * 4L;
    }

    private void rise(int from, int row) {
        int at = from;
        while (at > 0 && before(row, rows[(at - 1) >> 1])) {
            put(at, rows[(at - 1) >> 1]);
            at = (at - 1) >> 1;
        }
        put(at, row);
    }

    private void sink(int from, int row) {
        int at = from;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && before(rows[child + 1], rows[child])) {
                child++;
            }
            if (!before(rows[child], row)) {
                break;
            }
            put(at, rows[child]);
            at = child;
        }
        put(at, row);
    }

    private void put(int at, int row) {
        rows[at] = row;
        table.page(row).orderAt[RowTable.at(row)] = at;
    }

    private boolean before(int one, int other) {
        RowPage onePage = table.page(one);
        RowPage otherPage = table.page(other);
        long oneDue = onePage.dueMillis[RowTable.at(one)];
        long otherDue = otherPage.dueMillis[RowTable.at(other)];
        return oneDue != otherDue
                ? oneDue < otherDue
                : onePage.number[RowTable.at(one)] < otherPage.number[RowTable.at(other)];
    }
}
