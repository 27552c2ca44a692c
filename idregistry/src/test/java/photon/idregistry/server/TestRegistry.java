package photon.idregistry.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.rpc.RpcSecurity;
import photon.core.time.IntervalClock;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.leaders.PreferredLeaderBalancer;
import photon.idregistry.raft.FreePorts;
import photon.idregistry.raft.RaftTuning;
import photon.idregistry.raft.TestNodes;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.idregistry.server.counts.RegistryStats;

/** Real servers on loopback, three unless told otherwise, in one process. */
public final class TestRegistry implements AutoCloseable {
    public static final int SERVERS = 3;
    private static final int SERVERS_MAX = 5;

    /** Some elections in a row on a busy machine. */
    private static final int SECONDS_MAX = 120;

    /** The time that every server's clock tells; ids of the tests lie before it. */
    static final long NOW_MICROS = 1_000_000_000_000L;

    /** What it has passed for sure. */
    static final long PASSED_MICROS = NOW_MICROS - 5;

    /** Little, so that ids are put into files. */
    private static final long MEMORY_BYTES = 32 << 10;

    static final Duration MAX_SKEW = Duration.ofSeconds(10);

    /** Of each server's clock; the test may move them. */
    final AtomicLongArray nowMicros = new AtomicLongArray(SERVERS_MAX);

    /** Of each server that is started from now on. */
    public PreferredLeaderBalancer.Pace leaderBalancing = PreferredLeaderBalancer.Pace.DEFAULT;

    /** Of each server that is started from now on. */
    IntFunction<RpcSecurity> security = n -> RpcSecurity.PLAINTEXT;

    /** Of each client that is made from now on. */
    RpcSecurity ofClients = RpcSecurity.PLAINTEXT;

    public final Queue<String> bugs = new ConcurrentLinkedQueue<>();
    final List<RegistryServerConfig.Peer> peers = new ArrayList<>();

    /** Of those to be started from now on: how many servers the configuration lists. */
    public int listed;

    private final Path root;
    private final RaftTuning tuning;
    private final @Nullable RegistryServer[] servers;

    public TestRegistry(Path root) {
        this(root, RaftTuning.LAN.withElection(Duration.ofMillis(400), Duration.ofMillis(800)));
    }

    public TestRegistry(Path root, RaftTuning tuning) {
        this(root, tuning, SERVERS);
    }

    public TestRegistry(Path root, RaftTuning tuning, int count) {
        this.root = root;
        this.tuning = tuning;
        this.servers = new RegistryServer[count];
        this.listed = count;
        for (int n = 0; n < count; n++) {
            nowMicros.set(n, NOW_MICROS);
            peers.add(new RegistryServerConfig.Peer("r" + n, FreePorts.next(), FreePorts.next()));
        }
    }

    RegistryServerConfig config(int n) {
        return new RegistryServerConfig(
                "r" + n,
                peers.subList(0, listed),
                root.resolve("r" + n),
                tuning,
                MAX_SKEW,
                BatchLimits.DEFAULTS,
                Duration.ofMillis(50),
                MEMORY_BYTES,
                leaderBalancing);
    }

    public void start(int n) {
        IntervalClock clock =
                () ->
                        new IntervalClock.Interval(
                                nowMicros.get(n) - (NOW_MICROS - PASSED_MICROS), nowMicros.get(n));
        servers[n] =
                RegistryServer.start(
                        config(n),
                        new ProcessRpcs(security.apply(n)),
                        clock,
                        (where, bug) -> bugs.add(where + ": " + bug));
    }

    /** Those that are listed. In a thread each: at the first start each waits for the others. */
    public void startAll() {
        List<CompletableFuture<Void>> starting =
                IntStream.range(0, listed)
                        .mapToObj(
                                n ->
                                        CompletableFuture.runAsync(
                                                () -> start(n), task -> new Thread(task).start()))
                        .toList();
        // One that fails leaves the others waiting: it is what people need to know.
        CompletableFuture<Void> failed = new CompletableFuture<>();
        starting.forEach(
                started ->
                        started.exceptionally(
                                why -> {
                                    failed.completeExceptionally(why);
                                    return null;
                                }));
        CompletableFuture.anyOf(
                        failed, CompletableFuture.allOf(starting.toArray(CompletableFuture[]::new)))
                .orTimeout(SECONDS_MAX, TimeUnit.SECONDS)
                .join();
    }

    /** While the others stay: in good order. */
    public void stop(int n) {
        server(n).handOver();
        end(n);
    }

    /** Without giving anything away before. */
    public void end(int n) {
        end(n, RegistryServer::close);
    }

    private void end(int n, Consumer<RegistryServer> close) {
        RegistryServer server = servers[n];
        if (server != null) {
            close.accept(server);
            servers[n] = null;
        }
    }

    public void stopAll() {
        TestNodes.sideBySide(servers.length, this::end);
    }

    public Path data(int n) {
        return root.resolve("r" + n);
    }

    public RegistryServer server(int n) {
        return java.util.Objects.requireNonNull(servers[n]);
    }

    public boolean runs(int n) {
        return servers[n] != null;
    }

    /** Group to whether this server leads it; empty if it does not run. */
    public java.util.Map<String, Boolean> statsOf(int n) {
        RegistryServer server = servers[n];
        return server == null ? java.util.Map.of() : server.stats().leads();
    }

    public List<HostPort> services() {
        return peers.stream().limit(listed).map(RegistryServerConfig.Peer::service).toList();
    }

    /** The running server that leads the group of that name. */
    public int leader(String group) {
        int[] found = {-1};
        await(
                () -> {
                    for (int n = 0; n < servers.length; n++) {
                        RegistryServer server = servers[n];
                        if (server != null && server.stats().leads().getOrDefault(group, false)) {
                            found[0] = n;
                        }
                    }
                    return found[0] >= 0;
                });
        return found[0];
    }

    RegistryStats sum() {
        long entries = 0;
        long ids = 0;
        for (RegistryServer server : Arrays.asList(servers)) {
            if (server != null) {
                entries += server.stats().commitEntries();
                ids += server.stats().committedIds();
            }
        }
        return new RegistryStats(entries, ids, java.util.Map.of());
    }

    public static void await(BooleanSupplier holds) {
        await(holds, SECONDS_MAX);
    }

    public static void await(BooleanSupplier holds, int secondsMax) {
        await(holds, secondsMax, () -> "");
    }

    /**
     * @param state what people need who read that it has not come to this
     */
    public static void await(BooleanSupplier holds, int secondsMax, Supplier<String> state) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(secondsMax);
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + secondsMax + " s. " + state.get());
            }
            java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    @Override
    public void close() {
        // Of what comes behind its files nothing is asked any more.
        TestNodes.sideBySide(servers.length, n -> end(n, RegistryServer::closeFiles));
    }
}
