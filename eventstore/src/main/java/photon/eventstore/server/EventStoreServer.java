package photon.eventstore.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.BugHandler;
import photon.core.loop.EventLoop;
import photon.core.loop.LoopProbe;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.GrpcServer;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.time.IntervalClock;
import photon.eventstore.index.FileLogIndex;
import photon.eventstore.index.IndexDirectory;
import photon.eventstore.index.IndexLimits;
import photon.eventstore.lookup.Arrivals;
import photon.eventstore.lookup.FrontierService;
import photon.eventstore.lookup.LookupCounts;
import photon.eventstore.lookup.LookupService;
import photon.eventstore.lookup.PrimaryLookup;
import photon.eventstore.tail.BadRecordLog;
import photon.eventstore.tail.IndexRetention;
import photon.eventstore.tail.PrimaryIndexer;
import photon.eventstore.tail.PrimaryLog;
import photon.eventstore.tail.TailHealth;
import photon.eventstore.tail.TailProgress;
import photon.proto.v1.EventStoreGrpc;
import photon.storage.files.FileStore;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerRetention;
import photon.storage.tail.LogTail;

/**
 * A datacenter's event store: tails the primary logs and answers lookups. Its threads: {@code
 * eventstore-tail} owns the logs' tail, the writing of the index and the ledger of bad records;
 * {@code eventstore-index} seals and merges parts of the index; {@code eventstore-admission} admits
 * requests; the {@code eventstore-read} loops wait for the disk. Thread-safe.
 */
