package photon.storage.journal;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import photon.core.error.BugException;
import photon.core.event.LogEvent;

/**
 * All rows of a journal by key, and those that wait in the order in which they are taken: smallest
 * priority first, then due date. Of a row all but its event, which stays on disk until it is due:
 * about 100 bytes, so that five million rows take less than 512 MiB. A row is named by a number,
 * its place, which is its own until the row is gone. Not thread-safe.
 */
final class RowIndex {
    static final int ABSENT = RowTable.ABSENT;

    private final RowTable table = new RowTable();
    private final TreeMap<Integer, DueOrder> waiting = new TreeMap<>();
    private final Reasons reasons = new Reasons();
    private final Map<SegmentState, Integer> segmentNumbers = new HashMap<>();
    private final Map<Integer, SegmentState> segments = new HashMap<>();
    private int segmentsMet;
    private long numbers;
    private long lastVersion;
    private int waitingCount;

    /** The row of this key; {@link #ABSENT}: there is none. */
    int get(JournalRow.Key key) {
        return table.find(key);
    }

    /** Every row; these may be changed meanwhile, and no row may be added or removed. */
    void forEach(IntConsumer each) {
        for (int row = 0; row < table.end(); row++) {
            if (table.exists(row)) {
                each.accept(row);
            }
        }
    }

    /** Those whose event stands in this segment. */
    List<Integer> inSegment(SegmentState segment) {
        List<Integer> found = new ArrayList<>();
        Integer number = segmentNumbers.get(segment);
        if (number != null) {
            forEach(
                    row -> {
                        if (table.page(row).segment[at(row)] == number) {
                            found.add(row);
                        }
                    });
        }
        return found;
    }

    int size() {
        return table.size();
    }

    int waiting() {
        return waitingCount;
    }

    int processing() {
        return table.size() - waitingCount;
    }

    /** Rows of this reason, waiting or processing. */
    int ofReason(String reason) {
        return reasons.count(reason);
    }

    long nextVersion() {
        return ++lastVersion;
    }

    /** What the arrays take; lost tokens and texts of reasons, which are few, come to it. */
    long bytes() {
        return table.bytes() + waiting.values().stream().mapToLong(DueOrder::bytes).sum();
    }

    // ---- replay and change alike: an entry is applied the same way when it is made and when it is
    // read

    /** A put that stands there stands for the row from now on. */
    void apply(JournalEntry.Put put, SegmentState segment, int offset, int length) {
        lastVersion = Math.max(lastVersion, put.version());
        int row = table.find(put.key());
        if (row == ABSENT) {
            row = table.add(put.key());
            table.page(row).number[at(row)] = numbers++;
            table.page(row).orderAt[at(row)] = DueOrder.NOT_IN;
        } else {
            leaveOrder(row);
            reasons.leave(table.page(row).reason[at(row)]);
            segment(row).liveBytes -= length(row);
        }
        RowPage page = table.page(row);
        int at = at(row);
        page.segment[at] = numberOf(segment);
        page.offset[at] = offset;
        page.length[at] = length;
        segment.liveBytes += length;
        JournalRow content = put.row();
        page.version[at] = put.version();
        page.insertedMillis[at] = content.insertedMillis();
        page.dueMillis[at] = content.dueMillis();
        page.attempts[at] = content.attempts();
        page.priority[at] = narrow(content.priority());
        page.set(at, RowPage.ATTEMPT_OPEN, content.attemptOpen());
        page.reason[at] = reasons.enter(content.reason());
        enterOrder(row);
    }

    /** Ignored if the row is not there: its put was in a segment that is cleaned away. */
    void apply(JournalEntry.Update update) {
        lastVersion = Math.max(lastVersion, update.version());
        int row = table.find(update.key());
        if (row != ABSENT && update.version() >= version(row)) {
            leaveOrder(row);
            RowPage page = table.page(row);
            int at = at(row);
            reasons.leave(page.reason[at]);
            page.version[at] = update.version();
            page.insertedMillis[at] = update.insertedMillis();
            page.dueMillis[at] = update.dueMillis();
            page.attempts[at] = update.attempts();
            page.priority[at] = narrow(update.priority());
            page.set(at, RowPage.ATTEMPT_OPEN, update.attemptOpen());
            page.reason[at] = reasons.enter(update.reason());
            enterOrder(row);
        }
    }

    void apply(JournalEntry.Delete delete) {
        lastVersion = Math.max(lastVersion, delete.version());
        int row = table.find(delete.key());
        if (row != ABSENT && version(row) == delete.version()) {
            leaveOrder(row);
            reasons.leave(table.page(row).reason[at(row)]);
            segment(row).liveBytes -= length(row);
            table.remove(row);
        }
    }

