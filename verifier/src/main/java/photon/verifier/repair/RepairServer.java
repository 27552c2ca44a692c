package photon.verifier.repair;

import java.util.concurrent.atomic.AtomicInteger;
import photon.core.crash.CrashPoints;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.time.IntervalClock;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.registry.api.ControlClient;
import photon.storage.files.FileStore;
import photon.verifier.source.ForeignLogs;
import photon.verifier.source.OutputFiles;

/**
 * The repair of one datacenter's incarnations, at work from {@link #start} to {@link #close}. Its
 * methods may be called from anywhere; the work is done in the loop that was handed in, which it
 * shares with nobody who must answer quickly, since files are read in it.
 */
public final class RepairServer implements AutoCloseable {
    private final EventLoop loop;
    private final LostOutcomes lostOutcomes;
    private final RepairLoop repair;
    private final AtomicInteger wakesUnheard = new AtomicInteger();
    private volatile RepairStatus status = RepairStatus.NOTHING_KNOWN;

    private RepairServer(
            RepairSettings settings, RepairParts parts, EventLoop loop, LostOutcomes lostOutcomes) {
        this.loop = loop;
        this.lostOutcomes = lostOutcomes;
        this.repair =
                new RepairLoop(
                        parts,
                        settings.slotPrefix(),
                        settings.interval(),
                        changed -> status = changed);
    }

    /**
     * Starts looking and repairing; returns at once.
     *
     * @param loop where everything happens; {@code control} and {@code dispatcher} are used in it
     *     and answer in it. Stays the caller's to close, after this
     * @param files where the settings' directories lie
     * @param control stays the caller's to close
     * @param output this datacenter's
     * @param logs this datacenter's foreign logs
     * @param dispatcher one of this datacenter's; stays the caller's to close
     * @param clock for the ledger's entries
     */
    public static RepairServer start(
            RepairSettings settings,
            EventLoop loop,
            FileStore files,
            ControlClient control,
            OutputFiles output,
            ForeignLogs logs,
            Caller<AddRepairRowsRequest, AddRepairRowsResponse> dispatcher,
            CrashPoints crashPoints,
            IntervalClock clock) {
        LostOutcomes lostOutcomes =
                new LostOutcomes(
                        new LostOutcomes.LedgerStore(files, settings.ledgerDirectory()), clock);
        RepairRecords records = new RepairRecords(files, settings.stateDirectory());
        RepairTally tally = new RepairTally(files, settings.stateDirectory());
        RepairParts parts =
                new RepairParts(
                        loop,
                        settings.pipeline(),
                        control,
                        output,
                        logs,
                        dispatcher,
                        lostOutcomes,
                        tally::raise,
                        records::add,
                        crashPoints,
                        settings.limits());
        RepairServer server = new RepairServer(settings, parts, loop, lostOutcomes);
        server.wake();
        return server;
    }

    /** How far the repair is. */
    public RepairStatus status() {
        RepairStatus now = status;
        return wakesUnheard.get() == 0 ? now : now.notIdle();
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
        loop.execute(
                () -> {
                    repair.close();
                    lostOutcomes.close();
                });
    }
}