public final class EventStoreServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EventStoreServer.class);

    /** Loops that wait for the disk. */
    public static final int READERS = 2;

    /** Bounds what lookups hold in memory, with {@link #ANSWER_BYTES_MAX}. */
    public static final int KEYS_IN_FLIGHT_MAX = 32_768;

    /** Well below what a message may hold. */
    public static final long ANSWER_BYTES_MAX = 32L << 20;

    private static final int TASKS_OFFERED_MAX = 1_024;

    /** How long closing waits for the step in hand. */
    private static final long STOP_SECONDS = 60;

    private final Deque<AutoCloseable> parts;
    private final LookupCounts counts;
    private final Arrivals arrivals;
    private final AtomicReference<TailProgress> progress;
    private final LongSupplier nanoTime;
    private final PrimaryIndexer indexer;
    private final FileLogIndex index;
    private final LedgerRetention ledger;
    private final HostPort address;
    private final LoopProbe<TailHealth> health;
    private final List<LoopProbe<Boolean>> loops;
    private final List<LoopProbe<Boolean>> readers;

    private EventStoreServer(
            Deque<AutoCloseable> parts,
            LookupCounts counts,
            Arrivals arrivals,
            AtomicReference<TailProgress> progress,
            LongSupplier nanoTime,
            PrimaryIndexer indexer,
            FileLogIndex index,
            LedgerRetention ledger,
            HostPort address,
            LoopProbe<TailHealth> health,
            List<LoopProbe<Boolean>> loops,
            List<LoopProbe<Boolean>> readers) {
        this.parts = parts;
        this.counts = counts;
        this.arrivals = arrivals;
        this.progress = progress;
        this.nanoTime = nanoTime;
        this.indexer = indexer;
        this.index = index;
        this.ledger = ledger;
        this.address = address;
        this.health = health;
        this.loops = loops;
        this.readers = readers;
    }

    /**
     * Reads on where an earlier life has stopped, and serves at once.
     *
     * @param rpcs of this process
     * @param bugs also told of disks that do not write
     * @throws photon.core.error.ConfigException if the address cannot be bound
     * @throws photon.eventstore.index.LogIndexException if the index cannot be opened
     * @throws UncheckedIOException if the state directory cannot be used
     */
    public static EventStoreServer start(
            EventStoreSettings settings,
            FileStore files,
            ProcessRpcs rpcs,
            IntervalClock clock,
            BugHandler bugs) {
        // The last made is the first closed.
        Deque<AutoCloseable> parts = new ArrayDeque<>();
        try {
            EventStoreServer server = start(settings, files, rpcs, clock, bugs, parts);
            log.info("Event store serves on {}, and keeps {}", server.address(), settings.share());
            return server;
        } catch (IOException e) {
            closeAll(parts);
            throw new UncheckedIOException(
                    "Cannot use the state directory " + settings.stateDirectory(), e);
        } catch (RuntimeException e) {
            closeAll(parts);
            throw e;
        }
    }

    private static EventStoreServer start(
            EventStoreSettings settings,
            FileStore files,
            ProcessRpcs rpcs,
            IntervalClock clock,
            BugHandler bugs,
            Deque<AutoCloseable> parts)
            throws IOException {
        files.createDirectories(settings.stateDirectory());
        EventLoop indexUpkeep = new ThreadLoop("eventstore-index", TASKS_OFFERED_MAX, bugs);
        parts.push(indexUpkeep::close);
        FileLogIndex index = openIndex(settings, files, indexUpkeep);
        parts.push(index);
        Ledger ledger = Ledger.open(files, settings.ledgerDirectory());
        parts.push(ledger);
        LogTail tail = openTail(settings, files, index, clock);
        parts.push(tail);

        AtomicReference<TailProgress> progress =
                new AtomicReference<>(TailProgress.begun(index.opened()));
        EventLoop tailLoop = new ThreadLoop("eventstore-tail", TASKS_OFFERED_MAX, bugs);
        EventLoop admission = new ThreadLoop("eventstore-admission", TASKS_OFFERED_MAX, bugs);
        parts.push(admission::close);
        Arrivals arrivals = new Arrivals(admission, tailLoop, index);
        LongAccumulator boundary = new LongAccumulator(Math::max, Long.MIN_VALUE);
        PrimaryIndexer indexer =
                new PrimaryIndexer(
                        tailLoop,
                        PrimaryLog.of(tail, clock, settings.retention(), boundary::get),
                        settings.share(),
                        index,
                        BadRecordLog.of(ledger, clock),
                        arrivals::indexed,
                        progress::set);
        parts.push(() -> stop(tailLoop, indexer));
        indexer.start();
        LedgerRetention ledgerRetention = new LedgerRetention(files, settings.ledgerDirectory());
        ledgerRetention.look();
        return serve(
                settings,
                rpcs,
                clock,
                bugs,
                parts,
                new Reading(
                        tailLoop,
                        tail,
                        indexUpkeep,
                        admission,
                        index,
                        indexer,
                        arrivals,
                        progress,
                        ledgerRetention,
                        boundary));
    }

    private static LogTail openTail(
            EventStoreSettings settings, FileStore files, FileLogIndex index, IntervalClock clock) {
        return new LogTail(
                files,
                settings.primary(),
                index.opened().positions(),
                settings.primary().input().listEvery(),
                clock);
    }

    private static FileLogIndex openIndex(
            EventStoreSettings settings, FileStore files, EventLoop upkeep) throws IOException {
        IndexLimits limits = IndexLimits.DEFAULTS.withCacheBytes(settings.cacheBytes());
        return new IndexDirectory(files, settings.stateDirectory(), limits)
                .open(settings.primary(), settings.share(), upkeep);
    }

    /** What reads the logs, and answers from what was read. */
    private record Reading(
            EventLoop tail,
            LogTail logs,
            EventLoop upkeep,
            EventLoop admission,
            FileLogIndex index,
            PrimaryIndexer indexer,
            Arrivals arrivals,
            AtomicReference<TailProgress> progress,
            LedgerRetention ledger,
            LongAccumulator boundary) {}

    private static EventStoreServer serve(
            EventStoreSettings settings,
            ProcessRpcs rpcs,
            IntervalClock clock,
            BugHandler bugs,
            Deque<AutoCloseable> parts,
            Reading reading) {
        new IndexRetention(
                        reading.tail(),
                        reading.index()::expire,
                        reading.ledger(),
                        settings.keepLedger(),
                        clock,
                        settings.retention(),
                        reading.boundary()::get)
                .start();

        LookupCounts counts = new LookupCounts();
        PrimaryLookup lookup =
                new PrimaryLookup(reading.index(), settings.share(), counts, ANSWER_BYTES_MAX);
        List<EventLoop> readers = readers(bugs, parts);
        HostPort address =
                serve(
                        settings.listen(),
                        rpcs,
                        readers,
                        lookup,
                        counts,
                        () -> Objects.requireNonNull(reading.progress().get()),
                        reading.boundary()::accumulate,
                        reading,
                        parts);
        return new EventStoreServer(
                parts,
                counts,
                reading.arrivals(),
                reading.progress(),
                reading.tail()::nanoTime,
                reading.indexer(),
                reading.index(),
                reading.ledger(),
                address,
                new LoopProbe<>("tail", reading.tail(), reading.indexer()::health),
                // Not that of the index' upkeep: to merge parts is one task, which takes minutes.
                List.of(LoopProbe.of("admission", reading.admission())),
                readers.stream().map(reader -> LoopProbe.of(reader.toString(), reader)).toList());
    }

    private static List<EventLoop> readers(BugHandler bugs, Deque<AutoCloseable> parts) {
        List<EventLoop> readers = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            EventLoop reader = new ThreadLoop("eventstore-read-" + i, TASKS_OFFERED_MAX, bugs);
            parts.push(reader::close);
            readers.add(reader);
        }
        return readers;
    }

    private static HostPort serve(
            HostPort listen,
            ProcessRpcs rpcs,
            List<EventLoop> readers,
            PrimaryLookup lookup,
            LookupCounts counts,
            Supplier<TailProgress> progress,
            LongConsumer boundary,
            Reading reading,
            Deque<AutoCloseable> parts) {
        EventLoop admission = reading.admission();
        GrpcServer server =
                GrpcServer.at(listen, admission).within(rpcs).stream(
                                EventStoreGrpc.getLookupMethod(),
                                new LookupService(
                                        admission,
                                        readers,
                                        lookup,
                                        counts,
                                        KEYS_IN_FLIGHT_MAX,
                                        () -> progress.get().behind(),
                                        () -> progress.get().allRead(reading.tail().nanoTime()),
                                        boundary))
                        .unary(EventStoreGrpc.getFrontierMethod(), new FrontierService(progress))
                        .unary(
                                EventStoreGrpc.getLogsMethod(),
                                LogsService.shared(
                                        reading.tail(),
                                        admission,
                                        reading.logs(),
                                        reading.indexer().outage(),
                                        progress))
                        .session(EventStoreGrpc.getAwaitMethod(), reading.arrivals())
                        .start();
        parts.push(server);
        return server.address();
    }

    /** Where it really listens. */
    public HostPort address() {
        return address;
    }

    /** Whether the logs can be read, as the loop knows it that reads them. */
    public LoopProbe<TailHealth> health() {
        return health;
    }

    /** Whether its other loops run. */
    public List<LoopProbe<Boolean>> loops() {
        return loops;
    }

    /**
     * Whether those loops run in which lookups wait for the disk. A long queue of them before a
     * slow disk takes its time, too.
     */
    public List<LoopProbe<Boolean>> readers() {
        return readers;
    }

    public EventStoreStatus status() {
        TailProgress tail = Objects.requireNonNull(progress.get());
        return new EventStoreStatus(
                tail.primaryEvents(),
                tail.badRecords(),
                tail.caughtUp(),
                tail.allRead(nanoTime.getAsLong()),
                indexer.polls(),
                indexer.eventsRead(),
                tail.lagBytes(),
                tail.unreadSinceMillis(),
                tail.troubles(),
                tail.files(),
                counts.lookups(),
                counts.elsewhere(),
                counts.refused(),
                arrivals.awaited(),
                arrivals.told(),
                index.figures(),
                ledger.figures());
    }

    /** Stops serving, ends the step in hand, closes the index. Safe to call twice. */
    @Override
    public synchronized void close() {
        closeAll(parts);
    }

    /** Closing a loop interrupts it: the step in hand, which may be writing, is let end first. */
    private static void stop(EventLoop loop, PrimaryIndexer indexer) throws Exception {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        loop.execute(
                () -> {
                    indexer.stop();
                    stopped.complete(null);
                });
        try {
            stopped.get(STOP_SECONDS, TimeUnit.SECONDS);
        } finally {
            loop.close();
        }
    }

    private static void closeAll(Deque<AutoCloseable> parts) {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                log.warn("Closing a part of the event store failed", e);
            }
        }
    }
}
