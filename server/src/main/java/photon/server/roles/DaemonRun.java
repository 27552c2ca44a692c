package photon.server.roles;

import com.fasterxml.jackson.databind.JsonNode;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.config.DeploymentConfig;
import photon.core.config.DeploymentConfig.RegistryReplica;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.id.Incarnation;
import photon.core.rpc.HostPort;
import photon.core.share.EventStoreShares;
import photon.core.share.StoreShare;
import photon.core.time.IntervalClock;
import photon.dispatcher.DispatcherServer;
import photon.eventstore.server.EventStoreServer;
import photon.idregistry.raft.RaftStartException;
import photon.idregistry.server.RegistryServer;
import photon.joiner.JoinerServer;
import photon.joiner.incarnation.LifeListener;
import photon.joiner.task.TaskEnd;
import photon.server.configtest.SettingsCheck;
import photon.server.configtest.StartCheck;
import photon.server.datacenters.DatacenterPaths;
import photon.server.health.DaemonChecks;
import photon.server.health.GrpcHealth;
import photon.server.lifecycle.BuildVersion;
import photon.server.lifecycle.Shutdown;
import photon.server.lifecycle.StateLock;
import photon.server.lifecycle.SystemdNotice;
import photon.server.metrics.DaemonMetrics;
import photon.server.metrics.DelayMetrics;
import photon.server.metrics.DispatcherMetrics;
import photon.server.metrics.HealthMetrics;
import photon.server.metrics.HostMetrics;
import photon.server.metrics.MetricSource;
import photon.server.metrics.RegistryMetrics;
import photon.server.metrics.RetentionMetrics;

/** One daemon, from its lock to its end. */
public final class DaemonRun {
    /** The registry may be started later than the others. */
    private static final Duration REGISTRY_PATIENCE = Duration.ofMinutes(5);

    /** In what a process says that ends since it has waited for the registry in vain. */
    public static final String NO_REGISTRY = "No answer from the registry";

    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    private static final Logger LOG = LoggerFactory.getLogger(DaemonRun.class);

    /** The daemons of the command line. */
    public enum Role {
        REGISTRY,
        EVENTSTORE,
        DISPATCHER,
        JOINER,
        VERIFIER;

        /** As on the command line. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The same, for the help and for shells that complete. */
        @Override
        public String toString() {
            return label();
        }
    }

    /**
     * A daemon that serves.
     *
     * @param name which of its role; empty: there is but one
     * @param status what it is and does, a moment ago; thread-safe
     * @param metricsAt where it tells its metrics
     * @param open what it listens on without encryption, its metrics included
     */
    public record Serving(
            Role role,
            String datacenter,
            String name,
            List<String> addresses,
            Supplier<JsonNode> status,
            Optional<HostPort> metricsAt,
            List<OpenPort> open) {}

    private final PipelineConfig config;
    private final DeploymentConfig deployment;
    private final Environment environment;
    private final Roles roles;
    private volatile @Nullable RuntimeException failure;

    public DaemonRun(PipelineConfig config, DeploymentConfig deployment, Environment environment) {
        this.config = config;
        this.deployment = deployment;
        this.environment = environment;
        this.roles = new Roles(config, environment);
    }

