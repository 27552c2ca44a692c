package photon.dispatcher;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.crash.CrashPoints;
import photon.core.error.BugHandler;
import photon.core.error.Failures;
import photon.core.loop.EventLoop;
import photon.core.loop.LoopProbe;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.GrpcChannels;
import photon.core.rpc.GrpcServer;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.share.EventStoreShares;
import photon.core.time.IntervalClock;
import photon.core.trace.AttemptTracer;
import photon.dispatcher.flow.EventStoreCallers;
import photon.dispatcher.flow.Flow;
import photon.dispatcher.flow.FlowSettings;
import photon.dispatcher.flow.HeldUp;
import photon.dispatcher.flow.LogsHandler;
import photon.dispatcher.flow.Loops;
import photon.dispatcher.flow.PartitionFlows;
import photon.dispatcher.flow.PartitionWork;
import photon.dispatcher.flow.RepairRowsHandler;
import photon.dispatcher.flow.StateFiles;
import photon.dispatcher.rules.KeptPositions;
import photon.dispatcher.rules.Stagger;
import photon.dispatcher.state.DispatcherHealth;
import photon.dispatcher.state.DispatcherStatus;
import photon.dispatcher.state.StateDirectory;
import photon.proto.v1.DispatcherGrpc;
import photon.proto.v1.EventStoreGrpc;
import photon.proto.v1.JoinerGrpc;
import photon.registry.api.RegistryClient;
import photon.storage.files.FileStore;
import photon.storage.files.StreamListing;
import photon.storage.lease.Node;
import photon.storage.lease.PartitionLeases;
import photon.storage.tail.LogShare;
import photon.storage.tail.LogTail;

/**
 * A running dispatcher: its loops, its connections, and the flow between them. Thread-safe. Nothing
 * else in this module starts a thread.
 */
public final class DispatcherServer implements AutoCloseable {
    /** How often offsets are stored. */
    public static final Duration CHECKPOINT_EVERY = Duration.ofMillis(500);

    /** How long closing lets events end that are on their way. */
    public static final Duration DRAIN = Duration.ofSeconds(5);

    /** How long an event store that is alone may take to say how far it has read. */
    public static final Duration FRONTIER_DEADLINE = Duration.ofSeconds(5);

    /** The same where there are others. */
    public static final Duration FRONTIER_DEADLINE_OF_SEVERAL = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(DispatcherServer.class);
    private static final Duration CLOSE = Duration.ofSeconds(30);
    private static final int CLAIMS_AT_A_TIME = 4;
    private static final Duration LEAVE_MAX = Duration.ofSeconds(10);
    private static final int OFFERS_MAX = 1_024;

    private final Loops loops;
    private final Parts parts;
    private final Optional<Leases> leases;
    private final LoopProbe<DispatcherHealth> health;
    private final List<LoopProbe<Boolean>> fileLoops;
    private final CompletableFuture<@Nullable Void> stopped = new CompletableFuture<>();
    private boolean closed;

    private DispatcherServer(Loops loops, Parts parts, Optional<Leases> leases) {
        this.loops = loops;
        this.parts = parts;
        this.leases = leases;
        this.health = new LoopProbe<>("main", loops.main(), parts.flows()::health);
        List<LoopProbe<Boolean>> probes = new ArrayList<>();
        probes.add(LoopProbe.of("reader", loops.reader()));
        probes.add(LoopProbe.of("journal", loops.journal()));
        leases.ifPresent(shared -> probes.add(LoopProbe.of("leases", shared.loop())));
        this.fileLoops = List.copyOf(probes);
    }

    /** What is made in the main loop. */
    private record Parts(
            PartitionFlows flows,
            GrpcChannels channels,
            RegistryClient registry,
            GrpcServer server) {}

    /** Its part in the work that it shares with others. */
    private record Leases(
            PartitionLeases leases,
            ThreadLoop loop,
            List<ThreadLoop> claims,
            RegisteredStateLookup states) {}

    /**
     * What a dispatcher stands on.
     *
     * @param tracer told of attempts, in the main loop
     */
    public record Environment(
            FileStore files,
            Function<EventLoop, RegistryClient> registry,
            ProcessRpcs rpcs,
            IntervalClock clock,
            RandomGenerator random,
            CrashPoints crashPoints,
            BugHandler bugs,
            AttemptTracer tracer) {}

    /**
     * Claims a state that is not divided, and that nobody shares, binds the port and begins to
     * read.
     *
     * @throws IOException if the state cannot be read or claimed
     * @throws photon.core.error.ConfigException if the port cannot be bound
     */
    public static DispatcherServer start(DispatcherSettings settings, Environment environment)
            throws IOException {
        StateFiles state =
                StateFiles.open(
                        environment.files(),
                        new StateDirectory(settings.partitions().directory(0)));
        Loops loops = loops(settings, environment);
        try {
            Parts parts = inLoop(loops.main(), () -> make(settings, environment, loops));
            inLoop(
                    loops.main(),
                    () -> {
                        parts.flows().begin(0, state);
                        return true;
                    });
            return new DispatcherServer(loops, parts, Optional.empty());
        } catch (RuntimeException e) {
            closeLoops(loops);
            state.close();
            throw e;
        }
    }

