package photon.server.roles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.config.DeploymentConfig;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.loop.EventLoop;
import photon.core.rpc.HostPort;
import photon.core.share.EventStoreShares;
import photon.core.share.StoreShare;
import photon.dispatcher.DispatcherServer;
import photon.dispatcher.DispatcherSettings;
import photon.dispatcher.RegisteredStateLookup;
import photon.dispatcher.StateEntrance;
import photon.eventstore.server.EventStoreServer;
import photon.eventstore.server.EventStoreSettings;
import photon.joiner.JoinerPeers;
import photon.joiner.JoinerServer;
import photon.joiner.JoinerSettings;
import photon.joiner.incarnation.LifeListener;
import photon.joiner.output.JoinerWorkArea;
import photon.registry.admin.ControlSession;
import photon.registry.api.DispatcherStates;
import photon.registry.api.RegistryClient;
import photon.registry.api.RetiredDatacenter;
import photon.registry.client.GrpcRegistry;
import photon.registry.client.RegistryConnection;
import photon.server.datacenters.DatacenterPaths;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;
import photon.storage.output.format.OutputFormats;

/** Starts the daemons of one datacenter. */
public final class Roles {
    /** A process that starts has heard from the registry a moment ago. */
    private static final Duration REGISTRY_PATIENCE = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(Roles.class);

    private final PipelineConfig config;
    private final Environment environment;

    public Roles(PipelineConfig config, Environment environment) {
        this.config = config;
        this.environment = environment;
    }

    /** One that is alone. */
    public EventStoreServer eventStore(DatacenterPaths paths, HostPort listen) {
        return eventStore(paths, DeploymentConfig.EVENT_STORE_DEFAULT, listen, StoreShare.WHOLE);
    }

    /**
     * @param name of the store within its datacenter
     * @param share what it keeps
     */
    EventStoreServer eventStore(
            DatacenterPaths paths, String name, HostPort listen, StoreShare share) {
        return EventStoreServer.start(
                new EventStoreSettings(
                        listen,
                        paths.eventStore(name),
                        paths.eventStoreLedger(name),
                        share,
                        config.primary(),
                        config.limits().cacheBytes(),
                        config.retention(),
                        config.limits().keepLedgers()),
                environment.files(),
                environment.rpcs(),
                environment.clock(),
                environment.bugs());
    }

    /**
     * Opens the datacenter's output directory, making it with the pipeline's identity if it is new.
     */
    public OutputDirectory output(DatacenterPaths paths, OpenedPipeline admission)
            throws IOException {
        return OutputDirectory.open(
                environment.files(),
                paths.outputDirectory(),
                new OutputIdentity(
                        admission.pipeline().toString(),
                        admission.fingerprint(),
                        paths.datacenter(),
                        randomHex(environment.random())),
                OutputFormats.of(config.output()),
                environment.crashPoints(),
                environment.clock());
    }

    /**
     * @param name of the joiner within its datacenter, such as {@code joiner-0}
     * @param eventStores each at its place in {@code shares}
     */
    public JoinerServer joiner(
            DatacenterPaths paths,
            String name,
            HostPort listen,
            OpenedPipeline admission,
            OutputDirectory output,
            List<HostPort> eventStores,
            EventStoreShares shares,
            LifeListener listener) {
        String slot = paths.datacenter() + "/" + name;
        long started = environment.clock().now().earliestMicros();
        JoinerServer joiner =
                JoinerServer.start(
                        JoinerSettings.of(
                                config,
                                listen,
                                admission.pipeline(),
                                admission.fingerprint(),
                                slot,
                                ProcessHandle.current().pid(),
                                started),
                        JoinerWorkArea.of(output),
                        JoinerPeers.overGrpc(
                                admission.servers(),
                                config.pipeline(),
                                admission.description(),
                                eventStores,
                                shares,
                                environment.rpcs(),
                                environment.random()),
                        environment.rpcs(),
                        environment.clock(),
                        environment.random(),
                        environment.crashPoints(),
                        environment.bugs(),
                        environment.traces().tracer(paths.datacenter()),
                        listener);
        AdapterNote.take(
                joiner.adapterFingerprint(),
                environment.files(),
                paths.outputDirectory(),
                started,
                slot);
        return joiner;
    }

    private RegistryConnection connect(EventLoop loop, List<HostPort> servers, String actor) {
        return GrpcRegistry.connect(
                loop, servers, config.pipeline(), environment.rpcs(), environment.random(), actor);
    }

    /**
     * Of a state that nobody shares.
     *
     * @param stateLost the registered state, which an operator says is lost for good; empty: none
     * @throws ConfigException if the registered state is not here, or another one is: names both
     */
    public DispatcherServer dispatcher(
            DatacenterPaths paths,
            HostPort listen,
            List<HostPort> joiners,
            List<HostPort> eventStores,
            EventStoreShares shares,
            OpenedPipeline admission,
            Optional<UUID> stateLost)
            throws IOException {
        StateEntrance.OpenedState state = dispatcherState(paths, 1, admission, stateLost);
        return DispatcherServer.start(
                settings(paths, listen, joiners, eventStores, shares, admission, state),
                dispatcherEnvironment(paths, admission));
    }

