package photon.idregistry.table;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.id.Incarnation;

/**
 * Finds one page of ids. Memory is bounded by the page; time by the rows that it looks at, so that
 * what is applied need not wait for long.
 */
final class IdScan {
    private final long fromMicros;
    private final long toMicros;
    private final @Nullable EventId after;
    private final long owner;
    private final int limit;
    private final IdPage page = new IdPage();
    private final SmallestRows found = new SmallestRows();
    private final IdRow row = new IdRow();
    private long rowsLeft;

    /**
     * @param incarnation null: whoever holds them
     * @param after null: from the start
     * @param toMicros exclusive
     * @param rowsMax about so many rows are looked at
     */
    IdScan(
            @Nullable Incarnation incarnation,
            @Nullable EventId after,
            long fromMicros,
            long toMicros,
            int limit,
            long rowsMax) {
        this.owner =
                incarnation == null ? 0 : IdRow.owner(incarnation.slot(), incarnation.generation());
        this.after = after;
        this.fromMicros = Math.max(fromMicros, after == null ? 0 : firstMicrosBehind(after));
        this.toMicros = toMicros;
        this.limit = limit;
        this.rowsLeft = rowsMax;
    }

    /** A page that took long ends with a cell: the next one must not begin with it. */
    private static long firstMicrosBehind(EventId after) {
        return after.equals(lastOf(after.micros())) ? after.micros() + 1 : after.micros();
    }

    private static EventId lastOf(long micros) {
        return new EventId(micros, -1, -1, -1);
    }

    IdPage run(List<SealedSpan> spans, Cells memory) throws IOException {
        long firstCell = Cell.of(fromMicros);
        for (SealedSpan span : spans) {
            if (page.more() || span.name().from() * Cell.MICROS >= toMicros) {
                return page;
            }
            if (span.name().to() > firstCell) {
                sealed(span);
            }
        }
        Cell cell = memory.atOrAfter(firstCell);
        while (cell != null && cell.number * Cell.MICROS < toMicros && !page.more()) {
            found.begin(limit - page.size());
            offer(cell.freeze(), Long.MAX_VALUE, null);
            rowsLeft -= cell.ids.size();
            found.moveTo(page);
            endPageAfter(cell);
            cell = memory.atOrAfter(cell.number + 1);
        }
        return page;
    }

    private void endPageAfter(Cell cell) {
        if (page.size() == limit) {
            page.resumeAfter(page.last());
        } else if (rowsLeft <= 0) {
            page.resumeAfter(lastOf((cell.number + 1) * Cell.MICROS - 1));
        }
    }

    /** The file up to where the page ends, and as much of the overlay. */
    private void sealed(SealedSpan span) throws IOException {
        found.begin(limit - page.size());
        SealedRows rows = new SealedRows(span.file, fromMicros);
        EventId horizon = null;
        while (horizon == null && rows.next(row) && row.micros < toMicros) {
            if (!behind()) {
                continue;
            }
            rowsLeft--;
            if (wanted() && !span.overlay.find(row)) {
                found.offer(row);
            }
            if (found.size() == limit - page.size() || rowsLeft <= 0) {
                horizon = id();
            }
        }
        Cell cell = span.overlay.atOrAfter(Cell.of(fromMicros));
        long last = horizon == null ? toMicros : horizon.micros();
        while (cell != null && cell.number * Cell.MICROS <= last) {
            offer(cell.freeze(), last, horizon);
            cell = span.overlay.atOrAfter(cell.number + 1);
        }
        found.moveTo(page);
        if (page.size() == limit) {
            page.resumeAfter(page.last());
        } else if (horizon != null) {
            page.resumeAfter(horizon);
        }
    }

    private EventId id() {
        return new EventId(row.micros, row.serverHigh, row.serverLow, row.process);
    }

    private void offer(Cell.Frozen cell, long lastMicros, @Nullable EventId horizon) {
        long startMicros = cell.number() * Cell.MICROS;
        for (Page rows : cell.distinctPages()) {
            for (int at = 0; at < rows.rows.length; at += Page.ROW) {
                long holder = rows.rows[at + Page.OWNER];
                if (holder > 0 && (owner == 0 || owner == holder)) {
                    rows.read(at, startMicros, row);
                    if (wanted()
                            && row.micros <= lastMicros
                            && (horizon == null || compare(horizon) <= 0)) {
                        found.offer(row);
                    }
                }
            }
        }
    }

    private boolean wanted() {
        return (owner == 0 || owner == row.owner)
                && row.micros >= fromMicros
                && row.micros < toMicros
                && behind();
    }

    private boolean behind() {
        return after == null || compare(after) > 0;
    }

    private int compare(EventId id) {
        return IdRow.compare(
                row.micros,
                row.serverHigh,
                row.serverLow,
                row.process,
                id.micros(),
                id.serverHigh(),
                id.serverLow(),
                id.process());
    }
}