    /**
     * As one of the dispatchers that share a state: binds the port and takes its share of the
     * partitions as soon, and as long, as it may.
     *
     * @param name the same in all lives of this dispatcher, of which no two go on at one time
     * @param registered made in the main loop; asked for each partition, before it is worked on
     * @throws photon.core.error.ConfigException if the port cannot be bound
     */
    public static DispatcherServer share(
            DispatcherSettings settings,
            Environment environment,
            String name,
            Function<EventLoop, RegisteredStateLookup> registered) {
        Loops loops = loops(settings, environment);
        Parts parts;
        RegisteredStateLookup states;
        try {
            parts = inLoop(loops.main(), () -> make(settings, environment, loops));
            states = inLoop(loops.main(), () -> registered.apply(loops.main()));
        } catch (RuntimeException e) {
            closeLoops(loops);
            throw e;
        }
        ThreadLoop loop =
                new ThreadLoop(
                        settings.datacenter() + "-dispatcher-leases",
                        OFFERS_MAX,
                        environment.bugs());
        List<ThreadLoop> claims = claims(settings, environment);
        PartitionLeases leases =
                PartitionLeases.join(
                        loop,
                        environment.files(),
                        settings.partitions(),
                        new Node(
                                name,
                                parts.server().address().toString(),
                                Runtime.getRuntime().availableProcessors(),
                                PartitionLeases.TERM.toMillis()),
                        environment.random(),
                        new PartitionWork(
                                settings.partitions(),
                                environment.files(),
                                loops,
                                claims,
                                parts.flows(),
                                settings.state(),
                                states.asked(),
                                environment.bugs()),
                        environment.bugs());
        return new DispatcherServer(
                loops, parts, Optional.of(new Leases(leases, loop, claims, states)));
    }

    /** The recovery of a state mostly waits, for a file system of other machines. */
    private static List<ThreadLoop> claims(DispatcherSettings settings, Environment environment) {
        return IntStream.range(0, Math.min(CLAIMS_AT_A_TIME, settings.partitions().count()))
                .mapToObj(
                        i ->
                                new ThreadLoop(
                                        settings.datacenter() + "-dispatcher-claims-" + i,
                                        OFFERS_MAX,
                                        environment.bugs()))
                .toList();
    }

    private static Loops loops(DispatcherSettings settings, Environment environment) {
        String name = settings.datacenter() + "-dispatcher-";
        return new Loops(
                new ThreadLoop(name + "main", OFFERS_MAX, environment.bugs()),
                new ThreadLoop(name + "reader", OFFERS_MAX, environment.bugs()),
                new ThreadLoop(name + "journal", OFFERS_MAX, environment.bugs()));
    }

    private static Parts make(DispatcherSettings settings, Environment environment, Loops loops) {
        GrpcChannels channels = new GrpcChannels(loops.main(), environment.rpcs());
        RegistryClient registry = environment.registry().apply(loops.main());
        int partitions = settings.partitions().count();
        StreamListing listing =
                new StreamListing(environment.files(), settings.foreign(), partitions);
        PartitionFlows flows =
                new PartitionFlows(
                        loops.main(),
                        partitions,
                        (partition, state) ->
                                flow(
                                        settings,
                                        environment,
                                        loops,
                                        channels,
                                        registry,
                                        state,
                                        new LogTail(
                                                        environment.files(),
                                                        settings.foreign(),
                                                        new LogShare(listing, partition),
                                                        state.resume(),
                                                        environment.clock())
                                                .lookForCopies(
                                                        new OtherPartitions(
                                                                environment.files(),
                                                                settings.partitions(),
                                                                partition.index()))));
        try {
            GrpcServer server =
                    GrpcServer.at(settings.listen(), loops.main())
                            .within(environment.rpcs())
                            .unary(
                                    DispatcherGrpc.getAddRepairRowsMethod(),
                                    new RepairRowsHandler(flows, settings.state()))
                            .unary(
                                    DispatcherGrpc.getLogsMethod(),
                                    LogsHandler.shared(loops.main(), flows))
                            .start();
            return new Parts(flows, channels, registry, server);
        } catch (RuntimeException e) {
            registry.close();
            channels.close();
            throw e;
        }
    }

    private static Flow flow(
            DispatcherSettings settings,
            Environment environment,
            Loops loops,
            GrpcChannels channels,
            RegistryClient registry,
            StateFiles state,
            LogTail tail) {
        return new Flow(
                flowSettings(settings, environment),
                loops,
                state,
                tail,
                settings.joiners().stream()
                        .map(j -> channels.session(j, JoinerGrpc.getJoinMethod()))
                        .toList(),
                eventStores(settings, channels),
                registry,
                environment.crashPoints(),
                environment.bugs());
    }

