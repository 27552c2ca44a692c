package photon.eventstore.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The rows of several parts in order of place, of each place the latest. Not thread-safe. */
final class MergedRows {
    /** Those that have a row at hand. There are few: the smallest is looked for. */
    private final List<PartRows> open = new ArrayList<>();

    private long high;
    private long low;
    private long position;

    MergedRows(List<PartFile> parts) throws IOException {
        for (PartFile part : parts) {
            PartRows rows = new PartRows(part);
            if (rows.next()) {
                open.add(rows);
            }
        }
    }

    /** Goes to the next row; false: there is none. */
    boolean next() throws IOException {
        if (open.isEmpty()) {
            return false;
        }
        PartRows smallest = open.get(0);
        for (int i = 1; i < open.size(); i++) {
            PartRows rows = open.get(i);
            if (Place.compare(rows.high, rows.low, smallest.high, smallest.low) < 0) {
                smallest = rows;
            }
        }
        high = smallest.high;
        low = smallest.low;
        position = 0;
        for (int i = open.size() - 1; i >= 0; i--) {
            PartRows rows = open.get(i);
            if (rows.high == high && rows.low == low) {
                position = Math.max(position, rows.position);
                if (!rows.next()) {
                    open.remove(i);
                }
            }
        }
        return true;
    }

    long high() {
        return high;
    }

    long low() {
        return low;
    }

    long position() {
        return position;
    }
}
