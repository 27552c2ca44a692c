package photon.simulation.checks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import photon.core.config.OutputConfig;
import photon.core.config.StreamConfig;
import photon.core.crash.CrashPoints;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock;
import photon.dispatcher.state.StateDirectory;
import photon.simulation.checks.InputRecord.Stream;
import photon.storage.document.VersionedDocument;
import photon.storage.files.MemoryFileStore;
import photon.storage.journal.JournalRow;
import photon.storage.journal.OpenJournal;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;
import photon.storage.output.WorkDirectory;
import photon.storage.output.WorkRecord;
import photon.storage.output.WorkRecord.JoinedEvent;
import photon.storage.output.format.OutputFormats;
import photon.storage.state.StateHome;
import photon.storage.state.StatePartitions;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LogPartition;
import photon.storage.tail.LogTail;
import photon.storage.tail.TailBatch;

/**
 * A world in which all went well: the files that the real parts would have left, and the registry's
 * state. Tests break one thing in it.
 */
final class FinishedWorld implements RegistryTruth {
    private static final UUID STATE = new UUID(7, 7);

    /** So many that each partition has some. */
    private static final int LOGS_PER_PARTITION = 4;

    static final long START_MICROS = 1_700_000_000_000_000L;

    final GroundTruth truth;
    final List<DatacenterFiles> datacenters = new ArrayList<>();
    final TreeMap<EventId, CommitToken> holders = new TreeMap<>();
    final TreeSet<Incarnation> settled = new TreeSet<>();
    final TreeSet<Incarnation> repaired = new TreeSet<>();
    final TreeSet<Incarnation> dead = new TreeSet<>();
    final Checkers checkers;

    /** Of each dispatcher's state. */
    private final int partitions;

    private final @Nullable ForeignIdentity passed;
    private final Predicate<ForeignIdentity> waiting;
    private final Map<String, WorkDirectory> work = new TreeMap<>();
    private final Map<String, Long> sequences = new TreeMap<>();

    FinishedWorld() throws IOException {
        this(1, false, Optional.empty(), identity -> false);
    }

    /** The dispatchers' states are divided, and each datacenter has several logs. */
    static FinishedWorld divided(int partitions) throws IOException {
        return new FinishedWorld(partitions, false, Optional.empty(), identity -> false);
    }

    /** These wait forever, in whichever datacenter they are read. */
    static FinishedWorld notJoining(Predicate<ForeignIdentity> waiting) throws IOException {
        return new FinishedWorld(1, false, Optional.empty(), waiting);
    }

    /** Events give several joined events, or are skipped or rejected. */
    static FinishedWorld withSeveralOutputs() throws IOException {
        return new FinishedWorld(1, false, Optional.of(new SplittableRandom(7)), identity -> false);
    }

    /** The first event that can be joined still waits, and the boundary has passed it. */
    static FinishedWorld withAnEventThatTheBoundaryHasPassed() throws IOException {
        return new FinishedWorld(1, true, Optional.empty(), identity -> false);
    }

    private FinishedWorld(
            int partitions,
            boolean boundaryMoves,
            Optional<RandomGenerator> emissions,
            Predicate<ForeignIdentity> waiting)
            throws IOException {
        this.partitions = partitions;
        truth =
                GroundTruth.make(
                        new SplittableRandom(7),
                        emissions,
                        List.of("east", "west"),
                        START_MICROS,
                        boundaryMoves ? GroundTruth.SHORT_RETENTION : GroundTruth.LONG_RETENTION,
                        Optional.empty());
        passed = boundaryMoves ? first(Fate.JOINABLE) : null;
        this.waiting = identity -> identity.equals(passed) || waiting.test(identity);
        for (String name : List.of("east", "west")) {
            datacenters.add(
                    new DatacenterFiles(
                            name,
                            new MemoryFileStore(1),
                            "/" + name + "/output",
                            "/" + name + "/dispatcher",
                            "/" + name + "/verifier",
                            List.of("/" + name + "/verifier/ledger"),
                            Streams.foreign(List.of("/" + name + "/logs/foreign*.jsonl"))));
        }
        checkers = new Checkers(truth, datacenters, this, Optional.empty());
        for (DatacenterFiles datacenter : datacenters) {
            writeLogs(datacenter);
            work.put(datacenter.name(), workDirectory(datacenter));
        }
        join();
        for (DatacenterFiles datacenter : datacenters) {
            writeState(datacenter);
        }
    }

    DatacenterFiles east() {
        return datacenters.get(0);
    }

    DatacenterFiles west() {
        return datacenters.get(1);
    }

    ForeignIdentity first(Fate fate) {
        return truth.identities().stream().filter(i -> i.fate() == fate).findFirst().orElseThrow();
    }