    private static EventStoreCallers eventStores(
            DispatcherSettings settings, GrpcChannels channels) {
        return new EventStoreCallers(
                settings.shares(),
                settings.eventStores().stream()
                        .map(
                                store ->
                                        new EventStoreCallers.One(
                                                channels.unary(
                                                        store,
                                                        EventStoreGrpc.getFrontierMethod(),
                                                        frontierDeadline(settings.shares())),
                                                channels.session(
                                                        store, EventStoreGrpc.getAwaitMethod())))
                        .toList());
    }

    /** After it, an event store keeps nothing waiting. */
    public static Duration frontierDeadline(EventStoreShares shares) {
        return shares.names().size() == 1 ? FRONTIER_DEADLINE : FRONTIER_DEADLINE_OF_SEVERAL;
    }

    private static FlowSettings flowSettings(DispatcherSettings settings, Environment environment) {
        return new FlowSettings(
                environment.clock(),
                environment.random(),
                new Stagger(settings.datacenter(), settings.datacenters(), settings.stagger()),
                settings.limits(),
                settings.partitions().count(),
                CHECKPOINT_EVERY,
                KeptPositions.MOVED_MAX,
                environment.tracer());
    }

    /** Where it takes repair rows. */
    public HostPort address() {
        return parts.server().address();
    }

    /** Of the state's partitions. */
    public int partitionCount() {
        return parts.flows().count();
    }

    /** Partitions of the logs that it works on, a moment ago. */
    public List<Integer> partitions() {
        return parts.flows().partitions();
    }

    /** How it stands, a moment ago: the sum of all that it works on, and has worked on. */
    public DispatcherStatus status() {
        return parts.flows().status();
    }

    /** How long events took for each stage of their way: {@link PartitionFlows#stages}. */
    public Map<String, SortedMap<Long, Long>> stages() {
        return parts.flows().stages();
    }

    /** How old the rows of its retry journal are that something holds up. */
    public HeldUp.Rows heldUp() {
        return parts.flows().heldUp();
    }

    /** Whether its reading gets through, as its main loop knows it. */
    public LoopProbe<DispatcherHealth> health() {
        return health;
    }

    /** Whether the loops run that read and write files. */
    public List<LoopProbe<Boolean>> fileLoops() {
        return fileLoops;
    }

    /**
     * Tries every row that is in the retry journal now once more, at once.
     *
     * @return completes when each was tried: it is finished, or waits again. Events on their way
     *     have no row yet: call it when none is
     */
    public CompletableFuture<@Nullable Void> retryAllWaiting() {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        loops.main().execute(() -> parts.flows().retryAllWaiting(done));
        return done;
    }

    /**
     * Tries now what waits though it may be settled at once; {@link PartitionFlows#tryDeferred}.
     */
    public void tryDeferred() {
        loops.main().execute(parts.flows()::tryDeferred);
    }

    /**
     * Reads no more, lets what is on its way end (a few seconds), stores the offsets, leaves. Safe
     * to call twice.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        leases.ifPresent(shared -> shared.leases().takeNoMore());
        loops.main().execute(() -> parts.flows().stop(DRAIN, () -> stopped.complete(null)));
        try {
            stopped.get(CLOSE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.warn("The dispatcher did not end cleanly; what it was doing is done again", e);
        }
        parts.server().close();
        leases.ifPresent(DispatcherServer::leave);
        loops.main()
                .execute(
                        () -> {
                            leases.ifPresent(shared -> shared.states().close());
                            parts.registry().close();
                            parts.channels().close();
                        });
        runOut(loops.main());
        closeLoops(loops);
    }

    /** Nothing is written any more: others may begin at once. */
    private static void leave(Leases shared) {
        CompletableFuture<Boolean> left = new CompletableFuture<>();
        shared.leases().leave(() -> left.complete(true));
        try {
            left.get(LEAVE_MAX.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.warn("The leases of the dispatcher's state were not given back in time", e);
        }
        shared.loop().close();
        shared.claims().forEach(ThreadLoop::close);
    }

    private static void closeLoops(Loops loops) {
        loops.main().close();
        loops.reader().close();
        loops.journal().close();
    }

    /** What was handed to the loop so far has run. */
    private static void runOut(EventLoop loop) {
        inLoop(loop, () -> true);
    }

    private static <T> T inLoop(EventLoop loop, Supplier<T> work) {
        CompletableFuture<T> made = new CompletableFuture<>();
        loop.execute(
                () -> {
                    try {
                        made.complete(work.get());
                    } catch (RuntimeException e) {
                        made.completeExceptionally(e);
                    }
                });
        try {
            return made.get(CLOSE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw Failures.unchecked(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while " + loop + " was working", e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("Expected " + loop + " to answer", e);
        }
    }
}
