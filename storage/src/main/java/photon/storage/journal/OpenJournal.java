package photon.storage.journal;

import static photon.core.error.Checks.check;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import photon.core.error.BugException;
import photon.storage.document.VersionedDocument;
import photon.storage.files.DurableDirectories;
import photon.storage.files.FileStore;

/**
 * The retry journal as its one owner works on it: a durable table of rows that are to be tried
 * again, kept as an append-only log with an index in memory. Not thread-safe: one loop owns it.
 *
 * <p>Changes are staged and become durable together with {@link #commit}: one write and one sync
 * for all of them. A row is <i>waiting</i>, or <i>processing</i> once it was taken; processing is
 * known to memory alone, so after a crash every row waits.
 *
 * <p>A key that arrives while its row waits is merged with it. While its row is processing, the
 * arrival raises the row's version; {@link #finish} deletes only the version that was taken, so
 * that what arrived meanwhile is tried too (docs/protocol.md section 7).
 *
 * <p>Space: when less than half of the journal is of use, the oldest segment's rows are written
 * anew at the end and the segment is dropped. Always the oldest: no delete in it can concern a put
 * in another one, so all its deletes go with it.
 */
public final class OpenJournal implements AutoCloseable {
    /** About as large is a segment: the usual one. */
    public static final long SEGMENT_BYTES_MAX = 8L << 20;

    private static final int TAKE_BYTES_MAX = 4 << 20;
    private static final int COPY_BYTES_MAX = 1 << 20;

    private final SegmentLog log;
    private final RowIndex index;
    private final long segmentBytesMax;
    private final ByteArrayOutputStream batch = new ByteArrayOutputStream();
    private Sweep sweep = new Sweep();
    private long sweepMillis;

    private OpenJournal(SegmentLog log, RowIndex index, long segmentBytesMax) {
        this.log = log;
        this.index = index;
        this.segmentBytesMax = segmentBytesMax;
    }

    /**
     * The highest owner number that was ever used in this directory; 0 if there is no journal yet.
     */
    public static long lastOwner(FileStore files, String directory) throws IOException {
        VersionedDocument manifest =
                new VersionedDocument(files, directory, JournalRecovery.MANIFEST);
        return SegmentLog.lastOwner(files, directory, manifest);
    }

    /**
     * Claims the journal in this directory, making it if need be. All its rows wait.
     *
     * @param owner whoever claims with a lower number later is refused, however long it has stalled
     *     since it was given it: so numbers are given in the order in which owners follow each
     *     other, each once
     * @throws IOException if a higher number has claimed it, or if somebody else claims it at the
     *     same time, or if it is damaged where no crash can have torn it
     */
    public static OpenJournal open(FileStore files, String directory, long owner)
            throws IOException {
        return open(files, directory, owner, SEGMENT_BYTES_MAX);
    }

    /**
     * With segments of another size.
     *
     * @param segmentBytesMax when a segment has as many, the next one begins
     */
    public static OpenJournal open(
            FileStore files, String directory, long owner, long segmentBytesMax)
            throws IOException {
        DurableDirectories.create(files, directory);
        VersionedDocument manifest =
                new VersionedDocument(files, directory, JournalRecovery.MANIFEST);
        JournalRecovery recovered = JournalRecovery.read(files, directory, manifest, true);
        SegmentLog log = new SegmentLog(files, directory, owner, manifest, recovered);
        recovered.applyCarry(log.current(), BatchFrame.HEADER_BYTES);
        return new OpenJournal(log, recovered.index, segmentBytesMax);
    }

    /** A row that was taken, as it was then. */
    public record Taken(JournalRow row, long version) {}

    /** Stages a row, merged with the one of its key if there is one. Earliest insertion stands. */
    public void put(JournalRow row) {
        int known = index.get(row.key());
        if (known == RowIndex.ABSENT) {
            JournalEntry.Put put = new JournalEntry.Put(row, index.nextVersion());
            int offset = stage(put);
            index.apply(put, log.current(), offset, entryLength(offset));
            return;
        }
        JournalEntry.Update merged =
                new JournalEntry.Update(
                        row.key(),
                        index.nextVersion(),
                        Math.min(index.insertedMillis(known), row.insertedMillis()),
                        Math.min(index.dueMillis(known), row.dueMillis()),
                        Math.max(index.attempts(known), row.attempts()),
                        Math.min(index.priority(known), row.priority()),
                        index.attemptOpen(known) || row.attemptOpen(),
                        row.reason());
        stage(merged);
        index.apply(merged);
    }