    /**
     * The same, of a state that dispatchers on other machines may work with: as one of them.
     *
     * @param partitions of a state that is made now
     * @param name the same in all lives of this dispatcher
     */
    DispatcherServer sharingDispatcher(
            DatacenterPaths paths,
            HostPort listen,
            List<HostPort> joiners,
            List<HostPort> eventStores,
            EventStoreShares shares,
            OpenedPipeline admission,
            Optional<UUID> stateLost,
            int partitions,
            String name)
            throws IOException {
        StateEntrance.OpenedState state = dispatcherState(paths, partitions, admission, stateLost);
        if (state.partitions().count() != partitions) {
            LOG.warn(
                    "deployment.partitions is {}, but the state in {} was made with {}, and stays"
                            + " so",
                    partitions,
                    state.partitions().state(),
                    state.partitions().count());
        }
        return DispatcherServer.share(
                settings(paths, listen, joiners, eventStores, shares, admission, state),
                dispatcherEnvironment(paths, admission),
                name,
                loop -> {
                    RegistryConnection registry =
                            connect(loop, admission.servers(), "dispatcher/states");
                    return new RegisteredStateLookup(
                            () ->
                                    registry.states()
                                            .registered(admission.pipeline(), paths.datacenter())
                                            .thenApply(DispatcherStates.Registered::state),
                            registry::close);
                });
    }

    private DispatcherSettings settings(
            DatacenterPaths paths,
            HostPort listen,
            List<HostPort> joiners,
            List<HostPort> eventStores,
            EventStoreShares shares,
            OpenedPipeline admission,
            StateEntrance.OpenedState state) {
        return new DispatcherSettings(
                listen,
                joiners,
                eventStores,
                shares,
                paths.datacenter(),
                takingPart(admission),
                state.identity(),
                state.partitions(),
                config.foreign(),
                config.stagger(),
                config.limits());
    }

    private DispatcherServer.Environment dispatcherEnvironment(
            DatacenterPaths paths, OpenedPipeline admission) {
        return new DispatcherServer.Environment(
                environment.files(),
                loop -> registryClient(loop, admission),
                environment.rpcs(),
                environment.clock(),
                environment.random(),
                environment.crashPoints(),
                environment.bugs(),
                environment.traces().tracer(paths.datacenter()));
    }

    /** No event waits for a datacenter that is retired. */
    private List<String> takingPart(OpenedPipeline admission) {
        List<String> names = new ArrayList<>(config.datacenters());
        for (RetiredDatacenter retired : admission.held().retired()) {
            if (names.remove(retired.name())) {
                LOG.warn(
                        "datacenters is {}, and {}: leave it out",
                        config.datacenters(),
                        retired.refusal());
            }
        }
        return names;
    }

    private StateEntrance.OpenedState dispatcherState(
            DatacenterPaths paths,
            int partitions,
            OpenedPipeline admission,
            Optional<UUID> stateLost)
            throws IOException {
        try {
            return new ControlSession(
                            admission.servers(), REGISTRY_PATIENCE, environment.rpcs().security())
                    .ask(
                            connection ->
                                    new StateEntrance(
                                                    Runnable::run,
                                                    environment.files(),
                                                    paths.dispatcher(),
                                                    partitions,
                                                    connection.states(),
                                                    admission.pipeline(),
                                                    paths.datacenter(),
                                                    stateLost,
                                                    UUID::randomUUID)
                                            .enter());
        } catch (TimeoutException e) {
            throw new FailedException(
                    "%s's control group within %d minutes: expected a majority of %s"
                            .formatted(
                                    DaemonRun.NO_REGISTRY,
                                    REGISTRY_PATIENCE.toMinutes(),
                                    admission.servers()));
        } catch (UncheckedIOException e) {
            throw new IOException(
                    "The dispatcher's state in " + paths.dispatcher() + " cannot be used",
                    e.getCause());
        }
    }

    private RegistryClient registryClient(EventLoop loop, OpenedPipeline admission) {
        return connect(loop, admission.servers(), "dispatcher")
                .soleRegistry(admission.description());
    }

    /** Repairs the datacenter's incarnations, now and from now on. */
    public VerifierRole verifier(
            DatacenterPaths paths,
            OpenedPipeline admission,
            OutputDirectory output,
            HostPort dispatcher) {
        return VerifierRole.start(
                config,
                environment,
                paths,
                admission,
                output,
                dispatcher,
                loop -> connect(loop, admission.servers(), paths.datacenter() + "/verifier"));
    }

    private static String randomHex(RandomGenerator random) {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
