package photon.idregistry.table;

import java.io.DataOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import photon.idregistry.replicated.SnapshotWriter;

/**
 * A table as it was. Writes it into a snapshot: sealed files are linked; cells of the memory tier
 * and overlays are written, unless the last snapshot has them as they are.
 *
 * <p>A name says all that its file holds: the cells as of the last entry that changed any of them.
 * So it does not matter who made the file.
 */
public final class FrozenTable implements AutoCloseable {
    /** About as many ids as a file of cells has at most; one cell is never parted. */
    private static final long IDS_PER_FILE = 1 << 18;

    private static final long PARTS = 4;

    private final long fromCell;
    private final List<SealedSpan.Frozen> spans;
    private final List<Cell.Frozen> cells;
    private final List<String> written = new ArrayList<>();

    FrozenTable(long fromCell, List<SealedSpan.Frozen> spans, List<Cell.Frozen> cells) {
        this.fromCell = fromCell;
        this.spans = spans;
        this.cells = cells;
    }

    /**
     * Writes the files, all but the list of them.
     *
     * @param list takes that list, to be given to {@link IdTable#restore}
     */
    public void write(SnapshotWriter to, DataOutput list) throws IOException {
        list.writeInt(spans.size());
        for (SealedSpan.Frozen span : spans) {
            SealedSpan.Name name = span.file().name();
            list.writeLong(name.from());
            list.writeLong(name.to());
            list.writeLong(name.index());
            to.link(name.inSnapshot(), span.file().file());
            list.writeUTF(overlay(span, name, to));
            list.writeLong(span.changedAt());
        }
        writeCells(to);
        list.writeInt(written.size());
        for (String name : written) {
            list.writeUTF(name);
        }
    }

    /** The name of the overlay's file; empty if there is nothing in it. */
    private String overlay(SealedSpan.Frozen span, SealedSpan.Name of, SnapshotWriter to)
            throws IOException {
        if (span.overlay().isEmpty()) {
            return "";
        }
        String name =
                "overlay-%d-%d-%d-%d-%d"
                        .formatted(
                                of.from(),
                                of.to(),
                                of.index(),
                                Math.max(of.from(), fromCell),
                                span.changedAt());
        write(name, span.overlay(), to);
        return name;
    }

    private void writeCells(SnapshotWriter to) throws IOException {
        if (cells.isEmpty()) {
            return;
        }
        long end = 1;
        while (end <= cells.get(cells.size() - 1).number()) {
            end *= PARTS;
        }
        writeCells(0, end, cells, to);
    }

    /** Intervals are cut at fixed places, so that what did not change keeps its file. */
    private void writeCells(long from, long to, List<Cell.Frozen> within, SnapshotWriter writer)
            throws IOException {
        if (within.isEmpty()) {
            return;
        }
        long rows = within.stream().mapToLong(Cell.Frozen::rows).sum();
        if (rows <= IDS_PER_FILE || to - from == 1) {
            long changedAt = within.stream().mapToLong(Cell.Frozen::changedAt).max().orElse(0);
            String name = "ids-%d-%d-%d".formatted(Math.max(from, fromCell), to, changedAt);
            write(name, within, writer);
            written.add(name);
            return;
        }
        long part = (to - from) / PARTS;
        int next = 0;
        for (long start = from; start < to; start += part) {
            int first = next;
            while (next < within.size() && within.get(next).number() < start + part) {
                next++;
            }
            writeCells(start, start + part, within.subList(first, next), writer);
        }
    }

    private static void write(String name, List<Cell.Frozen> content, SnapshotWriter to)
            throws IOException {
        if (!to.reuse(name)) {
            try (OutputStream out = to.create(name)) {
                CellsFile.write(content, out);
            }
        }
    }

    @Override
    public void close() {
        spans.forEach(span -> span.file().release());
    }
}