    /** Stages the end of a row: deleted, unless its key has arrived again since it was taken. */
    public void finish(Taken taken) {
        int row = processing(taken);
        if (index.version(row) == taken.version()) {
            leaveSweep(row);
            JournalEntry.Delete delete =
                    new JournalEntry.Delete(taken.row().key(), taken.version());
            stage(delete);
            index.apply(delete);
        } else {
            returned(row);
        }
    }

    /** Stages that a row waits again. */
    public void again(
            Taken taken, long dueMillis, int attempts, String reason, boolean attemptOpen) {
        int row = processing(taken);
        boolean arrivedAgain = index.version(row) != taken.version();
        JournalEntry.Update update =
                new JournalEntry.Update(
                        taken.row().key(),
                        index.nextVersion(),
                        index.insertedMillis(row),
                        arrivedAgain ? Math.min(index.dueMillis(row), dueMillis) : dueMillis,
                        Math.max(index.attempts(row), attempts),
                        index.priority(row),
                        index.attemptOpen(row) || attemptOpen,
                        reason);
        stage(update);
        index.apply(update);
        returned(row);
    }

    private int processing(Taken taken) {
        int row = index.get(taken.row().key());
        if (row == RowIndex.ABSENT || !index.isProcessing(row)) {
            throw new BugException(
                    "Expected a row that is processing, but %s is not"
                            .formatted(taken.row().key()));
        }
        return row;
    }

    private void returned(int row) {
        index.setProcessing(row, false);
        leaveSweep(row);
    }

    /** All that was staged is durable. One write and one sync, or nothing if nothing was staged. */
    public void commit() throws IOException {
        if (batch.size() == 0) {
            return;
        }
        log.append(batch.toByteArray());
        batch.reset();
        if (log.current().bytes >= segmentBytesMax) {
            log.roll();
        }
        if (log.bytes() - log.liveBytes() > log.liveBytes() + 2 * segmentBytesMax) {
            cleanOldest();
        }
    }

    private void cleanOldest() throws IOException {
        SegmentState oldest = log.oldestSealed();
        if (oldest == null) {
            return;
        }
        List<Integer> standing = oldest.liveBytes == 0 ? List.of() : index.inSegment(oldest);
        for (int row : standing) {
            JournalRow content = index.asRow(row, index.event(row));
            JournalEntry.Put copy = new JournalEntry.Put(content, index.version(row));
            int offset = stage(copy);
            index.apply(copy, log.current(), offset, entryLength(offset));
            if (batch.size() > COPY_BYTES_MAX) {
                log.append(batch.toByteArray());
                batch.reset();
            }
        }
        if (batch.size() > 0) {
            log.append(batch.toByteArray());
            batch.reset();
        }
        log.dropOldest();
        index.dropped(oldest);
    }

    /**
     * Takes rows that are due, smallest priority first, then by due date; they are processing from
     * now on. Fewer where they are large. Everything must be committed.
     */
    public List<Taken> takeDue(long nowMillis, int max) throws IOException {
        check(batch.size() == 0, "Expected nothing staged, but %s bytes are", batch.size());
        List<Taken> taken = new ArrayList<>();
        long bytes = 0;
        while (taken.size() < max && bytes < TAKE_BYTES_MAX) {
            int row = index.firstDue(nowMillis);
            if (row == RowIndex.ABSENT) {
                break;
            }
            taken.add(new Taken(index.asRow(row, index.event(row)), index.version(row)));
            index.setProcessing(row, true);
            bytes += index.length(row);
        }
        return taken;
    }

