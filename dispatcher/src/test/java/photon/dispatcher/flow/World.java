package photon.dispatcher.flow;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.loop.EventLoop;
import photon.core.loop.ManualLoop;
import photon.core.time.IntervalClock;
import photon.core.trace.AttemptTracer;
import photon.core.trace.TraceRule;
import photon.core.trace.TracedAttempt;
import photon.dispatcher.rules.Stagger;
import photon.dispatcher.state.DispatcherStatus;
import photon.dispatcher.state.StateDirectory;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.MemoryFileStore;
import photon.storage.journal.JournalRow;
import photon.storage.journal.RetryJournal;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LogTail;

/** One datacenter's dispatcher over files in memory, with a fake joiner and a fake registry. */
final class World {
    static final StateDirectory STATE = new StateDirectory("/state/east");
    static final Duration STAGGER = Duration.ofSeconds(2);

    static final StreamConfig FOREIGN =
            new StreamConfig(
                    List.of("/logs/*.jsonl"),
                    new FormatConfig.JsonLines(),
                    Map.of("type", List.of("click")),
                    Map.of(),
                    new IdConfig.User(List.of("id")),
                    Optional.of(new TimestampConfig.Numeric("t", TimestampConfig.Unit.MICROS)),
                    Optional.of(new IdConfig.User(List.of("of"))));

    final MemoryFileStore files;
    final SplittableRandom random;
    ManualLoop loop = new ManualLoop();
    FakeJoiner joiner = new FakeJoiner(loop, new HashSet<>());

    /** Serves where {@link #joinerCount} says so. */
    FakeJoiner second = new FakeJoiner(loop, joiner.joined);

    int joinerCount = 1;
    FakeRegistry registry = new FakeRegistry(loop);
    FakeEventStore eventStore = new FakeEventStore(loop);
    List<String> datacenters = List.of("east");
    PipelineConfig.Limits limits = limits(1_000, 64, 5);

    /** How many flows share the bounds on memory. */
    int flows = 1;

    Flow flow;
    boolean failed;

    final List<TracedAttempt> traced = new ArrayList<>();

    /** How long the disk may take for one task. */
    int diskMillisMax;

    /** Every event written, by file: where it ends, and its id for people. */
    final Map<String, List<Written>> written = new LinkedHashMap<>();

    final Set<String> allIds = new HashSet<>();
    private long wallMillis = 1_700_000_000_000L;

    /** How far the dispatcher's wall clock is ahead. */
    long wallOffMillis;

    /** How far it may be from true time, as it knows. */
    long wallBoundMicros;

    record Written(long endOffset, String id) {}

    World(long seed) throws IOException {
        files = new MemoryFileStore(new SplittableRandom(seed), () -> micros() / 1_000);
        random = new SplittableRandom(seed);
        files.createDirectories("/logs");
        files.createDirectories("/state");
        files.syncAll();
        flow = start();
    }

    static final Duration KEEP_LEDGERS = Duration.ofMinutes(1);

    static PipelineConfig.Limits limits(int held, int inFlight, int retries) {
        PipelineConfig.Limits d = PipelineConfig.Limits.DEFAULTS;
        return new PipelineConfig.Limits(
                d.registryShards(),
                held,
                inFlight,
                Duration.ofMillis(100),
                Duration.ofSeconds(2),
                retries,
                d.joinerEventsMax(),
                d.commitsInFlightMax(),
                d.cacheBytes(),
                d.publishEvery(),
                d.publishBytes(),
                d.expiryMargin(),
                d.rollEvery(),
                d.rollFiles(),
                KEEP_LEDGERS);
    }

    long micros() {
        return wallMillis * 1_000 + loop.nanoTime() / 1_000;
    }

    /** A new life on the files as they are. */
    Flow start() throws IOException {
        wallMillis += loop.nanoTime() / 1_000_000 + 5_000;
        FakeJoiner before = joiner;
        FakeJoiner secondBefore = second;
        Set<photon.core.id.EventId> known = registry.known;
        loop = new ManualLoop();
        joiner = new FakeJoiner(loop, before.joined);
        joiner.answers = before.answers;
        second = new FakeJoiner(loop, before.joined);
        second.answers = secondBefore.answers;
        registry = new FakeRegistry(loop);
        registry.known.addAll(known);
        FakeEventStore storeBefore = eventStore;
        eventStore = new FakeEventStore(loop);
        eventStore.unreadMicros = storeBefore.unreadMicros;
        eventStore.liveMicros = storeBefore.liveMicros;
        eventStore.liveUnreadMicros = storeBefore.liveUnreadMicros;
        eventStore.broken = storeBefore.broken;
        IntervalClock clock =
                () -> {
                    long wrong = micros() + wallOffMillis * 1_000;
                    return new IntervalClock.Interval(
                            wrong - wallBoundMicros, wrong + wallBoundMicros);
                };
        StateFiles state = StateFiles.open(files, STATE);
        failed = false;
        flow =
                new Flow(
                        new FlowSettings(
                                clock,
                                random,
                                new Stagger("east", datacenters, STAGGER),
                                limits,
                                flows,
                                Duration.ofMillis(500),
                                1,
                                tracer()),
                        new Loops(loop, diskLoop(), diskLoop()),
                        state,
                        new LogTail(files, FOREIGN, state.resume(), Duration.ofMillis(100), clock),
                        joinerCount == 1 ? List.of(joiner) : List.of(joiner, second),
                        eventStore.callers(),
                        registry,
                        point -> {},
                        (where, bug) -> failed = true);
        flow.start();
        return flow;
    }