    /**
     * Runs until a shutdown is asked for, or the daemon cannot go on.
     *
     * @param name the registry replica's, the event store's or the joiner's; empty: the default
     * @param stateLost of a dispatcher: its registered state, which is lost for good
     * @param metricsListen where it tells its metrics
     * @param serving told once it serves
     * @throws ConfigException if it cannot serve with this configuration
     * @throws FailedException if it could not go on
     */
    @SuppressWarnings("try") // A lock is held, not used.
    public void run(
            Role role,
            String name,
            Optional<UUID> stateLost,
            Optional<HostPort> metricsListen,
            Shutdown shutdown,
            Consumer<Serving> serving)
            throws IOException {
        SettingsCheck.check(config, role == Role.JOINER);
        Path state = Path.of(deployment.state());
        DatacenterPaths paths = DatacenterPaths.of(deployment.datacenter(), deployment);
        DaemonInstance daemonInstance = DaemonInstance.of(role, name, deployment);
        String instance = daemonInstance.name();
        OwnCertificate.check(environment.rpcs().security(), daemonInstance, deployment);
        Path locked = daemonInstance.lock(deployment);
        // First of all, so that whoever looks sees that it starts.
        try (DaemonHealth health = beginHealth(role, paths);
                DaemonMetricsEndpoint metrics =
                        DaemonMetricsEndpoint.open(
                                metricsListen, health.monitor(), process(role, instance, state));
                SystemdNotice systemd =
                        SystemdNotice.of(System.getenv(), () -> health.monitor().live().passes());
                StateLock lock = StateLock.take(locked, role.label() + " state");
                Daemon daemon =
                        start(role, instance, state, paths, stateLost, locked, health, shutdown)) {
            metrics.serving(daemon.metrics());
            health.serving(daemon.checks());
            serving.accept(
                    new Serving(
                            role,
                            deployment.datacenter(),
                            instance,
                            daemon.addresses().stream().map(HostPort::toString).toList(),
                            daemon.status(),
                            metrics.address(),
                            open(role, instance, daemon, metrics.address())));
            systemd.ready();
            while (!shutdown.awaitRequest(LOOK_EVERY) && failure == null) {
                // Looks again: there is nothing to do but to be there.
            }
            health.ending();
            systemd.stopping();
        }
        RuntimeException why = failure;
        if (why != null) {
            throw why;
        }
    }

    /** What is told from the first moment on. */
    private List<MetricSource> process(Role role, String instance, Path state) {
        List<MetricSource> sources = new ArrayList<>();
        sources.add(
                DaemonMetrics.process(
                        role.label(),
                        config.pipeline(),
                        deployment.datacenter(),
                        instance,
                        BuildVersion.text(),
                        environment.rpcs()::total));
        sources.add(HostMetrics.disk(state));
        sources.add(environment.traces().metrics());
        environment.rpcs().security().files().map(HostMetrics::tls).ifPresent(sources::add);
        return sources;
    }

    private DaemonHealth beginHealth(Role role, DatacenterPaths paths) {
        DaemonHealth health =
                DaemonHealth.begin(
                        role,
                        config.pipeline(),
                        deployment,
                        nearestFirst(paths.datacenter()),
                        environment);
        environment.rpcs().serveEverywhere(GrpcHealth.of(health.monitor()));
        environment.rpcs().serveEverywhere(ProtoReflectionServiceV1.newInstance().bindService());
        return health;
    }

    private List<OpenPort> open(
            Role role, String instance, Daemon daemon, Optional<HostPort> metrics) {
        List<OpenPort> calls = new ArrayList<>();
        if (role == Role.REGISTRY) {
            calls.add(new OpenPort("raft", replica(instance).raftListen()));
        }
        daemon.addresses().forEach(at -> calls.add(new OpenPort("service", at)));
        return OpenPort.of(
                environment.rpcs().security().files().isPresent(),
                calls,
                metrics.map(at -> new OpenPort("metrics", at)));
    }

