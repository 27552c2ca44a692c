package photon.joiner;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.crash.CrashPoints;
import photon.core.error.BugHandler;
import photon.core.loop.LoopProbe;
import photon.core.rpc.GrpcServer;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.time.IntervalClock;
import photon.core.trace.AttemptTracer;
import photon.joiner.adapters.AdapterFigure;
import photon.joiner.adapters.AdapterFingerprint;
import photon.joiner.incarnation.LifeListener;
import photon.joiner.output.JoinerWorkArea;
import photon.proto.v1.JoinerGrpc;
import photon.registry.api.RegistryUnavailableException;

/** A {@link Joiner} with its threads and its port. Thread-safe. */
public final class JoinerServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(JoinerServer.class);

    private static final Duration CONNECT_MAX = Duration.ofMinutes(1);

    private final JoinerThreads threads;
    private final Duration drainMax;
    private volatile @Nullable Running running;
    private final LoopProbe<JoinerHealth> health;
    private final LoopProbe<Boolean> output;
    private boolean closed;

    private JoinerServer(JoinerThreads threads, Duration drainMax) {
        this.threads = threads;
        this.health = new LoopProbe<>("main", threads.main, () -> running().joiner().health());
        this.output = LoopProbe.of("output", threads.output);
        this.drainMax = drainMax;
    }

    private record Running(Joiner joiner, GrpcServer server, JoinerPeers peers) {}

    /**
     * Connects, listens, and begins to register; it serves once the registry has answered that,
     * which {@code listener} and {@link #status()} tell.
     *
     * @param area the output directory, opened by the caller
     * @param rpcs of this process
     * @param clock only measures
     * @param tracer told of attempts, in the main loop
     * @throws photon.core.error.ConfigException if the address or the adapter cannot be used
     * @throws RegistryUnavailableException if no registry server knows the pipeline for a minute
     */
    public static JoinerServer start(
            JoinerSettings settings,
            JoinerWorkArea area,
            JoinerPeers.Connector connector,
            ProcessRpcs rpcs,
            IntervalClock clock,
            RandomGenerator random,
            CrashPoints crashPoints,
            BugHandler bugs,
            AttemptTracer tracer,
            LifeListener listener) {
        JoinerThreads threads = new JoinerThreads(settings, bugs);
        JoinerServer made = new JoinerServer(threads, settings.drainMax());
        CompletableFuture<Running> started = new CompletableFuture<>();
        threads.main.execute(
                () ->
                        connector
                                .connect(threads.main)
                                .thenApply(
                                        peers ->
                                                made.open(
                                                        settings,
                                                        area,
                                                        peers,
                                                        rpcs,
                                                        clock,
                                                        random,
                                                        crashPoints,
                                                        tracer,
                                                        listener))
                                .whenComplete(
                                        (running, failure) -> {
                                            if (failure != null) {
                                                started.completeExceptionally(failure);
                                            } else {
                                                started.complete(running);
                                            }
                                        }));
        try {
            made.running = started.get(CONNECT_MAX.toMillis(), TimeUnit.MILLISECONDS);
            return made;
        } catch (ExecutionException e) {
            threads.close();
            throw e.getCause() instanceof RuntimeException cause
                    ? cause
                    : new CompletionException(e.getCause());
        } catch (TimeoutException e) {
            threads.close();
            throw new RegistryUnavailableException(
                    "no registry server has answered for the pipeline within %s s: start a majority of them, and then this again"
                            .formatted(CONNECT_MAX.toSeconds()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            threads.close();
            throw new CompletionException(e);
        }
    }

    /** In the main loop, as one task: what comes in over the new port waits behind it. */
    private Running open(
            JoinerSettings settings,
            JoinerWorkArea area,
            JoinerPeers peers,
            ProcessRpcs rpcs,
            IntervalClock clock,
            RandomGenerator random,
            CrashPoints crashPoints,
            AttemptTracer tracer,
            LifeListener listener) {
        GrpcServer server = null;
        try {
            server =
                    GrpcServer.at(settings.listen(), threads.main)
                            .within(rpcs)
                            .session(
                                    JoinerGrpc.getJoinMethod(),
                                    out -> running().joiner().service().opened(out))
                            .unary(
                                    JoinerGrpc.getInquireTokensMethod(),
                                    (request, respond) ->
                                            running().joiner().inquiry().handle(request, respond))
                            .start();
            Joiner joiner =
                    new Joiner(
                            settings,
                            server.address().toString(),
                            new Joiner.Loops(threads.main, threads.output, threads.adapters),
                            peers,
                            area,
                            clock,
                            random,
                            crashPoints,
                            tracer,
                            listener);
            Running opened = new Running(joiner, server, peers);
            running = opened;
            joiner.start();
            return opened;
        } catch (RuntimeException e) {
            if (server != null) {
                server.close();
            }
            peers.close();
            throw e;
        }
    }

    private Running running() {
        return requireNonNull(running, "running");
    }

    /** Where it really listens. */
    public HostPort address() {
        return running().server().address();
    }

    /** A moment ago. */
    public JoinerStatus status() {
        return running().joiner().status();
    }

    /** How long events took for each stage of their way: {@link Joiner#stages}. */
    public Map<String, SortedMap<Long, Long>> stages() {
        return running().joiner().stages();
    }

    /** Which adapter joins. */
    public AdapterFingerprint adapterFingerprint() {
        return running().joiner().adapterFingerprint();
    }

    /** What the adapter counts and times itself. */
    public List<AdapterFigure> adapterFigures() {
        return running().joiner().adapterFigures();
    }

    /** Whether its work gets through, as its main loop knows it. */
    public LoopProbe<JoinerHealth> health() {
        return health;
    }

    /** Whether the loop runs that writes the output. */
    public LoopProbe<Boolean> output() {
        return output;
    }

    /** How long events took until they were durable: {@link Joiner#durableDelay}. */
    public SortedMap<Long, Long> durableDelay() {
        return running().joiner().durableDelay();
    }

    /** Begins to publish what is joined so far, before it is due. */
    public void publishNow() {
        threads.main.execute(() -> running().joiner().publishNow());
    }

    /**
     * Drains within the bound of the settings, and leaves. Safe to call twice.
     *
     * @see #closeAndTell
     */
    @Override
    public void close() {
        closeAndTell();
    }

    /** As {@link #close}; true if it was clean: all was answered and published. */
    public synchronized boolean closeAndTell() {
        if (closed) {
            return false;
        }
        closed = true;
        Running now = running();
        boolean clean = drain(now);
        now.server().close();
        CompletableFuture<Boolean> disconnected = new CompletableFuture<>();
        threads.main.execute(
                () -> {
                    now.peers().close();
                    disconnected.complete(true);
                });
        await(disconnected, Duration.ofSeconds(10));
        threads.close();
        now.joiner().closeAdapter();
        return clean;
    }

    private boolean drain(Running now) {
        CompletableFuture<Boolean> drained = new CompletableFuture<>();
        threads.main.execute(() -> now.joiner().close(drained::complete));
        boolean clean = await(drained, drainMax.plusSeconds(5));
        if (!clean) {
            log.warn("The joiner at {} was not closed cleanly: {}", address(), status());
        }
        return clean;
    }

    private static boolean await(CompletableFuture<Boolean> future, Duration bound) {
        try {
            return future.get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
