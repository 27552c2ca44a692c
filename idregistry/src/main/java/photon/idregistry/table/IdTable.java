package photon.idregistry.table;

import java.io.BufferedInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.idregistry.replicated.SnapshotReader;

/**
 * Ids and their holders, in two tiers (docs/decisions/0004-id-table-of-our-own.md). Asked and told
 * by {@link IdRow}s, without an object an id.
 *
 * <p>Not thread-safe: one thread at a time, which also sees sealed files come into use, in one step
 * between two entries. A file that cannot be read, or is not as it was written, is an {@link
 * UncheckedIOException}: nothing can be said of its ids then.
 */
public final class IdTable implements AutoCloseable {
    /** So many ids fit the caches, with all that is asked for them. */
    public static final int EXPECTED_AT_ONCE = 32;

    private final TableHome home;
    private final TableDigest books = new TableDigest();
    private final BlockReader reader = new BlockReader();
    private final Sealer sealer;

    /** The memory tier: all cells from the border on. */
    private Cells cells = new Cells(0);

    /** The sealed tier, in order: together, all cells below the border that are not dropped. */
    private final List<SealedSpan> spans = new ArrayList<>();

    private long border;

    /** Cells below are dropped. */
    private long fromCell;

    private long boundaryMicros = Long.MIN_VALUE;
    private int epoch;
    private long index;
    private long accountedBytes;

    private final long[] expectedMicros = new long[EXPECTED_AT_ONCE];
    private final long[] expectedHashes = new long[EXPECTED_AT_ONCE];

    /** Kept so that the reads are done. */
    @SuppressWarnings("UnusedVariable")
    private long expected;

    public IdTable(TableHome home) {
        this.home = home;
        this.sealer = new Sealer(home);
        home.budget().enter();
    }

    /** What follows is the work of the log's entry with this index. */
    public void begin(long entryIndex) {
        lookAfterTiers();
        index = entryIndex;
    }

    /**
     * Reads what will be asked of the memory tier for these ids, so that it is in the processor's
     * caches then. These reads do not wait for one another, as those of questions do, and a miss is
     * most of what a question costs.
     *
     * @param packed ids; not consumed
     * @param at where they begin
     * @param count at most {@link #EXPECTED_AT_ONCE}
     */
    public void expect(ByteBuffer packed, int at, int count) {
        for (int i = 0; i < count; i++) {
            int id = at + i * EventId.BYTES;
            expectedMicros[i] = packed.getLong(id);
            expectedHashes[i] =
                    EventId.stableHash(
                            expectedMicros[i],
                            packed.getLong(id + 8),
                            packed.getLong(id + 16),
                            packed.getInt(id + 24));
        }
        // On its own, and short: so many of its rounds are under way at one time.
        long read = 0;
        for (int i = 0; i < count; i++) {
            long cell = expectedMicros[i] / Cell.MICROS;
            if (cell >= border) {
                read ^= cells.touch(cell, expectedHashes[i]);
            }
        }
        expected = read;
    }

    /** Tells the row its holder. True if there is one. Says nothing of ids below the boundary. */
    public boolean find(IdRow row) {
        if (row.cell() >= border) {
            return cells.find(row);
        }
        SealedSpan span = span(row.cell());
        row.holder = 0;
        return span != null && find(span, row);
    }

    /**
     * Answers the batch's next id, or has its file read later.
     *
     * @param row has this id
     */
    public void ask(IdRow row, LookupBatch batch) {
        SealedSpan span = null;
        if (row.cell() >= border) {
            cells.find(row);
        } else {
            row.holder = 0;
            span = span(row.cell());
        }
        if (span == null || span.findInOverlay(row) || !span.file.mayHold(row)) {
            batch.answer(row);
        } else {
            batch.later(span.file);
        }
    }