    private RegistryReplica replica(String name) {
        return deployment.registry().stream()
                .filter(r -> r.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** A started daemon. */
    private record Daemon(
            List<HostPort> addresses,
            AutoCloseable part,
            Supplier<JsonNode> status,
            MetricSource metrics,
            DaemonChecks checks)
            implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try {
                part.close();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }

    /**
     * At the first start alone: later, one producer whose clock is wrong would keep the daemon from
     * starting again. What it writes is a bad record, or waits for the registry's clock.
     *
     * @param directory the daemon's own, which its first start makes
     */
    private void checkNewStream(String name, StreamConfig stream, String directory)
            throws IOException {
        if (environment.files().stat(directory) == null) {
            StartCheck.check(name, stream, environment.files(), environment.clock());
        }
    }

    private Daemon start(
            Role role,
            String name,
            Path state,
            DatacenterPaths paths,
            Optional<UUID> stateLost,
            Path lock,
            DaemonHealth health,
            Shutdown shutdown)
            throws IOException {
        new FilesAtStart(System::nanoTime, shutdown::awaitRequest)
                .await(role, paths, config, environment.files());
        return switch (role) {
            case REGISTRY -> registry(name, state, health);
            case EVENTSTORE -> {
                DeploymentConfig.EventStore own = DaemonInstance.eventStore(name, deployment);
                checkNewStream("primary", config.primary(), paths.eventStoreLedger(own.name()));
                EventStoreServer server =
                        roles.eventStore(
                                paths,
                                own.name(),
                                own.address(),
                                new StoreShare(deployment.eventStoreShares(), own.name()));
                yield new Daemon(
                        List.of(server.address()),
                        server,
                        () -> StatusJson.of(server.status()),
                        DaemonMetrics.eventStore(server::status, environment.clock()),
                        health.of(server));
            }
            case DISPATCHER -> dispatcher(paths, stateLost, lock, health);
            case JOINER -> joiner(name, paths, lock, health);
            case VERIFIER -> {
                OpenedPipeline admission = enter(paths, remembered(paths, lock));
                VerifierRole verifier =
                        roles.verifier(
                                paths,
                                admission,
                                roles.output(paths, admission),
                                deployment.dispatcher());
                yield new Daemon(
                        List.of(),
                        verifier,
                        () -> StatusJson.of(verifier.status()),
                        samples -> {
                            DaemonMetrics.verifier(verifier::status).addTo(samples);
                            RetentionMetrics.of(verifier::retention).addTo(samples);
                        },
                        health.of(verifier));
            }
        };
    }

    private Daemon dispatcher(
            DatacenterPaths paths, Optional<UUID> stateLost, Path own, DaemonHealth health)
            throws IOException {
        checkNewStream("foreign", config.foreign(), paths.dispatcher());
        HostPort listen = deployment.dispatcher();
        List<HostPort> joiners =
                deployment.joiners().stream().map(DeploymentConfig.Joiner::address).toList();
        List<HostPort> eventStores = deployment.eventStoreAddresses();
        EventStoreShares shares = deployment.eventStoreShares();
        boolean one = !deployment.sharesState();
        OpenedPipeline admission = enter(paths, one ? remembered(paths, own) : remembered(own));
        DispatcherServer server =
                deployment.sharesState()
                        ? roles.sharingDispatcher(
                                paths,
                                listen,
                                joiners,
                                eventStores,
                                shares,
                                admission,
                                stateLost,
                                deployment.partitions(),
                                NodeName.of(own))
                        : roles.dispatcher(
                                paths, listen, joiners, eventStores, shares, admission, stateLost);
        return new Daemon(
                List.of(server.address()),
                server,
                () -> StatusJson.of(server.status(), server.partitions(), server.stages()),
                samples -> {
                    DispatcherMetrics.of(server::status, environment.clock()).addTo(samples);
                    DispatcherMetrics.partitions(server::partitions, server.partitionCount())
                            .addTo(samples);
                    DelayMetrics.dispatcher(server::stages).addTo(samples);
                    DispatcherMetrics.heldUp(server::heldUp).addTo(samples);
                },
                health.of(server));
    }

    private Daemon joiner(String name, DatacenterPaths paths, Path own, DaemonHealth health)
            throws IOException {
        HostPort listen =
                deployment.joiners().stream()
                        .filter(joiner -> joiner.name().equals(name))
                        .findFirst()
                        .orElseThrow()
                        .address();
        OpenedPipeline admission = enter(paths, remembered(paths, own));
        JoinerServer server =
                roles.joiner(
                        paths,
                        name,
                        listen,
                        admission,
                        roles.output(paths, admission),
                        deployment.eventStoreAddresses(),
                        deployment.eventStoreShares(),
                        new StopsForGood());
        return new Daemon(
                List.of(server.address()),
                server,
                () ->
                        StatusJson.of(
                                server.status(),
                                server.durableDelay(),
                                server.stages(),
                                server.adapterFingerprint()),
                samples -> {
                    DaemonMetrics.joiner(server::status, server::durableDelay).addTo(samples);
                    DelayMetrics.joiner(server::stages).addTo(samples);
                    DaemonMetrics.adapter(server::adapterFigures).addTo(samples);
                    HealthMetrics.joiner(server.health(), System::nanoTime).addTo(samples);
                },
                health.of(server));
    }

    private Daemon registry(String name, Path state, DaemonHealth health) {
        RegistryReplica own = replica(name);
        IntervalClock clock = RegistryRole.clock(deployment.clock());
        RegistryServer server;
        try {
            server =
                    RegistryServer.start(
                            RegistryRole.settings(
                                    deployment, name, state, Runtime.getRuntime().maxMemory()),
                            environment.rpcs(),
                            clock,
                            environment.bugs());
        } catch (RaftStartException e) {
            LOG.debug("the registry server has not started", e);
            throw new FailedException(String.valueOf(e.getMessage()));
        }
        RegistryMetrics metrics = new RegistryMetrics(server::describe);
        return new Daemon(
                List.of(own.service()),
                () -> {
                    server.handOver();
                    server.close();
                    if (clock instanceof AutoCloseable closeable) {
                        closeable.close();
                    }
                },
                () -> StatusJson.of(server.stats()),
                metrics,
                health.of(server));
    }

    private List<HostPort> nearestFirst(String datacenter) {
        List<HostPort> servers = new ArrayList<>();
        for (boolean own : new boolean[] {true, false}) {
            deployment.registry().stream()
                    .filter(r -> r.datacenter().equals(datacenter) == own)
                    .forEach(r -> servers.add(r.service()));
        }
        return servers;
    }

    /** Of a daemon of which the datacenter has one: on whichever machine it starts. */
    private ConfiguredDatacenters remembered(DatacenterPaths paths, Path own) {
        String daemon = String.valueOf(own.getFileName());
        return new ConfiguredDatacenters(environment.files(), paths.configured(), daemon);
    }

    private ConfiguredDatacenters remembered(Path own) {
        return new ConfiguredDatacenters(environment.files(), own.toString(), "dispatcher");
    }

    /**
     * @throws ConfigException if its datacenter is retired, or its configuration leaves one out
     */
    private OpenedPipeline enter(DatacenterPaths paths, ConfiguredDatacenters remembered)
            throws IOException {
        OpenedPipeline opened = enter(paths);
        OpenedPipeline.retentionDiffers(config.retention(), opened.held())
                .ifPresent(
                        difference -> LOG.warn("Pipeline {}: {}", config.pipeline(), difference));
        LeftOutDatacenters.checkOne(
                config,
                paths.datacenter(),
                remembered.before(),
                environment.files(),
                opened.held(),
                deployment.output());
        remembered.remember(config.datacenters());
        return opened;
    }

    private OpenedPipeline enter(DatacenterPaths paths) throws IOException {
        List<HostPort> nearestFirst = nearestFirst(paths.datacenter());
        try {
            return OpenedPipeline.enter(
                    config,
                    PipelineConfig.Limits.SHARDS,
                    paths.shared(),
                    nearestFirst,
                    Patience.of(REGISTRY_PATIENCE),
                    environment);
        } catch (TimeoutException e) {
            throw new FailedException(
                    "%s within %d minutes: expected a majority of %s"
                            .formatted(NO_REGISTRY, REGISTRY_PATIENCE.toMinutes(), nearestFirst));
        }
    }

    private final class StopsForGood implements LifeListener {
        @Override
        public void startsOver(Incarnation ended, TaskEnd end, String reason, int inARow) {}

        @Override
        public void slotTakenOver(String message) {
            failure = new FailedException(message);
        }

        @Override
        public void adapterDoesNotEnd(String message) {
            failure = new FailedException(message + ": start it again");
        }

        @Override
        public void refused(String message) {
            failure =
                    new ConfigException(
                            "The joiner that writes to %s cannot serve: %s"
                                    .formatted(deployment.output(), message));
        }
    }
}