    private void writeLogs(DatacenterFiles datacenter) throws IOException {
        List<ByteArrayOutputStream> logs = new ArrayList<>();
        for (int log = 0; log < (partitions == 1 ? 1 : LOGS_PER_PARTITION * partitions); log++) {
            logs.add(new ByteArrayOutputStream());
        }
        int next = 0;
        for (InputRecord record : truth.inputs()) {
            if (record.datacenter().equals(datacenter.name())
                    && record.stream() == Stream.FOREIGN) {
                ByteArrayOutputStream foreign = logs.get(next++ % logs.size());
                foreign.writeBytes(record.line());
                foreign.write('\n');
            }
        }
        for (int log = 0; log < logs.size(); log++) {
            String path = "/%s/logs/foreign-%d.jsonl".formatted(datacenter.name(), log + 1);
            datacenter.files().put(path, logs.get(log).toByteArray());
        }
    }

    private WorkDirectory workDirectory(DatacenterFiles datacenter) throws IOException {
        return OutputDirectory.open(
                        datacenter.files(),
                        datacenter.outputDirectory(),
                        new OutputIdentity(
                                "pipeline",
                                "fingerprint",
                                datacenter.name(),
                                "id-" + datacenter.name()),
                        OutputFormats.of(OutputConfig.DEFAULTS),
                        CrashPoints.none(),
                        () -> new IntervalClock.Interval(0, 0))
                .createWorkDirectory(incarnation(datacenter));
    }

    Incarnation incarnation(DatacenterFiles datacenter) {
        return new Incarnation(datacenters.indexOf(datacenter) + 1, 1);
    }

    private void join() throws IOException {
        Map<String, List<WorkRecord>> records = new TreeMap<>();
        for (ForeignIdentity identity : truth.identities()) {
            if (identity.fate() == Fate.JOINABLE && !waiting.test(identity)) {
                List<String> readers = identity.datacenters();
                int reader =
                        (int) Long.remainderUnsigned(identity.id().stableHash(), readers.size());
                DatacenterFiles datacenter = readers.get(reader).equals("east") ? east() : west();
                records.computeIfAbsent(datacenter.name(), name -> new ArrayList<>())
                        .add(record(datacenter, identity, emitted(identity)));
            }
        }
        for (DatacenterFiles datacenter : datacenters) {
            publish(datacenter, records.getOrDefault(datacenter.name(), List.of()));
        }
    }

    /** All that it gives with its first contents. */
    static List<JoinedEvent> emitted(ForeignIdentity identity) {
        String pair = identity.joined().get(0);
        return identity.emitted().stream()
                .filter(one -> one.pair().equals(pair))
                .map(one -> joinedEvent(one.output(), one.line()))
                .toList();
    }

    static JoinedEvent joinedEvent(String output, String line) {
        return new JoinedEvent(output, ByteString.copyFromUtf8(line));
    }

    /** Of a new token, which then holds the id. */
    WorkRecord record(DatacenterFiles datacenter, EventId id, String line) {
        return record(datacenter, id, List.of(joinedEvent("", line)));
    }

    WorkRecord record(DatacenterFiles datacenter, ForeignIdentity of, List<JoinedEvent> joined) {
        return record(datacenter, of.id(), joined);
    }

    private WorkRecord record(DatacenterFiles datacenter, EventId id, List<JoinedEvent> joined) {
        long sequence = sequences.merge(datacenter.name(), 1L, Long::sum);
        CommitToken token = CommitToken.of(incarnation(datacenter), sequence);
        holders.put(id, token);
        return new WorkRecord(id, token, "hash", joined);
    }

    /** A work log that goes on. */
    WorkDirectory.WorkLog openLog(DatacenterFiles datacenter) throws IOException {
        return Objects.requireNonNull(work.get(datacenter.name())).createLog();
    }

    /**
     * @return the published file
     */
    String publish(DatacenterFiles datacenter, List<WorkRecord> records) throws IOException {
        WorkDirectory directory = Objects.requireNonNull(work.get(datacenter.name()));
        WorkDirectory.WorkLog log = directory.createLog();
        for (WorkRecord record : records) {
            log.append(record);
        }
        log.finish();
        return datacenter.outputDirectory()
                + "/"
                + directory.publish(log).published().get(0).path();
    }

    @Override
    public List<String> rowsInOtherStates() {
        return List.of();
    }

    @Override
    public List<Decision> decisions(EventId id) {
        return List.of();
    }

    /** Of its dispatcher, where it is not divided. */
    static StateDirectory state(DatacenterFiles datacenter) {
        return new StateDirectory(datacenter.dispatcherState() + "/" + STATE);
    }

    /** Of its dispatcher's state. */
    List<StateDirectory> partitions(DatacenterFiles datacenter) {
        return new StatePartitions(state(datacenter).path(), partitions)
                .directories().stream().map(StateDirectory::new).toList();
    }

