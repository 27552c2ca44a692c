package photon.dispatcher.flow;

import java.util.ArrayList;
import java.util.List;
import photon.storage.journal.JournalRow;
import photon.storage.journal.OpenJournal;
import photon.storage.ledger.LedgerEntry;

/**
 * Changes of journal and ledger that become durable together, and what may go on then. Filled in
 * the main loop, then handed to the journal's.
 */
final class Settlement {
    final List<LedgerEntry> entries = new ArrayList<>();
    final List<JournalRow> puts = new ArrayList<>();
    final List<OpenJournal.Taken> finished = new ArrayList<>();
    final List<Again> again = new ArrayList<>();

    /** Rows that come after the rows have ended that they follow. */
    final List<JournalRow> follow = new ArrayList<>();

    /** Run in the main loop once all of the above is durable. */
    final List<Runnable> whenDurable = new ArrayList<>();

    /** A row that waits again. */
    record Again(
            OpenJournal.Taken taken,
            long dueMillis,
            int attempts,
            String reason,
            boolean attemptOpen) {}

    /** Whether somebody outside waits to hear that a row is durable. */
    boolean hasRepairs() {
        return puts.stream().anyMatch(row -> row.key().lostToken() != null);
    }

    boolean isEmpty() {
        return whenDurable.isEmpty();
    }
}
