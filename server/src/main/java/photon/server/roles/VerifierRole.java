package photon.server.roles;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import photon.core.config.PipelineConfig;
import photon.core.loop.EventLoop;
import photon.core.loop.LoopProbe;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.FollowingCaller;
import photon.core.rpc.GrpcChannels;
import photon.core.rpc.HostPort;
import photon.dispatcher.lease.DispatcherAddress;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.proto.v1.DispatcherGrpc;
import photon.registry.client.RegistryConnection;
import photon.server.datacenters.DatacenterPaths;
import photon.storage.output.OutputDirectory;
import photon.verifier.repair.RepairServer;
import photon.verifier.repair.RepairSettings;
import photon.verifier.repair.RepairStatus;
import photon.verifier.retention.RetentionStatus;
import photon.verifier.source.ForeignLogs;
import photon.verifier.source.IdHolders;
import photon.verifier.source.OutputFiles;
import photon.verifier.source.RegisteredState;

/** A datacenter's verifier with its loops and connections. Thread-safe. */
public final class VerifierRole implements AutoCloseable {
    private static final Duration ROWS_DEADLINE = Duration.ofSeconds(30);

    private final ThreadLoop loop;

    /** For silent slots: repairs read files in the other one, for seconds at a time. */
    private final ThreadLoop silenceLoop;

    private final Parts parts;
    private final RegistryConnection silenceRegistry;
    private final LoopProbe<Waits> health;
    private final LoopProbe<OptionalLong> silenceHealth;

    private record Parts(
            RepairServer server,
            RegistryConnection registry,
            GrpcChannels channels,
            HandOver<AddRepairRowsRequest, AddRepairRowsResponse> dispatcher) {}

    /**
     * What it waits for, as its loop knows it.
     *
     * @param listingNanos when it asked for the registry's list of incarnations that has not come
     * @param rowsNanos since when the dispatcher has not answered for repair rows
     */
    record Waits(OptionalLong listingNanos, OptionalLong rowsNanos) {}

    private VerifierRole(
            ThreadLoop loop,
            ThreadLoop silenceLoop,
            Parts parts,
            RegistryConnection silenceRegistry) {
        this.loop = loop;
        this.silenceLoop = silenceLoop;
        this.parts = parts;
        this.silenceRegistry = silenceRegistry;
        this.health = new LoopProbe<>("main", loop, this::waits);
        this.silenceHealth =
                new LoopProbe<>("silence", silenceLoop, parts.server()::silenceListingNanos);
    }

    private Waits waits() {
        RepairStatus status = parts.server().status();
        if (status.idle() && status.waiting().isEmpty()) {
            // The incarnation was given up, say, while the dispatcher was away.
            parts.dispatcher().nothingIsWanted();
        }
        return new Waits(parts.server().listingNanos(), parts.dispatcher().unansweredNanos());
    }

    static VerifierRole start(
            PipelineConfig config,
            Environment environment,
            DatacenterPaths paths,
            OpenedPipeline admission,
            OutputDirectory output,
            HostPort dispatcherAddress,
            Function<EventLoop, RegistryConnection> connect) {
        ThreadLoop loop = new ThreadLoop(paths.datacenter() + "-verifier", 64, environment.bugs());
        ThreadLoop silenceLoop =
                new ThreadLoop(paths.datacenter() + "-verifier-silence", 64, environment.bugs());
        RegistryConnection silenceRegistry = connected(silenceLoop, connect);
        CompletableFuture<Parts> made = new CompletableFuture<>();
        loop.execute(
                () -> {
                    RegistryConnection registry = connect.apply(loop);
                    GrpcChannels channels = new GrpcChannels(loop, environment.rpcs());
                    HandOver<AddRepairRowsRequest, AddRepairRowsResponse> dispatcher =
                            new HandOver<>(
                                    rows(channels, dispatcherAddress, paths, environment),
                                    loop::nanoTime);
                    made.complete(
                            new Parts(
                                    RepairServer.start(
                                            settings(config, paths, admission),
                                            loop,
                                            new RepairServer.Watching(
                                                    silenceLoop, silenceRegistry.control()),
                                            environment.files(),
                                            registry.control(),
                                            IdHolders.of(registry::registry),
                                            RegisteredState.of(
                                                    registry.states(),
                                                    admission.pipeline(),
                                                    paths.datacenter()),
                                            OutputFiles.of(output),
                                            ForeignLogs.of(
                                                    environment.files(),
                                                    config.foreign(),
                                                    environment.clock()),
                                            dispatcher,
                                            environment.crashPoints(),
                                            environment.clock()),
                                    registry,
                                    channels,
                                    dispatcher));
                });
        VerifierRole role = new VerifierRole(loop, silenceLoop, made.join(), silenceRegistry);
        LeftStatus.keep(
                loop, environment.files(), paths.verifier(), environment.clock(), role::status);
        return role;
    }

    private static RepairSettings settings(
            PipelineConfig config, DatacenterPaths paths, OpenedPipeline admission) {
        return new RepairSettings(
                paths.datacenter(),
                admission.pipeline(),
                paths.verifier(),
                paths.verifierLedger(),
                paths.verifierOwn() + "/scratch",
                paths.dispatcher(),
                config.repair().giveUpAfter(),
                config.repair().fenceAfter(),
                config.retention(),
                config.limits().keepLedgers());
    }

    private static RegistryConnection connected(
            EventLoop loop, Function<EventLoop, RegistryConnection> connect) {
        CompletableFuture<RegistryConnection> connected = new CompletableFuture<>();
        loop.execute(() -> connected.complete(connect.apply(loop)));
        return connected.join();
    }

    /** To where a dispatcher is now: on which machine, the leases say. */
    private static Caller<AddRepairRowsRequest, AddRepairRowsResponse> rows(
            GrpcChannels channels,
            HostPort configured,
            DatacenterPaths paths,
            Environment environment) {
        return new FollowingCaller<>(
                paths.isShared()
                        ? new DispatcherAddress(environment.files(), paths.dispatcher(), configured)
                        : () -> configured,
                at -> channels.unary(at, DispatcherGrpc.getAddRepairRowsMethod(), ROWS_DEADLINE));
    }

    public RepairStatus status() {
        return parts.server().status();
    }

    public RetentionStatus retention() {
        return parts.server().retention();
    }

    /** What it waits for. */
    LoopProbe<Waits> health() {
        return health;
    }

    /**
     * Of the loop in which silent slots are looked for: when it asked for the list of incarnations
     * that has not come.
     */
    LoopProbe<OptionalLong> silenceHealth() {
        return silenceHealth;
    }

    /** Looks for incarnations to repair at once. */
    public void wake() {
        parts.server().wake();
    }

    @Override
    public void close() {
        parts.server().close();
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        loop.execute(
                () -> {
                    parts.dispatcher().close();
                    parts.registry().close();
                    parts.channels().close();
                    closed.complete(true);
                });
        closed.join();
        loop.close();
        CompletableFuture<Boolean> disconnected = new CompletableFuture<>();
        silenceLoop.execute(
                () -> {
                    silenceRegistry.close();
                    disconnected.complete(true);
                });
        disconnected.join();
        silenceLoop.close();
    }
}