    private void writeState(DatacenterFiles datacenter) throws IOException {
        MemoryFileStore files = datacenter.files();
        new StateHome(files, datacenter.dispatcherState())
                .create(
                        STATE,
                        new UUID(1, 2),
                        datacenter.name(),
                        path -> new StatePartitions(path, partitions).make(files));
        List<StateDirectory> directories = partitions(datacenter);
        for (int index = 0; index < partitions; index++) {
            writePartition(
                    files,
                    datacenter.foreign(),
                    new LogPartition(index, partitions),
                    directories.get(index));
        }
    }

    private void writePartition(
            MemoryFileStore files,
            StreamConfig foreign,
            LogPartition partition,
            StateDirectory state)
            throws IOException {
        Map<Integer, FilePosition> positions = new TreeMap<>();
        files.createDirectories(state.checkpoint());
        try (LogTail tail =
                        new LogTail(
                                files,
                                foreign,
                                List.of(),
                                Duration.ZERO,
                                () -> new IntervalClock.Interval(0, 0));
                OpenJournal journal = OpenJournal.open(files, state.journal(), 1);
                Ledger ledger = Ledger.open(files, state.ledger())) {
            for (TailBatch.Item item : tail.poll(100_000, 0).items()) {
                if (partition.has(Objects.requireNonNull(files.stat(item.path())))) {
                    write(item, journal, ledger);
                    positions.put(item.file(), tail.position(item.file(), item.endOffset()));
                }
            }
            journal.commit();
        }
        Checkpoint reached = new Checkpoint(1, List.copyOf(positions.values()));
        new VersionedDocument(files, state.checkpoint(), StateDirectory.CHECKPOINT)
                .write(0, CheckpointFiles.content(reached));
    }

    private void write(TailBatch.Item item, OpenJournal journal, Ledger ledger) {
        LogEvent event = item.event();
        if (event != null) {
            ForeignIdentity identity = truth.identity(event.id());
            if (identity != null
                    && (identity.fate() == Fate.TOO_OLD || identity.fate() == Fate.SKIPPED)) {
                ledger.append(entry(LedgerEntry.Kind.SKIPPED, event.id(), item));
            } else if (identity != null && identity.fate() == Fate.REJECTED) {
                ledger.append(entry(LedgerEntry.Kind.DEAD_LETTER, event.id(), item));
            } else if (identity != null
                    && (identity.fate() != Fate.JOINABLE || waiting.test(identity))) {
                journal.put(row(event, null));
            }
        } else if (item.bad() != null) {
            ledger.append(entry(LedgerEntry.Kind.BAD_RECORD, null, item));
        }
    }

    static JournalRow row(LogEvent event, @Nullable CommitToken lost) {
        JournalRow.Key key = new JournalRow.Key(event.id(), lost);
        return new JournalRow(key, event, 0, 0, 0, 0, "test", false);
    }

    private static LedgerEntry entry(
            LedgerEntry.Kind kind, @Nullable EventId id, TailBatch.Item item) {
        return new LedgerEntry(kind, id, "", "test", item.path(), item.offset(), "as read", 0);
    }

    // ---- the registry

    @Override
    public @Nullable CommitToken holder(EventId id) {
        return holders.get(id);
    }

    @Override
    public List<Incarnation> incarnations() {
        return datacenters.stream().map(this::incarnation).toList();
    }

    @Override
    public boolean settled(Incarnation incarnation) {
        return settled.contains(incarnation);
    }

    @Override
    public boolean repaired(Incarnation incarnation) {
        return repaired.contains(incarnation);
    }

    @Override
    public boolean live(Incarnation incarnation) {
        return !settled.contains(incarnation) && !dead.contains(incarnation);
    }

    @Override
    public long boundaryMicros() {
        return passed == null ? truth.boundaryMicros() : passed.id().micros() + 1;
    }

    /** Changes a journal, as its owner would. */
    interface JournalUse {
        void with(OpenJournal journal) throws IOException;
    }

    void inJournal(DatacenterFiles datacenter, JournalUse use) throws IOException {
        String directory = state(datacenter).journal();
        long owner = OpenJournal.lastOwner(datacenter.files(), directory) + 1;
        try (OpenJournal journal = OpenJournal.open(datacenter.files(), directory, owner)) {
            use.with(journal);
            journal.commit();
        }
    }

    void removeRow(DatacenterFiles datacenter, EventId id) throws IOException {
        inJournal(
                datacenter,
                journal -> {
                    for (OpenJournal.Taken taken : journal.takeDue(Long.MAX_VALUE, 10_000)) {
                        if (taken.row().key().id().equals(id)) {
                            journal.finish(taken);
                        }
                    }
                });
    }

    /** The event as a log says. */
    LogEvent event(ForeignIdentity identity) {
        byte[] line = identity.lines().get(0).getBytes(UTF_8);
        var parsed =
                photon.storage.format.EventParser.of(east().foreign())
                        .forFile()
                        .parse(line, 0, line.length);
        return ((photon.storage.format.Parsed.Event) parsed).event();
    }
}
