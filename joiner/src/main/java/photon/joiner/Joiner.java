package photon.joiner;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import photon.core.config.PipelineConfig;
import photon.core.crash.CrashPoints;
import photon.core.loop.EventLoop;
import photon.core.rpc.Handler;
import photon.core.rpc.SessionHandler;
import photon.core.time.IntervalClock;
import photon.core.trace.AttemptTracer;
import photon.joiner.adapters.AdapterFigure;
import photon.joiner.adapters.AdapterFingerprint;
import photon.joiner.adapters.PairAdapter;
import photon.joiner.adapters.load.Adapters;
import photon.joiner.incarnation.Incarnations;
import photon.joiner.incarnation.LifeListener;
import photon.joiner.incarnation.SlotIdentity;
import photon.joiner.output.DurableDelay;
import photon.joiner.output.JoinerWorkArea;
import photon.joiner.output.OutputWriter;
import photon.joiner.rules.AdapterBrake;
import photon.joiner.rules.AdmissionControl;
import photon.joiner.rules.CommitRoom;
import photon.joiner.rules.RollRule;
import photon.joiner.service.JoinService;
import photon.joiner.service.TokenInquiry;
import photon.joiner.task.AdapterThreads;
import photon.joiner.task.CoalescedTask;
import photon.joiner.task.JoinTaskContext;
import photon.joiner.task.JoinTraces;
import photon.joiner.task.JoinerBooks;
import photon.proto.v1.InquireTokensRequest;
import photon.proto.v1.InquireTokensResponse;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;

/**
 * A joiner on loops that it is handed: makes no thread, opens no port. Made, started and closed in
 * the main loop; only {@link #status()} and {@link #durableDelay()} may be called from anywhere.
 */
public final class Joiner {
    private final JoinerSettings settings;
    private final PairAdapter adapter;
    private final JoinerBooks books;
    private final CommitRoom room;
    private final DurableDelay delays;
    private final Incarnations incarnations;
    private final JoinService service;
    private final TokenInquiry inquiry;
    private volatile JoinerStatus status;

    /**
     * @param address where it serves, host:port: what others are told
     * @param loops what it runs in
     * @param clock measures, and judges how long a primary event was waited for
     * @param random nonces and jitter
     * @param tracer told of attempts, in the main loop
     * @throws photon.core.error.ConfigException if the adapter cannot be used
     */
    public Joiner(
            JoinerSettings settings,
            String address,
            Loops loops,
            JoinerPeers peers,
            JoinerWorkArea area,
            IntervalClock clock,
            RandomGenerator random,
            CrashPoints crashPoints,
            AttemptTracer tracer,
            LifeListener listener) {
        this.settings = settings;
        this.adapter =
                Adapters.load(settings.adapter(), settings.unmatched().isOn(), settings.host());
        AdmissionControl admission =
                new AdmissionControl(
                        settings.limits().joinerEventsMax(), settings.admittedBytesMax());
        CoalescedTask statusTurn = new CoalescedTask(loops.main(), this::refreshStatus);
        this.delays = new DurableDelay(clock);
        this.room = new CommitRoom(settings.limits().commitsInFlightMax());
        this.books = new JoinerBooks(admission, brake(settings.adapter()), statusTurn::ask);
        JoinTraces traces = new JoinTraces(tracer, loops.main());
        JoinTaskContext parts =
                new JoinTaskContext(
                        loops.main(),
                        peers.registry(),
                        peers.eventStores(),
                        adapter,
                        area,
                        delays,
                        loops.adapters(),
                        settings.adapter().timeout(),
                        settings.limits(),
                        settings.unmatched(),
                        clock,
                        room,
                        crashPoints,
                        books,
                        traces);
        this.incarnations =
                new Incarnations(
                        slot(settings, address),
                        parts,
                        loops.output(),
                        peers.control(),
                        rolling(settings),
                        rollRule(settings),
                        random,
                        listener);
        this.service =
                new JoinService(
                        loops.main(),
                        incarnations,
                        admission,
                        traces,
                        crashPoints,
                        this::refreshStatus);
        this.inquiry = new TokenInquiry(incarnations);
        this.status = snapshot();
    }