    /** No row's event stands in this segment any more, and it is not written to. */
    void dropped(SegmentState segment) {
        Integer number = segmentNumbers.remove(segment);
        if (number != null) {
            segments.remove(number);
        }
    }

    // ---- what stands in a row

    JournalRow.Key key(int row) {
        return table.key(row);
    }

    long version(int row) {
        return table.page(row).version[at(row)];
    }

    long eventMicros(int row) {
        return table.page(row).micros[at(row)];
    }

    long insertedMillis(int row) {
        return table.page(row).insertedMillis[at(row)];
    }

    long dueMillis(int row) {
        return table.page(row).dueMillis[at(row)];
    }

    int attempts(int row) {
        return table.page(row).attempts[at(row)];
    }

    int priority(int row) {
        return table.page(row).priority[at(row)];
    }

    String reason(int row) {
        return reasons.text(table.page(row).reason[at(row)]);
    }

    int offset(int row) {
        return table.page(row).offset[at(row)];
    }

    int length(int row) {
        return table.page(row).length[at(row)];
    }

    boolean attemptOpen(int row) {
        return table.page(row).is(at(row), RowPage.ATTEMPT_OPEN);
    }

    boolean isProcessing(int row) {
        return table.page(row).is(at(row), RowPage.PROCESSING);
    }

    boolean inSweep(int row) {
        return table.page(row).is(at(row), RowPage.IN_SWEEP);
    }

    /** It was processing when the sweep began: that try does not count. */
    boolean sweepAgain(int row) {
        return table.page(row).is(at(row), RowPage.SWEEP_AGAIN);
    }

    /** Where the put stands that holds the event. */
    SegmentState segment(int row) {
        SegmentState segment = segments.get(table.page(row).segment[at(row)]);
        if (segment == null) {
            throw new BugException("Expected a segment of the row at %s".formatted(row));
        }
        return segment;
    }

    /** Read back from disk. */
    LogEvent event(int row) throws IOException {
        return segment(row).event(key(row), offset(row), length(row));
    }

    JournalRow asRow(int row, LogEvent event) {
        return new JournalRow(
                key(row),
                event,
                insertedMillis(row),
                dueMillis(row),
                attempts(row),
                priority(row),
                reason(row),
                attemptOpen(row));
    }

    // ---- what only memory knows

    void setInserted(int row, long insertedMillis) {
        table.page(row).insertedMillis[at(row)] = insertedMillis;
    }

    void setDue(int row, long dueMillis) {
        leaveOrder(row);
        table.page(row).dueMillis[at(row)] = dueMillis;
        enterOrder(row);
    }

    void setProcessing(int row, boolean processing) {
        leaveOrder(row);
        table.page(row).set(at(row), RowPage.PROCESSING, processing);
        enterOrder(row);
    }

    void setSweep(int row, boolean inSweep, boolean again) {
        table.page(row).set(at(row), RowPage.IN_SWEEP, inSweep);
        table.page(row).set(at(row), RowPage.SWEEP_AGAIN, again);
    }

    /** The first waiting row that is due; {@link #ABSENT} if none is. */
    int firstDue(long nowMillis) {
        for (DueOrder ofPriority : waiting.values()) {
            int first = ofPriority.first();
            if (dueMillis(first) <= nowMillis) {
                return first;
            }
        }
        return ABSENT;
    }

    /** {@link Long#MAX_VALUE} if no row waits. */
    long nextDueMillis() {
        long next = Long.MAX_VALUE;
        for (DueOrder ofPriority : waiting.values()) {
            next = Math.min(next, dueMillis(ofPriority.first()));
        }
        return next;
    }

    private void enterOrder(int row) {
        if (!isProcessing(row)) {
            waiting.computeIfAbsent(priority(row), p -> new DueOrder(table)).add(row);
            waitingCount++;
        }
    }

    private void leaveOrder(int row) {
        if (table.page(row).orderAt[at(row)] == DueOrder.NOT_IN) {
            return;
        }
        DueOrder ofPriority = waiting.get(priority(row));
        if (ofPriority == null) {
            throw new BugException("Expected an order of the row at %s".formatted(row));
        }
        ofPriority.remove(row);
        waitingCount--;
        if (ofPriority.isEmpty()) {
            waiting.remove(priority(row));
        }
    }

    private int numberOf(SegmentState segment) {
        Integer known = segmentNumbers.get(segment);
        if (known != null) {
            return known;
        }
        int number = segmentsMet++;
        segmentNumbers.put(segment, number);
        segments.put(number, segment);
        return number;
    }

    private static short narrow(int priority) {
        check((short) priority == priority, "Expected a small priority, but got %s", priority);
        return (short) priority;
    }

    private static int at(int row) {
        return RowTable.at(row);
    }
}