    /**
     * Begins a round: every row that waits is due now; a row that is processing is due again as
     * soon as it returns. One round at a time.
     */
    public Sweep sweep(long nowMillis) {
        check(sweep.done(), "Expected one sweep at a time, but one has not ended");
        Sweep begun = new Sweep();
        index.forEach(
                row -> {
                    boolean processing = index.isProcessing(row);
                    index.setSweep(row, true, processing);
                    begun.joined();
                    if (!processing && index.dueMillis(row) > nowMillis) {
                        index.setDue(row, nowMillis);
                    }
                });
        sweep = begun;
        sweepMillis = nowMillis;
        return begun;
    }

    private void leaveSweep(int row) {
        if (!index.inSweep(row)) {
            return;
        }
        if (index.sweepAgain(row) && !index.isProcessing(row)) {
            index.setSweep(row, true, false);
            index.setDue(row, Math.min(index.dueMillis(row), sweepMillis));
            return;
        }
        index.setSweep(row, false, false);
        sweep.left();
    }

    /**
     * Mends what a clock has written that ran ahead of ours: rows are due now if they are due
     * further off than the longest delay, and came now if they come later. In memory: the next
     * change of a row makes its times durable.
     */
    public void mendTimes(long nowMillis, long delayMaxMillis) {
        index.forEach(
                row -> {
                    index.setInserted(row, Math.min(index.insertedMillis(row), nowMillis));
                    if (index.dueMillis(row) - nowMillis > delayMaxMillis) {
                        index.setDue(row, nowMillis);
                    }
                });
    }

    /**
     * A row that waits is due at this time at the latest. Nothing happens to one that is processing
     * or gone. In memory, as {@link #mendTimes}.
     */
    public void dueBy(JournalRow.Key key, long dueMillis) {
        int row = index.get(key);
        if (row != RowIndex.ABSENT
                && !index.isProcessing(row)
                && index.dueMillis(row) > dueMillis) {
            index.setDue(row, dueMillis);
        }
    }

    /** {@link #dueBy(JournalRow.Key, long)} for every row of this reason. */
    public void allDueBy(String reason, long dueMillis) {
        if (index.ofReason(reason) == 0) {
            return;
        }
        index.forEach(
                row -> {
                    if (!index.isProcessing(row)
                            && index.dueMillis(row) > dueMillis
                            && index.reason(row).equals(reason)) {
                        index.setDue(row, dueMillis);
                    }
                });
    }

    /** When the next waiting row is due; {@link Long#MAX_VALUE} if none waits. */
    public long nextDueMillis() {
        return index.nextDueMillis();
    }

    public int waiting() {
        return index.waiting();
    }

    /**
     * How old rows are.
     *
     * @param insertedMillis when the first of them came
     * @param eventMicros the oldest timestamp of an event
     */
    public record Oldest(long insertedMillis, long eventMicros) {
        /** Of no row. */
        public static final Oldest NONE = new Oldest(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** Of the rows that have another reason than these. Looks at each row. */
    public Oldest oldestWithout(Set<String> reasons) {
        long[] oldest = {Oldest.NONE.insertedMillis(), Oldest.NONE.eventMicros()};
        index.forEach(
                row -> {
                    if (!reasons.contains(index.reason(row))) {
                        oldest[0] = Math.min(oldest[0], index.insertedMillis(row));
                        oldest[1] = Math.min(oldest[1], index.eventMicros(row));
                    }
                });
        return new Oldest(oldest[0], oldest[1]);
    }

    /** Heap that the rows take, about. */
    public long indexBytes() {
        return index.bytes();
    }

    /** Rows of this reason, waiting or processing. */
    public int ofReason(String reason) {
        return index.ofReason(reason);
    }

    public int processing() {
        return index.processing();
    }

    /** Where the entry will stand, behind its length. */
    private int stage(JournalEntry entry) {
        int at = log.nextContentAt() + batch.size() + Integer.BYTES;
        JournalEntry.write(entry, batch);
        return at;
    }

    private int entryLength(int offset) {
        return log.nextContentAt() + batch.size() - offset;
    }

    /** What is staged and not committed is dropped. */
    @Override
    public void close() throws IOException {
        log.close();
    }
}
