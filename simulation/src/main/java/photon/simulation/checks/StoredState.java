package photon.simulation.checks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import photon.core.config.OutputConfig;
import photon.core.crash.CrashPoints;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock;
import photon.dispatcher.state.StateDirectory;
import photon.storage.files.MemoryFileStore;
import photon.storage.journal.JournalRow;
import photon.storage.journal.RetryJournal;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;
import photon.storage.output.format.OutputFormats;
import photon.storage.state.StateHome;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.FilePosition;
import photon.verifier.books.DatacenterRecords;
import photon.verifier.repair.RepairRecords;

/**
 * What a datacenter's files say of its events, read once by the production readers; of a
 * dispatcher's state that is divided, all partitions.
 */
final class StoredState {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final DatacenterFiles datacenter;
    private final MemoryFileStore files;

    /** Ordinary rows, with their reason. */
    final TreeMap<EventId, String> rows = new TreeMap<>();

    /** Rows with a lost token. */
    final TreeSet<EventId> repairRows = new TreeSet<>();

    /** Of these events, rows with a lost token of their upgrade. */
    final TreeSet<EventId> upgradeRows = new TreeSet<>();

    /** By incarnation, what its repair has found lost. */
    private final TreeMap<Incarnation, Set<EventId>> foundLost = new TreeMap<>();

    /** Of all ledgers, by kind; bad records have no id. */
    private final Map<LedgerEntry.Kind, TreeSet<EventId>> ledger =
            new EnumMap<>(LedgerEntry.Kind.class);

    /** Places of bad records in the dispatcher's ledger. */
    private final TreeSet<String> badPlaces = new TreeSet<>();

    /** By directory, what the ledgers hold. */
    private final TreeMap<String, List<LedgerEntry>> ledgers = new TreeMap<>();

    /** What its ledgers held and hold no more. */
    final List<Ended> ended = new ArrayList<>();

    final List<FilePosition> checkpoint;

    /**
     * @param files a copy of the datacenter's
     * @throws IOException if something cannot be read: no crash may leave that behind
     */
    StoredState(DatacenterFiles datacenter, MemoryFileStore files) throws IOException {
        this.datacenter = datacenter;
        this.files = files;
        List<FilePosition> positions = new ArrayList<>();
        for (StateDirectory partition : partitions()) {
            RetryJournal.forEachRow(files, partition.journal(), this::add);
            readLedger(partition.ledger(), this::addDispatchers);
            CheckpointFiles.read(files, partition.checkpoint())
                    .map(Checkpoint::positions)
                    .ifPresent(positions::addAll);
        }
        for (String directory : datacenter.otherLedgers()) {
            readLedger(directory, this::add);
        }
        this.checkpoint = List.copyOf(positions);
        RepairRecords records = new RepairRecords(files, datacenter.verifierState());
        for (Incarnation incarnation : records.incarnations()) {
            foundLost.put(incarnation, records.read(incarnation).keySet());
        }
    }

    /** An entry that the ledger in this directory held and holds no more. */
    record Ended(String directory, LedgerEntry entry) {}

    /** What has ended counts as if it stood: it may have ended only when nobody needs it. */
    private void readLedger(String directory, Consumer<LedgerEntry> entries) throws IOException {
        List<LedgerEntry> standing = new ArrayList<>();
        Ledger.forEach(files, directory, standing::add);
        List<LedgerEntry> gone = datacenter.seenLedgers().ended(directory, standing);
        standing.forEach(entries);
        gone.forEach(entries);
        ledgers.put(directory, standing);
        gone.forEach(entry -> ended.add(new Ended(directory, entry)));
    }

    /** Takes down what its ledgers hold: this state is what is durable. */
    void noteLedgers() {
        ledgers.forEach(datacenter.seenLedgers()::see);
    }

    private List<StateDirectory> partitions() throws IOException {
        return StateDirectory.ofPartitions(
                files, new StateHome(files, datacenter.dispatcherState()).path());
    }

