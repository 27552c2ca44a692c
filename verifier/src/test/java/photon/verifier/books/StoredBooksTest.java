package photon.verifier.books;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.document.VersionedDocument;
import photon.storage.files.MemoryFileStore;
import photon.storage.journal.JournalRow;
import photon.storage.journal.OpenJournal;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.storage.output.LostFiles;
import photon.storage.output.WorkDirectory;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.verifier.StoredDatacenter;
import photon.verifier.source.ForeignLogs;

/** The books of real files. */
final class StoredBooksTest {
    private final MemoryFileStore files = new MemoryFileStore(5);
    private final List<LogEvent> clicks = new ArrayList<>();

    private EventId id(int n) {
        return clicks.get(n - 1).id();
    }

    private DatacenterRecords.Stored records(StoredDatacenter datacenter, String name) {
        return new DatacenterRecords.Stored(
                name,
                files,
                datacenter.output,
                List.of(datacenter.state("dispatcher/journal")),
                List.of(
                        datacenter.state("dispatcher/ledger"),
                        datacenter.state("eventstore/ledger")),
                List.of(datacenter.state("dispatcher/checkpoint")));
    }

    private DatacenterRecords.Stored divided(StoredDatacenter datacenter) {
        List<String> partitions =
                List.of(
                        datacenter.state("dispatcher/partition-0"),
                        datacenter.state("dispatcher/partition-1"));
        return new DatacenterRecords.Stored(
                "east",
                files,
                datacenter.output,
                partitions.stream().map(path -> path + "/journal").toList(),
                partitions.stream().map(path -> path + "/ledger").toList(),
                partitions.stream().map(path -> path + "/checkpoint").toList());
    }

    private void readUpTo(StoredDatacenter datacenter, int click) throws IOException {
        readUpTo(datacenter.state("dispatcher/checkpoint"), click);
    }

    private void readUpTo(String directory, int click) throws IOException {
        files.createDirectories(directory);
        Checkpoint checkpoint = new Checkpoint(1, List.of(StoredDatacenter.behind(files, click)));
        new VersionedDocument(files, directory, "checkpoint")
                .write(0, CheckpointFiles.content(checkpoint));
    }

    @Test
    void allAreReadBack() throws IOException {
        StoredDatacenter east = new StoredDatacenter(files, "east");
        StoredDatacenter west = new StoredDatacenter(files, "west");
        StoredDatacenter.writeClicks(files, 10);
        clicks.addAll(StoredDatacenter.clicks(files));

        WorkDirectory eastern = east.output.createWorkDirectory(new Incarnation(1, 1));
        east.join(eastern, true, List.of(id(1), id(2)));
        WorkDirectory western = west.output.createWorkDirectory(new Incarnation(2, 1));
        west.join(western, true, List.of(id(3)));
        west.join(western, false, List.of(id(4))); // not published: not joined

        try (OpenJournal journal = OpenJournal.open(files, east.state("dispatcher/journal"), 1)) {
            journal.put(row(5));
            journal.commit();
        }
        try (Ledger ledger = Ledger.open(files, west.state("dispatcher/ledger"))) {
            ledger.append(entry(LedgerEntry.Kind.DEAD_LETTER, id(6), "refused"));
            ledger.append(entry(LedgerEntry.Kind.SKIPPED, id(7), "too old"));
            ledger.append(bad("/in/clicks.csv", 0));
        }
        try (Ledger ledger = Ledger.open(files, east.state("eventstore/ledger"))) {
            ledger.append(bad("/in/queries.csv", 30));
        }
        readUpTo(east, 2);
        readUpTo(west, 8);

        Bookkeeper keeper =
                Bookkeeper.read(
                        List.of(records(east, "east"), records(west, "west")),
                        ForeignLogs.of(files, StoredDatacenter.foreign(), StoredDatacenter.CLOCK),
                        () -> 0,
                        Long.MIN_VALUE);
        Books books = keeper.books();
        assertThat(books.foreignEvents()).isEqualTo(10);
        assertThat(books.joined()).isEqualTo(3);
        assertThat(books.waiting()).isEqualTo(1);
        assertThat(books.deadLettered()).isEqualTo(1);
        assertThat(books.skipped()).isEqualTo(Map.of("too old", 1L));
        assertThat(books.unread()).as("9 and 10").isEqualTo(2);
        assertThat(books.unaccounted()).as("4 and 8").isEqualTo(2);
        assertThat(books.badRecords()).as("one of each stream").isEqualTo(2);
        assertThat(books.duplicates()).isZero();
        assertThat(books.alarms()).isEmpty();
        assertThat(books.byDatacenter().get("east")).isEqualTo(new Books.Datacenter(2, 1));
        keeper.writeReport(files, "/state/report");
        assertThat(files.stat("/state/report/report.json")).isNotNull();
    }

