package photon.verifier.books;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import photon.storage.journal.JournalRow;
import photon.storage.ledger.EndedEntries;
import photon.storage.ledger.LedgerEntry;
import photon.storage.tail.Checkpoint;
import photon.verifier.source.OutputFiles;

/**
 * What a datacenter has left in files that takes part no more: what it has published counts, and
 * what it gave up. Nothing waits in it, and what it had read says nothing about those that go on.
 *
 * @param stored its files
 */
public record RetiredDatacenterRecords(DatacenterRecords.Stored stored)
        implements DatacenterRecords {
    @Override
    public String name() {
        return stored.name();
    }

    @Override
    public OutputFiles output() {
        return stored.output();
    }

    @Override
    public void forEachRow(Consumer<JournalRow> rows) {}

    /** With the repair rows that its journal kept: nobody else could have joined those. */
    @Override
    public void forEachLedgerEntry(Consumer<LedgerEntry> entries) throws IOException {
        stored.forEachLedgerEntry(entries);
        stored.forEachRow(
                row -> {
                    if (row.key().lostToken() != null) {
                        entries.accept(lost(row));
                    }
                });
    }

    @Override
    public List<EndedEntries> endedEntries() throws IOException {
        return stored.endedEntries();
    }

    private static LedgerEntry lost(JournalRow row) {
        return new LedgerEntry(
                LedgerEntry.Kind.OUTCOME_LOST,
                row.key().id(),
                "",
                "its datacenter was retired before it was joined anew",
                "",
                -1,
                "{\"token\":\"%s\"}".formatted(row.key().lostToken()),
                row.insertedMillis());
    }

    @Override
    public Optional<Checkpoint> checkpoint() {
        return Optional.empty();
    }
}
