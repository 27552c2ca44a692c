package photon.server.roles;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.core.config.DeploymentConfig;
import photon.core.config.DeploymentConfig.RegistryReplica;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.server.datacenters.DatacenterPaths;

/**
 * Which daemon of a deployment a process is.
 *
 * @param name the registry replica's or the joiner's, or that of an event store that is not alone;
 *     empty: there is but one of the role
 */
public record DaemonInstance(DaemonRun.Role role, String name) {
    /**
     * An address that the daemon listens on.
     *
     * @param key of the configuration that says it
     */
    public record Listens(String key, HostPort at) {}

    /**
     * @param name as the person has given it; empty: the default
     * @throws ConfigException if the deployment has none of that name
     */
    public static DaemonInstance of(DaemonRun.Role role, String name, DeploymentConfig deployment) {
        switch (role) {
            case REGISTRY ->
                    checkKnown(
                            name,
                            "a replica of deployment.registry",
                            deployment.registry().stream().map(RegistryReplica::name).toList());
            case JOINER -> {
                String joiner = name.isEmpty() ? DeploymentConfig.JOINER_DEFAULT : name;
                checkKnown(
                        joiner,
                        "a joiner of deployment.joiners",
                        deployment.joiners().stream().map(DeploymentConfig.Joiner::name).toList());
                return new DaemonInstance(role, joiner);
            }
            case EVENTSTORE -> {
                String store = name.isEmpty() ? DeploymentConfig.EVENT_STORE_DEFAULT : name;
                List<String> stores =
                        deployment.eventStores().stream()
                                .map(DeploymentConfig.EventStore::name)
                                .toList();
                if (!isAlone(deployment) || !name.isEmpty()) {
                    checkKnown(store, "an event store of deployment.eventStores", stores);
                }
                return new DaemonInstance(role, isAlone(deployment) ? "" : store);
            }
            default -> {
                if (!name.isEmpty()) {
                    throw new ConfigException(
                            "--name is '%s': expected none, since a %s has no name"
                                    .formatted(name, role.label()));
                }
            }
        }
        return new DaemonInstance(role, name);
    }

    private static boolean isAlone(DeploymentConfig deployment) {
        return deployment.eventStores().size() == 1;
    }

    /** The event store that it is. */
    public DeploymentConfig.EventStore eventStore(DeploymentConfig deployment) {
        return eventStore(name, deployment);
    }

    /**
     * The event store that a process is.
     *
     * @param name of the instance; empty: it is alone
     */
    static DeploymentConfig.EventStore eventStore(String name, DeploymentConfig deployment) {
        return deployment.eventStores().stream()
                .filter(store -> name.isEmpty() || store.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void checkKnown(String name, String expected, List<String> known) {
        if (!known.contains(name)) {
            throw new ConfigException(
                    "--name is '%s': expected %s, one of %s"
                            .formatted(name, expected, String.join(", ", known)));
        }
    }

    /** The datacenter in which the deployment has the daemon. */
    public String datacenter(DeploymentConfig deployment) {
        return role == DaemonRun.Role.REGISTRY
                ? replica(deployment).datacenter()
                : deployment.datacenter();
    }

    private RegistryReplica replica(DeploymentConfig deployment) {
        return deployment.registry().stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /**
     * The directory that the daemon locks as long as it runs. Datacenters may have their state in
     * one directory; a replica's name is its own in all.
     */
    public Path lock(DeploymentConfig deployment) {
        Path state =
                role == DaemonRun.Role.REGISTRY
                        ? Path.of(deployment.state())
                        : DatacenterPaths.of(deployment.datacenter(), deployment).state();
        return state.resolve("locks").resolve(role.label() + lockName(deployment));
    }

    /** As its directory is named: whether others are beside it or not. */
    private String lockName(DeploymentConfig deployment) {
        if (role != DaemonRun.Role.EVENTSTORE) {
            return name;
        }
        String store = eventStore(name, deployment).name();
        return store.equals(DeploymentConfig.EVENT_STORE_DEFAULT) ? "" : "-" + store;
    }

    /**
     * Where the daemon listens.
     *
     * @param metrics where it serves its metrics
     */
    public List<Listens> listens(DeploymentConfig deployment, Optional<HostPort> metrics) {
        List<Listens> all = new ArrayList<>();
        switch (role) {
            case REGISTRY -> {
                RegistryReplica own = replica(deployment);
                all.add(
                        new Listens(
                                own.raftListen().equals(own.raft())
                                        ? "deployment.registry[].raft"
                                        : "deployment.registry[].raftListen",
                                own.raftListen()));
                all.add(new Listens("deployment.registry[].service", own.service()));
            }
            case EVENTSTORE -> {
                DeploymentConfig.EventStore own = eventStore(name, deployment);
                all.add(
                        new Listens(
                                isAlone(deployment)
                                        ? "deployment.eventStore"
                                        : "deployment.eventStores[].address",
                                own.address()));
            }
            case DISPATCHER ->
                    all.add(new Listens("deployment.dispatcher", deployment.dispatcher()));
            case JOINER ->
                    deployment.joiners().stream()
                            .filter(joiner -> joiner.name().equals(name))
                            .map(
                                    joiner ->
                                            new Listens(
                                                    "deployment.joiners[].address",
                                                    joiner.address()))
                            .forEach(all::add);
            case VERIFIER -> {
                // It calls others, and nobody calls it.
            }
        }
        metrics.ifPresent(at -> all.add(new Listens("metrics.listen", at)));
        return all;
    }
}