    /** Everything is traced. */
    private AttemptTracer tracer() {
        return new AttemptTracer("east", new TraceRule(1, Duration.ofHours(1), 0), traced::add);
    }

    private EventLoop diskLoop() {
        return diskMillisMax == 0 ? loop : new SlowLoop(loop, random.split(), diskMillisMax);
    }

    /** Closes in good order. */
    void stop() {
        boolean[] done = {false};
        flow.stop(Duration.ofSeconds(2), () -> done[0] = true);
        for (int i = 0; i < 100 && !done[0]; i++) {
            loop.advance(Duration.ofMillis(100));
        }
        if (!done[0]) {
            throw new AssertionError("the flow does not end");
        }
    }

    /** Writes clicks to a file of their own; returns their ids. */
    List<String> click(String file, int count) throws IOException {
        List<String> ids = new ArrayList<>();
        try (Log log = log(file)) {
            for (int i = 0; i < count; i++) {
                ids.add(log.click());
            }
        }
        return ids;
    }

    Log log(String file) throws IOException {
        return new Log("/logs/" + file + ".jsonl");
    }

    /** Of the directory before it comes into sight. */
    Log hidden(String file) throws IOException {
        return new Log("/logs/" + file + ".hidden");
    }

    /** As a late copy of an old log: its time of modification stays. */
    void show(String file) throws IOException {
        files.rename("/logs/" + file + ".hidden", "/logs/" + file + ".jsonl");
        files.syncDirectory("/logs");
    }

    /** A log that is being written. */
    final class Log implements AutoCloseable {
        private final AppendFile file;
        private final List<Written> events;

        Log(String path) throws IOException {
            file = files.create(path);
            files.syncDirectory("/logs");
            events = written.computeIfAbsent(path, p -> new ArrayList<>());
        }

        String click() throws IOException {
            String id = "c" + allIds.size();
            line("{\"type\":\"click\",\"id\":\"" + id + "\",\"of\":\"p\",\"t\":" + micros() + "}");
            allIds.add(id);
            events.add(new Written(file.position(), id));
            return id;
        }

        void line(String text) throws IOException {
            byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
            file.write(bytes, 0, bytes.length);
            file.sync();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    /** Where the n-th event of a file ends. */
    long endOf(String path, int index) {
        return written.getOrDefault(path, List.of()).get(index).endOffset();
    }

    DispatcherStatus status() {
        return flow.status();
    }

    void advance(long millis) {
        loop.advance(Duration.ofMillis(millis));
    }

    List<JournalRow> rows() throws IOException {
        List<JournalRow> rows = new ArrayList<>();
        RetryJournal.forEachRow(files, STATE.journal(), rows::add);
        return rows;
    }

    List<LedgerEntry> entries() throws IOException {
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.forEach(files, STATE.ledger(), entries::add);
        return entries;
    }

    Map<String, Long> checkpoint() throws IOException {
        Map<String, Long> offsets = new HashMap<>();
        Optional<Checkpoint> checkpoint = CheckpointFiles.read(files, STATE.checkpoint());
        if (checkpoint.isPresent()) {
            for (FilePosition position : checkpoint.get().positions()) {
                offsets.put(position.path(), position.offset());
            }
        }
        return offsets;
    }

    /** I3: ids that the checkpoint has passed and that are nowhere. */
    Set<String> forgotten() throws IOException {
        Set<String> passed = new HashSet<>();
        checkpoint()
                .forEach(
                        (path, offset) -> {
                            for (Written event : written.getOrDefault(path, List.of())) {
                                if (event.endOffset() <= offset) {
                                    passed.add(event.id());
                                }
                            }
                        });
        passed.removeAll(joiner.joined);
        rows().forEach(row -> passed.remove(row.event().idText()));
        entries().forEach(entry -> passed.remove(entry.idText()));
        return passed;
    }
}
