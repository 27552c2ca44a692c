package photon.verifier.books;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.storage.journal.JournalRow;
import photon.storage.ledger.EndedEntries;
import photon.storage.ledger.LedgerEntry;
import photon.storage.ledger.LedgerEntry.Kind;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.FilePosition;
import photon.verifier.source.MemoryLogs;
import photon.verifier.source.MemoryOutput;
import photon.verifier.source.OutputFiles;

/** What a datacenter left behind, in memory. */
final class FakeDatacenter implements DatacenterRecords {
    private final String name;
    final MemoryOutput output = new MemoryOutput("out");
    final List<JournalRow> rows = new ArrayList<>();
    final List<LedgerEntry> ledger = new ArrayList<>();
    final List<EndedEntries> ended = new ArrayList<>();
    @Nullable Checkpoint checkpoint;
    private long sequence;

    FakeDatacenter(String name) {
        this.name = name;
    }

    void joined(EventId id) {
        joined(id, 1);
    }

    void joined(EventId id, int joinedEvents) {
        sequence++;
        output.publish(
                id,
                new CommitToken(1 + name.length(), 1 + (int) sequence % 3, sequence),
                joinedEvents);
    }

    void waiting(EventId id) {
        row(new JournalRow.Key(id, null), 0);
    }

    /** It was joined without its primary event. */
    void watched(EventId id) {
        row(new JournalRow.Key(id, null), JournalRow.WATCHED_PRIORITY);
    }

    void lost(EventId id, CommitToken token) {
        row(new JournalRow.Key(id, token), 0);
    }

    private void row(JournalRow.Key key, int priority) {
        EventId id = key.id();
        rows.add(
                new JournalRow(
                        key,
                        MemoryLogs.event(id, "{}"),
                        0,
                        0,
                        0,
                        priority,
                        "no primary event yet",
                        false));
    }

    void wrote(Kind kind, @Nullable EventId id, String reason, String file, long offset) {
        ledger.add(new LedgerEntry(kind, id, id == null ? "" : "t", reason, file, offset, "", 0));
    }

    void wrote(Kind kind, EventId id) {
        wrote(kind, id, "because", "f", 0);
    }

    void readUpTo(FilePosition... positions) {
        checkpoint = new Checkpoint(1, List.of(positions));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public OutputFiles output() {
        return output;
    }

    @Override
    public void forEachRow(Consumer<JournalRow> consumer) {
        rows.forEach(consumer);
    }

    @Override
    public void forEachLedgerEntry(Consumer<LedgerEntry> consumer) {
        ledger.forEach(consumer);
    }

    @Override
    public List<EndedEntries> endedEntries() {
        return ended;
    }

    @Override
    public Optional<Checkpoint> checkpoint() {
        return Optional.ofNullable(checkpoint);
    }
}
