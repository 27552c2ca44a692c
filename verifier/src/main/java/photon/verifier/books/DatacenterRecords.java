package photon.verifier.books;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import photon.storage.files.FileStore;
import photon.storage.journal.JournalRow;
import photon.storage.journal.RetryJournal;
import photon.storage.ledger.EndedEntries;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.storage.output.OutputDirectory;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.verifier.source.OutputFiles;

/** What one datacenter has left in files. None of its daemons may be at work. */
public interface DatacenterRecords {
    String name();

    OutputFiles output();

    void forEachRow(Consumer<JournalRow> rows) throws IOException;

    /** Of all its ledgers, in the same order each time. */
    void forEachLedgerEntry(Consumer<LedgerEntry> entries) throws IOException;

    /** What retention has taken from each of its ledgers. */
    List<EndedEntries> endedEntries() throws IOException;

    /**
     * How far its dispatcher came; empty: it has not written that yet. A partition that has not
     * written it has read nothing.
     */
    Optional<Checkpoint> checkpoint() throws IOException;

    /**
     * A datacenter's own files.
     *
     * @param journalDirectories the dispatcher's retry journals, one of each partition of its
     *     state; those that do not exist are empty
     * @param ledgerDirectories of all its daemons; those that do not exist are empty
     * @param checkpointDirectories where each partition's versioned document {@code checkpoint} is
     */
    record Stored(
            String name,
            FileStore files,
            OutputDirectory directory,
            List<String> journalDirectories,
            List<String> ledgerDirectories,
            List<String> checkpointDirectories)
            implements DatacenterRecords {
        public Stored {
            journalDirectories = List.copyOf(journalDirectories);
            ledgerDirectories = List.copyOf(ledgerDirectories);
            checkpointDirectories = List.copyOf(checkpointDirectories);
        }

        @Override
        public OutputFiles output() {
            return OutputFiles.of(directory);
        }

        @Override
        public void forEachRow(Consumer<JournalRow> rows) throws IOException {
            for (String journal : journalDirectories) {
                if (files.stat(journal) != null) {
                    RetryJournal.forEachRow(files, journal, rows);
                }
            }
        }

        @Override
        public void forEachLedgerEntry(Consumer<LedgerEntry> entries) throws IOException {
            for (String ledger : ledgerDirectories) {
                Ledger.forEach(files, ledger, entries);
            }
        }

        @Override
        public List<EndedEntries> endedEntries() throws IOException {
            List<EndedEntries> ended = new ArrayList<>();
            for (String ledger : ledgerDirectories) {
                ended.add(Ledger.ended(files, ledger));
            }
            return ended;
        }

        @Override
        public Optional<Checkpoint> checkpoint() throws IOException {
            List<Checkpoint> written = new ArrayList<>();
            for (String directory : checkpointDirectories) {
                CheckpointFiles.read(files, directory).ifPresent(written::add);
            }
            return written.stream().reduce(Checkpoint::plus);
        }
    }
}
