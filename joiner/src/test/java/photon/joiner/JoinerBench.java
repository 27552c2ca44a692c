package photon.joiner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import photon.core.config.PipelineConfig;
import photon.core.config.PipelineConfig.Limits;
import photon.core.crash.CrashPoint;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.core.id.Packed;
import photon.core.loop.ManualLoop;
import photon.core.rpc.HostPort;
import photon.core.rpc.SessionHandler.Session;
import photon.core.share.EventStoreShares;
import photon.core.share.StoreShare;
import photon.core.time.ClockState;
import photon.core.time.IntervalClock;
import photon.core.trace.AttemptTracer;
import photon.core.trace.TraceRule;
import photon.core.trace.TracedAttempt;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.incarnation.LifeListener;
import photon.joiner.output.Durability;
import photon.joiner.rules.StoreRoutes;
import photon.joiner.rules.UnmatchedRule;
import photon.joiner.task.EventStores;
import photon.joiner.task.TaskEnd;
import photon.proto.v1.InquireTokensRequest;
import photon.proto.v1.InquireTokensResponse;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;
import photon.proto.v1.JoinResult;
import photon.proto.v1.JoinResult.Status;

/** A joiner on manual loops between fakes, and one dispatcher's session. */
public final class JoinerBench implements LifeListener {
    public static final String SLOT = "east/joiner-0";
    public static final UUID PIPELINE = new UUID(1, 2);

    public final ManualLoop main = new ManualLoop();
    public final ManualLoop output;
    public final ModelRegistry registry = new ModelRegistry(main);

    /** The first of them. */
    public final MemoryEventStore eventStore = new MemoryEventStore(main);

    public final List<MemoryEventStore> eventStores = new ArrayList<>(List.of(eventStore));
    public final MemoryOutput files = new MemoryOutput();
    public final List<CrashPoint> crashPoints = new ArrayList<>();
    public final List<TracedAttempt> traced = new ArrayList<>();
    public final List<String> story = new ArrayList<>();
    public final Map<Long, JoinResult> answers = new HashMap<>();
    public final List<JoinResponse> messages = new ArrayList<>();
    public final Joiner joiner;
    public final Session<JoinRequest> session;
    public boolean synchronised = true;
    public IntervalClock.Interval now = new IntervalClock.Interval(0, 0);
    private long lastNumber;

    public JoinerBench() {
        this(settings("merge", limits(100, 50)), 1, false);
    }

    public JoinerBench(JoinerSettings settings, long seed, boolean twoLoops) {
        this(settings, seed, twoLoops, Runnable::run);
    }

    /** With several event stores. */
    public JoinerBench(JoinerSettings settings, EventStoreShares shares) {
        this(settings, 1, false, Runnable::run, shares);
    }

    public JoinerBench(JoinerSettings settings, long seed, boolean twoLoops, Executor adapters) {
        this(settings, seed, twoLoops, adapters, EventStoreShares.ofOne("eventstore-0"));
    }

    private JoinerBench(
            JoinerSettings settings,
            long seed,
            boolean twoLoops,
            Executor adapters,
            EventStoreShares shares) {
        for (int i = 1; i < shares.names().size(); i++) {
            eventStores.add(new MemoryEventStore(main));
        }
        for (int i = 0; i < eventStores.size(); i++) {
            eventStores.get(i).share = new StoreShare(shares, shares.names().get(i));
        }
        output = twoLoops ? new ManualLoop() : main;
        joiner =
                new Joiner(
                        settings,
                        "10.0.0.1:7400",
                        new Joiner.Loops(main, output, adapters::execute),
                        new JoinerPeers(
                                registry,
                                registry,
                                new EventStores(new StoreRoutes(shares), List.copyOf(eventStores)),
                                () -> {}),
                        files,
                        clock(),
                        new Random(seed),
                        crashPoints::add,
                        new AttemptTracer(
                                "east", new TraceRule(1, Duration.ofHours(1), 0), traced::add),
                        this);
        session = joiner.service().opened(this::received);
        joiner.start();
    }

    private IntervalClock clock() {
        return new IntervalClock() {
            @Override
            public Interval now() {
                return now;
            }

            @Override
            public ClockState state() {
                return new ClockState(
                        ClockState.Source.CHRONY, synchronised, 0, synchronised ? "" : "alone");
            }
        };
    }

    public static Limits limits(int eventsMax, int commitsMax) {
        return limits(eventsMax, commitsMax, Duration.ofSeconds(2));
    }

    public static Limits limits(int eventsMax, int commitsMax, Duration publishEvery) {
        return limits(eventsMax, commitsMax, publishEvery, Duration.ofDays(1), 1_000_000);
    }

