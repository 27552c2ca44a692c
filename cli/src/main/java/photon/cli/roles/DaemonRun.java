package photon.cli.roles;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import photon.cli.Photon;
import photon.cli.Shutdown;
import photon.cli.StateLock;
import photon.core.config.DeploymentConfig;
import photon.core.config.DeploymentConfig.RegistryReplica;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.id.Incarnation;
import photon.core.rpc.HostPort;
import photon.dispatcher.DispatcherServer;
import photon.eventstore.server.EventStoreServer;
import photon.idregistry.server.RegistryServer;
import photon.idregistry.server.RegistryServerConfig;
import photon.joiner.JoinerServer;
import photon.joiner.incarnation.LifeListener;
import photon.joiner.line.LineEnd;

/** One daemon, from its lock to its end. */
public final class DaemonRun {
    /** The registry may be started later than the others. */
    private static final Duration REGISTRY_PATIENCE = Duration.ofMinutes(5);

    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    /** The daemons of the command line. */
    public enum Role {
        REGISTRY,
        EVENTSTORE,
        DISPATCHER,
        JOINER,
        VERIFIER
    }

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
     * @param name the registry replica's or the joiner's; empty: the default
     * @param serving told once it serves, with its addresses
     * @throws ConfigException if it cannot serve with this configuration
     * @throws Photon.FailedException if it could not go on
     */
    @SuppressWarnings("try") // A lock is held, not used.
    public void run(
            Role role, String name, Shutdown shutdown, BiConsumer<Role, List<String>> serving)
            throws IOException {
        Roles.checkSettings(config);
        Path state = Path.of(deployment.state());
        DatacenterPaths paths =
                DatacenterPaths.of(deployment.datacenter(), state, Path.of(deployment.output()));
        String instance = name.isEmpty() ? (role == Role.JOINER ? "joiner-0" : "") : name;
        try (StateLock lock =
                        StateLock.take(
                                state.resolve("locks")
                                        .resolve(
                                                role.name().toLowerCase(java.util.Locale.ROOT)
                                                        + instance),
                                role + " state");
                Daemon daemon = start(role, instance, state, paths)) {
            serving.accept(role, daemon.addresses().stream().map(HostPort::toString).toList());
            while (!shutdown.awaitRequest(LOOK_EVERY) && failure == null) {
                // Looks again: there is nothing to do but to be there.
            }
        }
        RuntimeException why = failure;
        if (why != null) {
            throw why;
        }
    }

    /** A started daemon. */
    private record Daemon(List<HostPort> addresses, AutoCloseable part) implements AutoCloseable {
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

    private Daemon start(Role role, String name, Path state, DatacenterPaths paths)
            throws IOException {
        return switch (role) {
            case REGISTRY -> registry(name, state);
            case EVENTSTORE -> {
                EventStoreServer server = roles.eventStore(paths, deployment.eventStore());
                yield new Daemon(List.of(server.address()), server);
            }
            case DISPATCHER -> {
                DispatcherServer server =
                        roles.dispatcher(
                                paths, deployment.dispatcher(), deployment.joiner(), enter(paths));
                yield new Daemon(List.of(server.address()), server);
            }
            case JOINER -> {
                Admission admission = enter(paths);
                JoinerServer server =
                        roles.joiner(
                                paths,
                                name,
                                deployment.joiner(),
                                admission,
                                roles.output(paths, admission),
                                deployment.eventStore(),
                                new StopsForGood());
                yield new Daemon(List.of(server.address()), server);
            }
            case VERIFIER -> {
                Admission admission = enter(paths);
                yield new Daemon(
                        List.of(),
                        roles.verifier(
                                paths,
                                admission,
                                roles.output(paths, admission),
                                deployment.dispatcher()));
            }
        };
    }

    private Daemon registry(String name, Path state) {
        List<RegistryServerConfig.Peer> peers =
                deployment.registry().stream()
                        .map(r -> new RegistryServerConfig.Peer(r.name(), r.raft(), r.service()))
                        .toList();
        Optional<RegistryReplica> own =
                deployment.registry().stream().filter(r -> r.name().equals(name)).findFirst();
        if (own.isEmpty()) {
            throw new ConfigException(
                    "--name is '"
                            + name
                            + "': expected a replica of deployment.registry, one of "
                            + peers.stream().map(RegistryServerConfig.Peer::name).toList());
        }
        RegistryServer server =
                RegistryServer.start(
                        RegistryServerConfig.of(
                                name, peers, state.resolve("registry").resolve(name)),
                        environment.clock(),
                        environment.bugs());
        return new Daemon(List.of(own.get().service()), server);
    }

    private Admission enter(DatacenterPaths paths) throws IOException {
        List<HostPort> nearestFirst = new ArrayList<>();
        for (boolean own : new boolean[] {true, false}) {
            deployment.registry().stream()
                    .filter(r -> r.datacenter().equals(paths.datacenter()) == own)
                    .forEach(r -> nearestFirst.add(r.service()));
        }
        try {
            return Admission.enter(
                    config, paths.state(), nearestFirst, REGISTRY_PATIENCE, environment);
        } catch (TimeoutException e) {
            throw new IOException(
                    "No answer from the registry within "
                            + REGISTRY_PATIENCE
                            + ": expected a majority of "
                            + nearestFirst,
                    e);
        }
    }

    private final class StopsForGood implements LifeListener {
        @Override
        public void startsOver(Incarnation ended, LineEnd end, String reason, int inARow) {}

        @Override
        public void displaced(String message) {
            failure = new Photon.FailedException(message);
        }

        @Override
        public void refused(String message) {
            failure =
                    new ConfigException(
                            "The joiner that writes to %s cannot serve: %s. Expected the state and output directories of the runs before"
                                    .formatted(deployment.output(), message));
        }
    }
}