    private static SlotIdentity slot(JoinerSettings settings, String address) {
        return new SlotIdentity(
                settings.pipeline(),
                settings.identityFingerprint(),
                settings.slotName(),
                address,
                settings.processId(),
                settings.startedMicros(),
                settings.backoffMin(),
                settings.backoffMax(),
                settings.renewEvery());
    }

    private static OutputWriter.Rolling rolling(JoinerSettings settings) {
        return new OutputWriter.Rolling(
                settings.durability(),
                settings.limits().publishEvery(),
                settings.limits().publishBytes());
    }

    private static RollRule rollRule(JoinerSettings settings) {
        return new RollRule(
                settings.limits().rollEvery(),
                settings.limits().rollFiles(),
                settings.tokenBytesMax());
    }

    private static AdapterBrake brake(PipelineConfig.Adapter config) {
        return new AdapterBrake(config.failuresMaxPercent(), config.failuresWindow());
    }

    /**
     * What a joiner runs in.
     *
     * @param main owns all state but the files
     * @param output owns the work directory; may block
     * @param adapters runs a user's adapter; may block; bounded
     */
    public record Loops(EventLoop main, EventLoop output, AdapterThreads adapters) {}

    /** Registers, and serves as soon as it may. */
    public void start() {
        incarnations.start();
    }

    /** For Joiner.Join. */
    public SessionHandler<JoinRequest, JoinResponse> service() {
        return service;
    }

    /** For Joiner.InquireTokens. */
    public Handler<InquireTokensRequest, InquireTokensResponse> inquiry() {
        return inquiry;
    }

    /**
     * Admits nothing more, finishes within the bound of the settings, publishes, and says so to the
     * registry.
     *
     * @param done told, in the main loop, whether the close was clean; unclean: the repair does the
     *     rest
     */
    public void close(Consumer<Boolean> done) {
        incarnations.close(settings.drainMax(), done);
    }

    /** When nothing is joined any more and no thread is in it that heeds an interruption. */
    void closeAdapter() {
        adapter.close();
    }

    /** Which adapter joins. Thread-safe. */
    public AdapterFingerprint adapterFingerprint() {
        return adapter.fingerprint();
    }

    /** What the adapter counts and times itself. Thread-safe. */
    public List<AdapterFigure> adapterFigures() {
        return adapter.figures();
    }

    /** Begins to publish what is joined so far, before it is due. In the main loop. */
    public void publishNow() {
        incarnations.publishNow();
    }

    /** A moment ago. Thread-safe. */
    public JoinerStatus status() {
        return status;
    }

    /** In the main loop. */
    JoinerHealth health() {
        return new JoinerHealth(
                snapshot(), books.commits().oldestNanos(), books.renewals().oldestNanos());
    }

    /**
     * How long events took until they were flushed; as {@link DurableDelay#counts}. Thread-safe.
     */
    public SortedMap<Long, Long> durableDelay() {
        return delays.counts();
    }

    /**
     * How long events took for each stage of their way: {@link JoinerBooks#stages}. Thread-safe.
     */
    public Map<String, SortedMap<Long, Long>> stages() {
        return books.stages();
    }

    private void refreshStatus() {
        status = snapshot();
    }

    private JoinerStatus snapshot() {
        return new JoinerStatus(
                incarnations.state(),
                books.admission().events(),
                books.admission().bytes(),
                room.outstanding(),
                books.joined(),
                books.unmatched(),
                books.upgraded(),
                books.joinedElsewhere(),
                books.wastedAttempts(),
                books.lookupsMoved(),
                books.unpublishedRecords(),
                incarnations.incarnation(),
                incarnations.draining(),
                incarnations.rolled(),
                incarnations.restarts(),
                incarnations.lastTrouble(),
                incarnations.bookBytes(),
                books.adapterFailures(),
                books.adapterBraked());
    }
}