    public static Limits limits(
            int eventsMax,
            int commitsMax,
            Duration publishEvery,
            Duration rollEvery,
            int rollFiles) {
        Limits d = Limits.DEFAULTS;
        return new Limits(
                d.registryShards(),
                d.heldEventsMax(),
                d.eventsInFlightMax(),
                d.retryBackoffMin(),
                d.retryBackoffMax(),
                d.retriesMax(),
                eventsMax,
                commitsMax,
                d.cacheBytes(),
                publishEvery,
                100_000,
                Duration.ofMinutes(10),
                rollEvery,
                rollFiles,
                d.keepLedgers());
    }

    public static JoinerSettings settings(String adapter, Limits limits) {
        return settings(adapter, limits, 16L << 20);
    }

    static JoinerSettings settings(String adapter, Limits limits, long tokenBytesMax) {
        return settings(adapter, limits, tokenBytesMax, UnmatchedRule.never());
    }

    static JoinerSettings settings(
            String adapter, Limits limits, long tokenBytesMax, UnmatchedRule unmatched) {
        return settings(
                new PipelineConfig.Adapter(adapter, Map.of()), limits, tokenBytesMax, unmatched);
    }

    static JoinerSettings settings(
            PipelineConfig.Adapter adapter,
            Limits limits,
            long tokenBytesMax,
            UnmatchedRule unmatched) {
        return new JoinerSettings(
                new HostPort("127.0.0.1", 0),
                PIPELINE,
                "fingerprint",
                SLOT,
                42,
                1_000,
                AdapterHost.trial("bench"),
                adapter,
                limits,
                unmatched,
                Durability.SYNCED,
                64L << 20,
                tokenBytesMax,
                2,
                Duration.ofMillis(100),
                Duration.ofSeconds(10),
                Duration.ofSeconds(20),
                Duration.ofSeconds(5));
    }

    private void received(JoinResponse message) {
        messages.add(message);
        for (JoinResult result : message.getResultsList()) {
            JoinResult before = answers.put(result.getNumber(), result);
            if (before != null) {
                throw new AssertionError(
                        "Event " + result.getNumber() + " was answered twice: " + before + result);
            }
        }
    }

    /** Sends click n; returns its number. */
    public long send(long n) {
        return send(n, null);
    }

    public long send(long n, @Nullable CommitToken lost) {
        long number = ++lastNumber;
        send(List.of(Events.item(number, n, lost)));
        return number;
    }

    /** Asks only whether the primary event of an event has come that was joined without. */
    public long look(long n) {
        long number = ++lastNumber;
        send(List.of(Events.item(number, n, null).toBuilder().setJoinedWithout(true).build()));
        return number;
    }

    public void send(List<JoinItem> items) {
        session.received(JoinRequest.newBuilder().addAllItems(items).build());
    }

    public long nextNumber() {
        return ++lastNumber;
    }

    public long lastNumber() {
        return lastNumber;
    }

    /** Empty: it is not answered yet, or without a reason. */
    public String reasonOf(long number) {
        JoinResult result = answers.get(number);
        return result == null ? "" : result.getReason();
    }

    /** What an inquiry says of these tokens. */
    public String known(CommitToken... tokens) {
        List<InquireTokensResponse.Known> known = new ArrayList<>();
        joiner.inquiry()
                .handle(
                        InquireTokensRequest.newBuilder()
                                .setTokens(Packed.tokens(List.of(tokens)))
                                .build(),
                        (InquireTokensResponse r) -> known.addAll(r.getKnownList()));
        return known.toString();
    }

    public JoinerBench run() {
        main.runUntilIdle();
        return this;
    }

    /** Null: not answered yet. */
    public @Nullable Status statusOf(long number) {
        JoinResult result = answers.get(number);
        return result == null ? null : result.getStatus();
    }

    public Status join(long n) {
        long number = send(n);
        run();
        return requireAnswer(number);
    }

    public Status join(long n, CommitToken lost) {
        long number = send(n, lost);
        run();
        return requireAnswer(number);
    }

    private Status requireAnswer(long number) {
        Status status = statusOf(number);
        if (status == null) {
            throw new AssertionError("Event " + number + " was not answered");
        }
        return status;
    }

    @Override
    public void serving(Incarnation incarnation) {
        story.add("serving " + incarnation);
    }

    @Override
    public void startsOver(Incarnation ended, TaskEnd end, String reason, int inARow) {
        story.add("ended " + ended + " " + end + " " + inARow);
    }

    @Override
    public void slotTakenOver(String message) {
        story.add("taken over: " + message);
    }

    @Override
    public void refused(String message) {
        story.add("refused: " + message);
    }
}
