package photon.verifier.repair;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.crash.CrashPoints;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.time.IntervalClock;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.registry.api.ControlClient;
import photon.storage.files.FileStore;
import photon.verifier.retention.RetentionLoop;
import photon.verifier.retention.RetentionStatus;
import photon.verifier.runs.IdRuns;
import photon.verifier.source.CheckpointTimes;
import photon.verifier.source.DispatcherCheckpoint;
import photon.verifier.source.ForeignLogs;
import photon.verifier.source.IdHolders;
import photon.verifier.source.OutputFiles;
import photon.verifier.source.RegisteredState;

/**
 * The repair of one datacenter's incarnations, at work from {@link #start} to {@link #close}. Its
 * methods may be called from anywhere; the work is done in the loop that was handed in, which it
 * shares with nobody who must answer quickly, since files are read in it: silent slots are watched
 * in another one ({@link Watching}).
 */
public final class RepairServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RepairServer.class);

    private final EventLoop loop;
    private final EventLoop silenceLoop;
    private final LostOutcomes lostOutcomes;
    private final RepairLoop repair;
    private final SilenceWatch silence;
    private final RetentionLoop retention;
    private final AtomicInteger wakesUnheard = new AtomicInteger();
    private volatile RepairStatus status = RepairStatus.NOTHING_KNOWN;
    private volatile SilenceStatus silent = SilenceStatus.NONE;
    private volatile RetentionStatus retained = RetentionStatus.NOTHING_KNOWN;

    private RepairServer(
            RepairSettings settings,
            RepairParts parts,
            EventLoop loop,
            Watching watching,
            LostOutcomes lostOutcomes,
            RetentionLoop.Records records) {
        this.loop = loop;
        this.silenceLoop = watching.loop();
        this.lostOutcomes = lostOutcomes;
        this.repair =
                new RepairLoop(
                        parts,
                        settings.slotPrefix(),
                        settings.interval(),
                        changed -> status = changed);
        this.silence =
                new SilenceWatch(
                        parts,
                        watching.loop(),
                        watching.control(),
                        settings.slotPrefix(),
                        settings.fenceAfter(),
                        changed -> silent = changed,
                        this::wake);
        this.retention =
                new RetentionLoop(
                        loop,
                        parts.control(),
                        parts.pipeline(),
                        settings.slotPrefix(),
                        parts.output(),
                        records,
                        RetentionLoop.Limits.DEFAULTS,
                        changed -> retained = changed);
    }

    /**
     * With what silent slots are looked for.
     *
     * @param loop in which nothing takes long. Stays the caller's to close, after the server
     * @param control answers in it; stays the caller's to close
     */
    public record Watching(EventLoop loop, ControlClient control) {}

    /** As the other, where nothing takes long in {@code loop}: silent slots are watched in it. */
    public static RepairServer start(
            RepairSettings settings,
            EventLoop loop,
            FileStore files,
            ControlClient control,
            IdHolders holders,
            RegisteredState registeredState,
            OutputFiles output,
            ForeignLogs logs,
            Caller<AddRepairRowsRequest, AddRepairRowsResponse> dispatcher,
            CrashPoints crashPoints,
            IntervalClock clock) {
        return start(
                settings,
                loop,
                new Watching(loop, control),
                files,
                control,
                holders,
                registeredState,
                output,
                logs,
                dispatcher,
                crashPoints,
                clock);
    }

    /**
     * Starts looking and repairing; returns at once.
     *
     * @param loop where repairs happen; {@code control} and {@code dispatcher} are used in it and
     *     answer in it. Stays the caller's to close, after this
     * @param watching where silent slots are looked for
     * @param files where the settings' directories lie
     * @param control stays the caller's to close
     * @param holders asked who holds an id; answers in {@code loop}
     * @param registeredState of this datacenter's dispatcher; answers in {@code loop}
     * @param output this datacenter's
     * @param logs this datacenter's foreign logs
     * @param dispatcher one of this datacenter's; stays the caller's to close
     * @param clock for the ledger's entries, and the age of logs
     */
    public static RepairServer start(
            RepairSettings settings,
            EventLoop loop,
            Watching watching,
            FileStore files,
            ControlClient control,
            IdHolders holders,
            RegisteredState registeredState,
            OutputFiles output,
            ForeignLogs logs,
            Caller<AddRepairRowsRequest, AddRepairRowsResponse> dispatcher,
            CrashPoints crashPoints,
            IntervalClock clock) {
        LostOutcomes lostOutcomes =
                new LostOutcomes(
                        new LostOutcomes.LedgerStore(files, settings.ledgerDirectory()), clock);
        RepairRecords records = new RepairRecords(files, settings.stateDirectory());
        String scratch = settings.scratchDirectory();
        RepairTally tally = new RepairTally(files, settings.stateDirectory());
        RepairParts parts =
                new RepairParts(
                        loop,
                        settings.pipeline(),
                        control,
                        holders,
                        output,
                        logs,
                        registeredState,
                        DispatcherCheckpoint.ofHome(files, settings.dispatcherDirectory()),
                        CheckpointTimes.ofHome(files, settings.dispatcherDirectory()),
                        clock,
                        new WriteOffRule.Terms(settings.giveUpAfter(), settings.logsKept()),
                        dispatcher,
                        lostOutcomes,
                        tally::raise,
                        records,
                        new WriteOffOrders(files, settings.stateDirectory()),
                        incarnation ->
                                new IdRuns(
                                        files,
                                        scratch,
                                        incarnation.toString(),
                                        settings.limits().published()),
                        crashPoints,
                        settings.limits());
        RepairServer server =
                new RepairServer(
                        settings,
                        parts,
                        loop,
                        watching,
                        lostOutcomes,
                        RetiredRecords.of(settings, files, records, tally, clock));
        loop.execute(() -> clearScratch(files, scratch));
        server.wake();
        watching.loop().execute(server.silence::start);
        loop.execute(server.retention::start);
        return server;
    }

    /** Of repairs that a crash ended; another repairer's starts over when it misses its own. */
    private static void clearScratch(FileStore files, String directory) {
        try {
            IdRuns.clear(files, directory);
        } catch (IOException e) {
            log.warn("Scratch in {} could not be deleted; only its space is lost", directory, e);
        }
    }

    /** How far the repair is. */
    public RepairStatus status() {
        RepairStatus now = status.with(silent);
        return wakesUnheard.get() == 0 ? now : now.notIdle();
    }

    /**
     * When the registry's list was asked for that has not come, by the loop's clock; empty: none is
     * awaited. In the loop.
     */
    public OptionalLong listingNanos() {
        return repair.listingNanos();
    }

    /**
     * The same, of the list by which silent slots are found. In the loop in which they are watched.
     */
    public OptionalLong silenceListingNanos() {
        return silence.listingNanos();
    }

    /** How far retention is. */
    public RetentionStatus retention() {
        return retained;
    }

    /**
     * Looks at the registry's list at once: a joiner has started over. {@link RepairStatus#idle} is
     * false from now until a look that began later has ended.
     */
    public void wake() {
        wakesUnheard.incrementAndGet();
        loop.execute(
                () -> {
                    repair.wake();
                    wakesUnheard.decrementAndGet();
                });
    }

    /** Gives up what is under way; started again, it begins anew. Safe to call twice. */
    @Override
    public void close() {
        silenceLoop.execute(silence::close);
        loop.execute(
                () -> {
                    retention.close();
                    repair.close();
                    lostOutcomes.close();
                });
    }
}
