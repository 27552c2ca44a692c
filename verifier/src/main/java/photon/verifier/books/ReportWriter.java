package photon.verifier.books;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.storage.files.FileStore;
import photon.storage.journal.JournalRow;
import photon.storage.ledger.LedgerEntry;

/**
 * Writes the report directory: {@code report.json}, and one JSON object a line for each identity
 * that counts as waiting, dead-lettered, skipped or lost, with the first reason that is on record;
 * bad records are among the dead letters, without an identity. Not thread-safe.
 */
public final class ReportWriter {
    /** Name of the list of waiting events. */
    public static final String WAITING = "waiting.jsonl";

    /** Name of the list of dead letters and bad records. */
    public static final String DEAD_LETTERS = "dead-letters.jsonl";

    /** Name of the list of skipped events. */
    public static final String SKIPPED = "skipped.jsonl";

    static final String OUTCOME_LOST = "outcome-lost.jsonl";
    static final String REPORT = "report.json";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final FileStore files;
    private final String directory;
    private final Accounts accounts;
    private final BadRecords badRecords;

    ReportWriter(FileStore files, String directory, Accounts accounts, BadRecords badRecords) {
        this.files = files;
        this.directory = directory;
        this.accounts = accounts;
        this.badRecords = badRecords;
    }

    void write(List<DatacenterRecords> datacenters, Books books) throws IOException {
        files.createDirectories(directory);
        try (JsonLines waiting = open(WAITING);
                JsonLines deadLetters = open(DEAD_LETTERS);
                JsonLines skipped = open(SKIPPED);
                JsonLines outcomeLost = open(OUTCOME_LOST)) {
            for (DatacenterRecords datacenter : datacenters) {
                String name = datacenter.name();
                datacenter.forEachRow(row -> writeRow(row, name, waiting));
                datacenter.forEachLedgerEntry(
                        entry -> writeEntry(entry, name, deadLetters, skipped, outcomeLost));
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        try (JsonLines report = open(REPORT)) {
            report.write(toJson(books));
        }
        files.syncDirectory(directory);
    }

    /** The books as the command line and {@code report.json} show them. */
    public static ObjectNode toJson(Books books) {
        ObjectNode json = JSON.createObjectNode();
        json.put("foreignEvents", books.foreignEvents());
        json.put("joined", books.joined());
        json.put("upgraded", books.upgraded());
        json.put("duplicates", books.duplicates());
        json.put("waiting", books.waiting());
        ObjectNode waiting = json.putObject("waitingByReason");
        books.waitingByReason().forEach(waiting::put);
        json.put("deadLettered", books.deadLettered());
        ObjectNode skipped = json.putObject("skipped");
        books.skipped().forEach(skipped::put);
        json.put("outcomeLost", books.outcomeLost());
        json.put("unread", books.unread());
        json.put("unaccounted", books.unaccounted());
        json.put("badRecords", books.badRecords());
        ArrayNode first = json.putArray("firstBadRecords");
        books.bad()
                .first()
                .forEach(
                        bad ->
                                first.addObject()
                                        .put("file", bad.file())
                                        .put("offset", bad.offset())
                                        .put("reason", bad.reason()));
        json.put("conflictingRepeats", books.conflictingRepeats());
        json.put("invented", books.invented());
        ObjectNode byDatacenter = json.putObject("byDatacenter");
        for (Map.Entry<String, Books.Datacenter> entry : books.byDatacenter().entrySet()) {
            byDatacenter
                    .putObject(entry.getKey())
                    .put("joined", entry.getValue().joined())
                    .put("waiting", entry.getValue().waiting());
        }
        putAll(json.putArray("alarms"), books.alarms());
        putAll(json.putArray("unterminated"), books.unterminated());
        ObjectNode samples = json.putObject("samples");
        putAll(samples.putArray("duplicates"), books.samples().duplicates());
        putAll(samples.putArray("invented"), books.samples().invented());
        putAll(samples.putArray("unaccounted"), books.samples().unaccounted());
        putAll(samples.putArray("outcomeLost"), books.samples().outcomeLost());
        return json;
    }

    private static void putAll(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }

    private void writeRow(JournalRow row, String datacenter, JsonLines waiting) {
        if (row.isOfEvent() && accounts.export(row.key().id(), Account.WAITING)) {
            waiting.write(line(row.event().idText(), row.key().id(), row.reason(), datacenter));
        }
    }

    private void writeEntry(
            LedgerEntry entry,
            String datacenter,
            JsonLines deadLetters,
            JsonLines skipped,
            JsonLines outcomeLost) {
        EventId id = entry.id();
        if (id == null || entry.kind() == LedgerEntry.Kind.BAD_RECORD) {
            if (badRecords.export(entry.file(), entry.offset())) {
                deadLetters.write(withPlace(line(entry, datacenter), entry));
            }
            return;
        }
        switch (entry.kind()) {
            case DEAD_LETTER -> {
                if (accounts.export(id, Account.DEAD_LETTERED)) {
                    deadLetters.write(withPlace(line(entry, datacenter), entry));
                }
            }
            case SKIPPED -> {
                if (accounts.export(id, Account.SKIPPED)) {
                    skipped.write(line(entry, datacenter));
                }
            }
            case OUTCOME_LOST -> {
                if (accounts.export(id, Account.OUTCOME_LOST)) {
                    outcomeLost.write(line(entry, datacenter));
                }
            }
            case BAD_RECORD -> throw new IllegalStateException("Handled above");
        }
    }

    private static ObjectNode line(LedgerEntry entry, String datacenter) {
        return line(entry.idText(), entry.id(), entry.reason(), datacenter);
    }

    private static ObjectNode line(
            String idText, @Nullable EventId id, String reason, String datacenter) {
        ObjectNode line = JSON.createObjectNode();
        line.put("id", idText);
        line.put("identity", id == null ? null : HexFormat.of().formatHex(id.toBytes()));
        return line.put("reason", reason).put("datacenter", datacenter);
    }

    private static ObjectNode withPlace(ObjectNode line, LedgerEntry entry) {
        return line.put("kind", entry.kind().name().toLowerCase(Locale.ROOT))
                .put("file", entry.file())
                .put("offset", entry.offset());
    }

    private JsonLines open(String name) throws IOException {
        String path = directory + "/" + name;
        files.delete(path);
        return new JsonLines(files.create(path));
    }

    /** An open file of JSON objects, a line each; whole and durable when closed without error. */
    private static final class JsonLines implements AutoCloseable {
        private final FileStore.AppendFile file;

        JsonLines(FileStore.AppendFile file) {
            this.file = file;
        }

        void write(ObjectNode object) {
            try {
                byte[] text = JSON.writeValueAsBytes(object);
                file.write(text, 0, text.length);
                file.write(LINE_FEED, 0, 1);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            file.sync();
            file.close();
        }
    }

    private static final byte[] LINE_FEED = {'\n'};
}
