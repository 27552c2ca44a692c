package photon.storage.journal;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All rows of a journal by key, and those that wait in the order in which they are taken: smallest
 * priority first, then due date.
 */
final class RowIndex {
    private static final Comparator<IndexRow> BY_DUE =
            Comparator.<IndexRow>comparingLong(row -> row.dueMillis)
                    .thenComparingLong(row -> row.number);

    private final Map<JournalRow.Key, IndexRow> rows = new HashMap<>();
    private final TreeMap<Integer, TreeSet<IndexRow>> waiting = new TreeMap<>();

    /** How many rows there are of each reason, waiting or processing. */
    private final Map<String, Integer> reasons = new HashMap<>();

    private long numbers;
    private long lastVersion;
    private int waitingCount;

    @Nullable IndexRow get(JournalRow.Key key) {
        return rows.get(key);
    }

    Collection<IndexRow> rows() {
        return rows.values();
    }

    int waiting() {
        return waitingCount;
    }

    int processing() {
        return rows.size() - waitingCount;
    }

    /** Rows of this reason, waiting or processing. */
    int ofReason(String reason) {
        return reasons.getOrDefault(reason, 0);
    }

    long nextVersion() {
        return ++lastVersion;
    }

    // ---- replay and change alike: an entry is applied the same way when it is made and when it is
    // read

    /** A put that stands there stands for the row from now on. */
    void apply(JournalEntry.Put put, SegmentState segment, int offset, int length) {
        lastVersion = Math.max(lastVersion, put.version());
        IndexRow row = rows.get(put.key());
        if (row == null) {
            row = new IndexRow(put.key(), numbers++, segment);
            rows.put(put.key(), row);
        } else {
            leaveOrder(row);
            uncount(row.reason);
            row.segment.liveBytes -= row.length;
        }
        row.segment = segment;
        row.offset = offset;
        row.length = length;
        segment.liveBytes += length;
        JournalRow content = put.row();
        row.version = put.version();
        row.insertedMillis = content.insertedMillis();
        row.dueMillis = content.dueMillis();
        row.attempts = content.attempts();
        row.priority = content.priority();
        row.attemptOpen = content.attemptOpen();
        row.reason = counted(content.reason());
        enterOrder(row);
    }

    /** Ignored if the row is not there: its put was in a segment that is cleaned away. */
    void apply(JournalEntry.Update update) {
        lastVersion = Math.max(lastVersion, update.version());
        IndexRow row = rows.get(update.key());
        if (row != null && update.version() >= row.version) {
            leaveOrder(row);
            uncount(row.reason);
            row.take(update);
            row.reason = counted(update.reason());
            enterOrder(row);
        }
    }

    void apply(JournalEntry.Delete delete) {
        lastVersion = Math.max(lastVersion, delete.version());
        IndexRow row = rows.get(delete.key());
        if (row != null && row.version == delete.version()) {
            leaveOrder(row);
            uncount(row.reason);
            rows.remove(row.key);
            row.segment.liveBytes -= row.length;
        }
    }

    // ---- what only memory knows

    void setDue(IndexRow row, long dueMillis) {
        leaveOrder(row);
        row.dueMillis = dueMillis;
        enterOrder(row);
    }

    void setProcessing(IndexRow row, boolean processing) {
        leaveOrder(row);
        row.processing = processing;
        enterOrder(row);
    }

    /** The first waiting row that is due; null if none is. */
    @Nullable IndexRow firstDue(long nowMillis) {
        for (TreeSet<IndexRow> ofPriority : waiting.values()) {
            IndexRow first = ofPriority.first();
            if (first.dueMillis <= nowMillis) {
                return first;
            }
        }
        return null;
    }

    /** {@link Long#MAX_VALUE} if no row waits. */
    long nextDueMillis() {
        long next = Long.MAX_VALUE;
        for (TreeSet<IndexRow> ofPriority : waiting.values()) {
            next = Math.min(next, ofPriority.first().dueMillis);
        }
        return next;
    }

    private void enterOrder(IndexRow row) {
        if (!row.processing) {
            waiting.computeIfAbsent(row.priority, p -> new TreeSet<>(BY_DUE)).add(row);
            waitingCount++;
        }
    }

    private void leaveOrder(IndexRow row) {
        TreeSet<IndexRow> ofPriority = waiting.get(row.priority);
        if (ofPriority != null && ofPriority.remove(row)) {
            waitingCount--;
            if (ofPriority.isEmpty()) {
                waiting.remove(row.priority);
            }
        }
    }

    /** Reasons are few: a million rows share them. */
    private String counted(String reason) {
        reasons.merge(reason, 1, Integer::sum);
        return reason.intern();
    }

    private void uncount(String reason) {
        reasons.computeIfPresent(reason, (same, count) -> count == 1 ? null : count - 1);
    }
}