    private void add(JournalRow row) {
        if (row.isWatched()) {
            return; // Its event must stand elsewhere.
        }
        if (row.key().lostToken() == null) {
            rows.put(row.key().id(), row.reason());
        } else if (row.key().lostToken().isUpgrade()) {
            upgradeRows.add(row.key().id());
        } else {
            repairRows.add(row.key().id());
        }
    }

    private void addDispatchers(LedgerEntry entry) {
        // One without content says that a file could not be read for a while.
        if (entry.kind() == LedgerEntry.Kind.BAD_RECORD && !entry.content().isEmpty()) {
            badPlaces.add(PassedEvents.place(entry.file(), entry.offset()));
        }
        add(entry);
    }

    private void add(LedgerEntry entry) {
        EventId id = entry.id();
        if (id != null) {
            ledger.computeIfAbsent(entry.kind(), kind -> new TreeSet<>()).add(id);
        }
    }

    DatacenterFiles datacenter() {
        return datacenter;
    }

    MemoryFileStore files() {
        return files;
    }

    boolean waits(EventId id) {
        return rows.containsKey(id) || repairRows.contains(id);
    }

    /** A repair of one of these incarnations has found the event lost. */
    boolean isFoundLost(EventId id, Predicate<Incarnation> which) {
        return foundLost.entrySet().stream()
                .anyMatch(of -> of.getValue().contains(id) && which.test(of.getKey()));
    }

    boolean inLedger(LedgerEntry.Kind kind, EventId id) {
        TreeSet<EventId> ids = ledger.get(kind);
        return ids != null && ids.contains(id);
    }

    /** Where the records without an identity stand that its dispatcher has written down. */
    SortedSet<String> badPlaces() {
        return badPlaces;
    }

    /** A ledger has it as a dead letter, in an entry that has not ended. */
    boolean isStandingDeadLetter(EventId id) {
        return ledgers.values().stream()
                .flatMap(List::stream)
                .anyMatch(
                        entry ->
                                entry.kind() == LedgerEntry.Kind.DEAD_LETTER
                                        && id.equals(entry.id()));
    }

    /** Empty: it has no output directory yet. */
    Optional<OutputDirectory> output() throws IOException {
        String identityPath = datacenter.outputDirectory() + "/_photon.json";
        if (files.stat(identityPath) == null) {
            return Optional.empty();
        }
        JsonNode identity = JSON.readTree(new String(files.content(identityPath), UTF_8));
        return Optional.of(
                OutputDirectory.open(
                        files,
                        datacenter.outputDirectory(),
                        new OutputIdentity(
                                identity.path("pipelineUuid").asText(),
                                identity.path("identityFingerprint").asText(),
                                identity.path("datacenter").asText(),
                                identity.path("outputId").asText()),
                        OutputFormats.of(OutputConfig.DEFAULTS),
                        CrashPoints.none(),
                        () -> new IntervalClock.Interval(0, 0))); // publishes nothing
    }

    /** For the books; null: it has no output directory yet. */
    DatacenterRecords.@Nullable Stored records() throws IOException {
        OutputDirectory output = output().orElse(null);
        if (output == null) {
            return null;
        }
        List<StateDirectory> partitions = partitions();
        List<String> ledgers =
                new ArrayList<>(partitions.stream().map(StateDirectory::ledger).toList());
        ledgers.addAll(datacenter.otherLedgers());
        return new DatacenterRecords.Stored(
                datacenter.name(),
                files,
                output,
                partitions.stream().map(StateDirectory::journal).toList(),
                ledgers,
                partitions.stream().map(StateDirectory::checkpoint).toList());
    }

    /** Where the identity stands here, for people. */
    String describe(EventId id) {
        List<String> places = new ArrayList<>();
        if (rows.containsKey(id)) {
            places.add("row (" + rows.get(id) + ")");
        }
        if (repairRows.contains(id)) {
            places.add("repair row");
        }
        ledger.forEach(
                (kind, ids) -> {
                    if (ids.contains(id)) {
                        places.add("ledger " + kind);
                    }
                });
        return datacenter.name() + ": " + (places.isEmpty() ? "-" : String.join(", ", places));
    }
}