    private boolean find(SealedSpan span, IdRow row) {
        try {
            return span.find(row, reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable SealedSpan span(long cell) {
        int low = 0;
        int high = spans.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            SealedSpan span = spans.get(middle);
            if (cell < span.name().from()) {
                high = middle - 1;
            } else if (cell >= span.name().to()) {
                low = middle + 1;
            } else {
                return span;
            }
        }
        return null;
    }

    /**
     * Gives the id to the row's token, if nobody holds it.
     *
     * @return false if there is a holder, whom the row is told
     */
    public boolean putIfAbsent(IdRow row) {
        if (row.cell() >= border) {
            Cell cell = cells.putIfAbsent(row, index);
            if (cell == null) {
                return false;
            }
            cell.count++;
            cell.hash += row.contentHash();
        } else {
            SealedSpan span = span(row.cell());
            if (span == null) {
                throw new IllegalStateException("Expected no id from below the boundary: " + row);
            }
            if (find(span, row)) {
                return false;
            }
            span.put(row, index);
        }
        books.add(1, row.contentHash());
        sealer.put(row, index);
        return true;
    }

    /** Takes the id from its holder, whom the row was told just now. */
    public void remove(IdRow row) {
        long hash = row.contentHash(row.holder, row.holderSequence);
        SealedSpan span = row.cell() < border ? span(row.cell()) : null;
        if (span != null) {
            span.remove(row, index);
        } else {
            Cell cell = cells.remove(row, index);
            cell.count--;
            cell.hash -= hash;
        }
        books.subtract(1, hash);
        sealer.bury(row, index);
    }

    /** Ids below are not asked for any more; they are dropped by whole cells and files. */
    public void dropBelow(long micros) {
        boundaryMicros = Math.max(boundaryMicros, micros);
        long number = Cell.of(micros);
        if (number <= fromCell) {
            return;
        }
        fromCell = number;
        for (Cell cell : cells.between(0, number)) {
            books.subtract(cell.count, cell.hash);
        }
        cells.dropBelow(number);
        spans.forEach(span -> span.dropBelow(number, books));
        while (!spans.isEmpty() && spans.get(0).name().to() <= number) {
            release(spans.remove(0));
        }
    }

    /**
     * How far {@link #dropBelow} may go on the way to the target without dropping more than so many
     * cells. Only reads.
     *
     * @param targetMicros above the boundary
     * @param cellsMax above 0
     * @return the target, or the start of a cell before it and above the boundary
     */
    public long dropStep(long targetMicros, int cellsMax) {
        long to = Cell.of(targetMicros);
        int left = cellsMax;
        for (SealedSpan span : spans) {
            long cell = span.cellFrom(fromCell);
            while (cell < to && left > 0) {
                cell = span.cellFrom(cell + 1);
                left--;
            }
            if (cell < to) {
                return cell * Cell.MICROS;
            }
        }
        Cell cell = cells.atOrAfter(fromCell);
        while (cell != null && cell.number < to && left > 0) {
            cell = cells.atOrAfter(cell.number + 1);
            left--;
        }
        return cell != null && cell.number < to ? cell.number * Cell.MICROS : targetMicros;
    }

    /** Ids that are held, but for those in cells wholly below the boundary. */
    public long count() {
        return books.count;
    }

    /** The same for the same ids and holders, however they came and wherever they lie. */
    public long contentHash() {
        return books.hash;
    }

    /**
     * One page of ids from the boundary on.
     *
     * @param incarnation null: whoever holds them
     * @param after null: from the start
     * @param toMicros exclusive
     * @param limit above 0
     * @param rowsMax the page ends when about so many ids were looked at
     */
    public IdPage scan(
            @Nullable Incarnation incarnation,
            @Nullable EventId after,
            long fromMicros,
            long toMicros,
            int limit,
            long rowsMax) {
        long from = Math.max(fromMicros, boundaryMicros);
        try {
            return new IdScan(incarnation, after, from, toMicros, limit, rowsMax).run(spans, cells);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Bytes of the heap that ids take, about: the memory tier, and the overlays of the other. */
    public long memoryBytes() {
        long bytes = cells.bytes();
        for (int i = 0; i < spans.size(); i++) {
            bytes += spans.get(i).overlay.bytes();
        }
        return bytes;
    }

    /** Bytes of the heap that say what is where in sealed files. */
    public long sealedIndexBytes() {
        return spans.stream().mapToLong(span -> span.file.bytes()).sum();
    }

    /** Files of the sealed tier. */
    public int sealedFiles() {
        return spans.size();
    }

    /** Rows in these files, removed ones included. */
    public long sealedRows() {
        return spans.stream().mapToLong(span -> span.file.rows()).sum();
    }

    /** Files that could not be written; what they were to hold is still in memory. */
    public long sealingFailures() {
        return sealer.failures();
    }

    private void lookAfterTiers() {
        lookAfterTiers(sealer.poll(accountedBytes));
    }

    /**
     * Seals what should be, as with each entry, for a table that gets none: what it holds counts
     * against the others. To be called every few moments, between entries; waits for nothing.
     */
    public void lookAfterIdle() {
        lookAfterTiers(sealer.pollIdle(accountedBytes));
    }

    private void lookAfterTiers(@Nullable SealJob done) {
        if (done != null) {
            install(done);
        }
        account();
        if (sealer.mayBegin(accountedBytes)) {
            epoch++;
            SealJob job = SealChoice.choose(cells, spans, border, fromCell, index, epoch, home);
            enterEpoch(epoch);
            sealer.begin(job);
        }
    }

    private void account() {
        long now = memoryBytes();
        if (now != accountedBytes) {
            home.budget().change(now - accountedBytes);
            accountedBytes = now;
        }
    }

    private void release(SealedSpan span) {
        reader.forget();
        span.file.release();
    }

    private void enterEpoch(int newEpoch) {
        cells.enterEpoch(newEpoch);
        spans.forEach(span -> span.overlay.enterEpoch(newEpoch));
    }

    /** The file comes into use, what changed meanwhile becomes its overlay: one step. */
    private void install(SealJob job) {
        SealedFile file = job.file();
        job.delta.enterEpoch(epoch);
        SealedSpan span = new SealedSpan(file, job.delta, job.deltaChangedAt);
        span.skipTo(fromCell);
        if (file.name().to() <= fromCell) {
            file.release();
        } else if (job.base == null) {
            spans.add(span);
        } else {
            int place = spans.indexOf(span(file.name().from()));
            release(spans.set(place, span));
        }
        if (job.base == null) {
            border = file.name().to();
            cells.dropBelow(border);
        }
    }

    /** The table as of now, for another thread. Quick; only one at a time. */
    public FrozenTable freeze() {
        lookAfterTiers();
        epoch++;
        FrozenTable frozen =
                new FrozenTable(
                        Math.max(border, fromCell),
                        spans.stream().map(SealedSpan::freeze).toList(),
                        cells.frozen(0, Long.MAX_VALUE));
        enterEpoch(epoch);
        return frozen;
    }

    /**
     * Replaces everything by what {@link FrozenTable#write} has written.
     *
     * @param list the list of its files
     * @param atIndex of the last entry that it holds
     * @throws DamagedFileException if a sealed file is not as it was written
     */
    public void restore(DataInput list, SnapshotReader from, long newBoundaryMicros, long atIndex)
            throws IOException {
        clear(newBoundaryMicros, atIndex);
        int spanCount = list.readInt();
        for (int i = 0; i < spanCount; i++) {
            SealedSpan.Name name =
                    new SealedSpan.Name(list.readLong(), list.readLong(), list.readLong());
            String overlay = list.readUTF();
            long changedAt = list.readLong();
            SealedFile file = open(from, name.inSnapshot());
            SealedSpan span = new SealedSpan(file, new Cells(epoch), changedAt);
            spans.add(span);
            if (!name.equals(file.name())) {
                throw new IOException("Expected %s, but got %s".formatted(name, file.name()));
            }
            if (!overlay.isEmpty()) {
                read(from, overlay, span.overlay, false);
            }
            span.enter(fromCell, books);
            border = name.to();
        }
        int files = list.readInt();
        for (int i = 0; i < files; i++) {
            read(from, list.readUTF(), cells, true);
        }
        for (Cell cell : cells.between(0, Long.MAX_VALUE)) {
            books.add(cell.count, cell.hash);
        }
        account();
    }

    private SealedFile open(SnapshotReader from, String name) throws IOException {
        try {
            return SealedFile.open(home.files().adopt(from.file(name)));
        } catch (DamagedFileException e) {
            throw new DamagedFileException(name, e);
        }
    }

    private static void read(SnapshotReader from, String name, Cells into, boolean whole)
            throws IOException {
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(from.file(name).open(), 1 << 16))) {
            CellsFile.read(in, into, whole, name);
        }
    }

    /**
     * Forgets everything, and ids below the boundary for ever.
     *
     * @param atIndex of the entry after which the table is empty
     */
    public void clear(long newBoundaryMicros, long atIndex) {
        index = atIndex;
        sealer.abandon();
        spans.forEach(this::release);
        spans.clear();
        cells = new Cells(epoch);
        border = 0;
        books.subtract(books.count, books.hash);
        boundaryMicros = newBoundaryMicros;
        fromCell = Cell.of(newBoundaryMicros);
        account();
    }

    /**
     * Forgets everything for good, and its share of the budget. Files go when nobody reads them.
     */
    public void discard(long atIndex) {
        clear(boundaryMicros, atIndex);
        home.budget().leave(accountedBytes);
    }

    /** Gives up its share of the budget, and closes its files. */
    @Override
    public void close() {
        sealer.abandon();
        home.budget().leave(accountedBytes);
        home.files().close();
    }
}