    @Test
    void aDatacenterThatHasNotBegunHasNothing() throws IOException {
        StoredDatacenter east = new StoredDatacenter(files, "east");
        StoredDatacenter.writeClicks(files, 3);
        Books books =
                Bookkeeper.read(
                                List.of(records(east, "east")),
                                ForeignLogs.of(
                                        files, StoredDatacenter.foreign(), StoredDatacenter.CLOCK),
                                () -> 0,
                                Long.MIN_VALUE)
                        .books();
        assertThat(books.unread()).isEqualTo(3);
        assertThat(books.badRecords()).isEqualTo(1);
    }

    /** Clicks 1 to 4 are in the file of one partition, 5 to 8 in that of the other. */
    @Test
    void allPartitionsOfADispatchersStateCount() throws IOException {
        StoredDatacenter east = new StoredDatacenter(files, "east");
        StoredDatacenter.writeClicks(files, 4);
        files.put("/in/more.csv", "5,c5,q5\n6,c6,q6\n7,c7,q7\n8,c8,q8\n".getBytes(UTF_8));
        clicks.addAll(StoredDatacenter.clicks(files));
        for (int n = 1; n <= 2; n++) {
            String partition = east.state("dispatcher/partition-" + (n - 1));
            int first = 4 * n - 3;
            try (OpenJournal journal = OpenJournal.open(files, partition + "/journal", 1)) {
                journal.put(row(first));
                journal.commit();
            }
            try (Ledger ledger = Ledger.open(files, partition + "/ledger")) {
                ledger.append(entry(LedgerEntry.Kind.DEAD_LETTER, id(first + 1), "refused"));
            }
        }
        assertThat(clicks).extracting(click -> click.id().micros()).isSorted();

        readUpTo(east.state("dispatcher/partition-1/checkpoint"), 7);
        Books books = booksOf(divided(east));
        assertThat(books.waiting()).as("1 and 5").isEqualTo(2);
        assertThat(books.byDatacenter().get("east")).isEqualTo(new Books.Datacenter(0, 2));
        assertThat(books.deadLettered()).as("2 and 6").isEqualTo(2);
        assertThat(books.unaccounted()).as("7").isEqualTo(1);
        assertThat(books.unread()).as("8, and 3 and 4 of which nobody says they were").isEqualTo(3);

        readUpTo(east.state("dispatcher/partition-0/checkpoint"), 3);
        books = booksOf(divided(east));
        assertThat(books.unaccounted()).as("3 and 7").isEqualTo(2);
        assertThat(books.unread()).as("4 and 8").isEqualTo(2);
    }

    /** Only it could have joined what a token of its own holds; the rest others read, too. */
    @Test
    void ofARetiredDatacenterTheOutputAndWhatItGaveUpCount() throws IOException {
        StoredDatacenter east = new StoredDatacenter(files, "east");
        StoredDatacenter west = new StoredDatacenter(files, "west");
        StoredDatacenter.writeClicks(files, 6);
        clicks.addAll(StoredDatacenter.clicks(files));
        east.join(east.output.createWorkDirectory(new Incarnation(1, 1)), true, List.of(id(1)));
        west.join(west.output.createWorkDirectory(new Incarnation(2, 1)), true, List.of(id(2)));
        try (OpenJournal journal = OpenJournal.open(files, west.state("dispatcher/journal"), 1)) {
            journal.put(row(3, null));
            journal.put(row(4, new CommitToken(2, 1, 9)));
            journal.commit();
        }
        try (Ledger ledger = Ledger.open(files, west.state("dispatcher/ledger"))) {
            ledger.append(entry(LedgerEntry.Kind.DEAD_LETTER, id(5), "refused"));
        }
        readUpTo(east, 5);
        readUpTo(west, 6);
        Books books =
                Bookkeeper.read(
                                List.of(
                                        new RetiredDatacenterRecords(records(west, "west")),
                                        records(east, "east")),
                                ForeignLogs.of(
                                        files, StoredDatacenter.foreign(), StoredDatacenter.CLOCK),
                                () -> 0,
                                Long.MIN_VALUE)
                        .books();
        assertThat(books.joined()).isEqualTo(2);
        assertThat(books.byDatacenter().get("west")).isEqualTo(new Books.Datacenter(1, 0));
        assertThat(books.outcomeLost()).as("4").isEqualTo(1);
        assertThat(books.deadLettered()).as("5").isEqualTo(1);
        assertThat(books.unaccounted()).as("3, which the east has read past").isEqualTo(1);
        assertThat(books.unread()).as("6, whatever the west had read").isEqualTo(1);
        assertThat(books.waiting()).isZero();
    }

