package photon.storage.journal;

import org.jspecify.annotations.Nullable;
import photon.core.event.LogEvent;

/** What memory keeps of a row: all but the event, which stays on disk until the row is due. */
final class IndexRow {
    final JournalRow.Key key;

    /** Orders rows that are due at the same time, by when they came to this index. */
    final long number;

    long version;
    long insertedMillis;
    long dueMillis;
    int attempts;
    int priority;
    boolean attemptOpen;
    String reason = "";

    /** Where the put stands that holds the event. */
    SegmentState segment;

    int offset;
    int length;

    boolean processing;
    @Nullable Sweep sweep;

    /** It was processing when the sweep began: that try does not count. */
    boolean sweepAgain;

    IndexRow(JournalRow.Key key, long number, SegmentState segment) {
        this.key = key;
        this.number = number;
        this.segment = segment;
    }

    void take(JournalEntry.Update update) {
        version = update.version();
        insertedMillis = update.insertedMillis();
        dueMillis = update.dueMillis();
        attempts = update.attempts();
        priority = update.priority();
        attemptOpen = update.attemptOpen();
        reason = update.reason();
    }

    JournalRow asRow(LogEvent event) {
        return new JournalRow(
                key, event, insertedMillis, dueMillis, attempts, priority, reason, attemptOpen);
    }
}