    @Test
    void aLineThatWasDeletedOrAddedByHandIsAnAlarm() throws IOException {
        StoredDatacenter east = new StoredDatacenter(files, "east");
        StoredDatacenter.writeClicks(files, 3);
        clicks.addAll(StoredDatacenter.clicks(files));
        WorkDirectory work = east.output.createWorkDirectory(new Incarnation(1, 1));
        east.join(work, true, List.of(id(1), id(2)));
        readUpTo(east, 3);
        String published = files.glob("/out/east/dt=*/hour=*/*.jsonl").get(0).path();
        files.truncate(published, 9);
        files.put("/out/east/made-up.jsonl", new byte[] {'{', '}', '\n'});
        Books books =
                Bookkeeper.read(
                                List.of(records(east, "east")),
                                ForeignLogs.of(
                                        files, StoredDatacenter.foreign(), StoredDatacenter.CLOCK),
                                () -> 0,
                                Long.MIN_VALUE)
                        .books();
        assertThat(books.alarms()).hasSize(2);
        assertThat(books.alarms().get(0)).contains(published);
        assertThat(books.alarms().get(1)).contains("made-up.jsonl");
        assertThat(books.joined()).isZero();
        assertThat(books.balanced()).isFalse();
    }

    @Test
    void whatALostFileHeldIsJoinedByTheFileThatCameInItsPlace() throws IOException {
        StoredDatacenter east = new StoredDatacenter(files, "east");
        StoredDatacenter.writeClicks(files, 2);
        clicks.addAll(StoredDatacenter.clicks(files));
        Incarnation dead = new Incarnation(1, 1);
        east.join(east.output.createWorkDirectory(dead), true, List.of(id(1), id(2)));
        east.output.seal(dead);
        readUpTo(east, 2);
        String lost = files.glob("/out/east/dt=*/hour=*/*.jsonl").get(0).path();
        files.delete(lost);
        assertThat(booksOf(east).alarms()).singleElement().asString().contains("it is missing");

        LostFiles.Named named = LostFiles.named(lost).orElseThrow();
        east.output
                .lostFiles()
                .declare(
                        new LostFiles.Declaration(
                                named,
                                List.of(lost.substring("/out/east/".length())),
                                2,
                                "burned",
                                "ann",
                                5,
                                0));
        assertThat(booksOf(east).alarms()).isEmpty();
        assertThat(booksOf(east).unaccounted()).as("until they are joined again").isEqualTo(2);
        east.join(
                east.output.createWorkDirectory(new Incarnation(1, 2)),
                true,
                List.of(id(1), id(2)));
        assertThat(booksOf(east).balanced()).isTrue();
        assertThat(booksOf(east).joined()).isEqualTo(2);

        files.put(lost, new byte[] {'{', '}', '\n'});
        Books books = booksOf(east);
        assertThat(books.duplicates()).as("it does not count").isZero();
        assertThat(books.alarms())
                .singleElement()
                .asString()
                .contains("1-1-000001.jsonl was declared lost, but is there");
    }

    private Books booksOf(StoredDatacenter east) throws IOException {
        return booksOf(records(east, "east"));
    }

    private Books booksOf(DatacenterRecords.Stored records) throws IOException {
        return Bookkeeper.read(
                        List.of(records),
                        ForeignLogs.of(files, StoredDatacenter.foreign(), StoredDatacenter.CLOCK),
                        () -> 0,
                        Long.MIN_VALUE)
                .books();
    }

    private JournalRow row(int n) {
        return row(n, null);
    }

    private JournalRow row(int n, @Nullable CommitToken lost) {
        LogEvent event = clicks.get(n - 1);
        return new JournalRow(
                new JournalRow.Key(event.id(), lost), event, 0, 0, 0, 0, "waits", false);
    }

    private static LedgerEntry entry(LedgerEntry.Kind kind, EventId id, String reason) {
        return new LedgerEntry(kind, id, "text", reason, "/in/clicks.csv", 7, "", 0);
    }

    private static LedgerEntry bad(String file, long offset) {
        return new LedgerEntry(
                LedgerEntry.Kind.BAD_RECORD, null, "", "no time", file, offset, "", 0);
    }
}
