package photon.core.config;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.share.EventStoreShares;

/** Reads {@code deployment}. */
final class DeploymentReader {
    private static final String REPLICAS =
            "a list of replicas, such as [{name: r0, datacenter: east, raft: \"10.0.0.1:7100\","
                    + " service: \"10.0.0.1:7200\"}]";
    private static final String PARTITIONS = "partitions";
    private static final String SHARED = "shared";
    private static final String REGISTRY_MEMORY = "registryMemoryBytes";
    private static final String CHRONY = "chrony";
    private static final String CONFIGURED = "configured";
    private static final String CHRONYC = "chronyc";
    private static final String BOUND = "bound";
    private static final String BOUND_EXPECTED =
            "how far this machine's clock may be from true time, above 0, such as 50ms";
    private static final Set<String> ANY_HOST = Set.of("0.0.0.0", "::", "[::]");
    private static final String JOINERS =
            "a list of joiners, such as [{name: joiner-0, address: \"127.0.0.1:7403\"}]";

    private static final String EACH_ONCE = "each name and each address once";
    private static final String EVENT_STORE = "eventStore";
    private static final String EVENT_STORES = "eventStores";
    private static final String COPIES = "eventStoreCopies";
    private static final String STORES =
            "a list of event stores, such as [{name: eventstore-0, address: \"127.0.0.1:7401\"}]";

    private DeploymentReader() {}

    static DeploymentConfig read(
            ConfigNode node, List<String> datacenters, UnaryOperator<String> resolve) {
        String datacenter =
                Objects.requireNonNullElse(
                        node.text("datacenter", null, "one of " + datacenters), "");
        if (!datacenter.isEmpty() && !datacenters.contains(datacenter)) {
            node.problem("datacenter", "one of " + String.join(", ", datacenters));
        }
        List<DeploymentConfig.RegistryReplica> replicas =
                node.childList("registry", REPLICAS).stream()
                        .map(DeploymentReader::replica)
                        .toList();
        checkReplicas(node, replicas);
        List<DeploymentConfig.EventStore> eventStores = eventStores(node);
        String state = localPath(node, "state", "photon-state", "");
        return new DeploymentConfig(
                datacenter,
                resolve.apply(state),
                resolve.apply(node.has(SHARED) ? place(node, SHARED, null) : state),
                partitions(node),
                resolve.apply(place(node, "output", "photon-out")),
                replicas,
                eventStores,
                copies(node, eventStores.size()),
                address(node, "dispatcher"),
                joiners(node),
                network(node),
                node.has(REGISTRY_MEMORY)
                        ? OptionalLong.of(node.bytes(REGISTRY_MEMORY, 1))
                        : OptionalLong.empty(),
                node.child("clock")
                        .map(DeploymentReader::clock)
                        .orElse(DeploymentConfig.Clock.CHRONY));
    }

    private static int partitions(ConfigNode node) {
        if (node.has(PARTITIONS) && !node.has(SHARED)) {
            node.problem(
                    PARTITIONS,
                    "no such key without shared: one dispatcher alone reads logs that are not shared");
        }
        return node.has(SHARED)
                ? node.number(
                        PARTITIONS,
                        DeploymentConfig.PARTITIONS_DEFAULT,
                        1,
                        DeploymentConfig.PARTITIONS_MAX)
                : 1;
    }

    /** A path of this machine. */
    static String localPath(
            ConfigNode node, String key, @Nullable String otherwise, String expected) {
        String path = Objects.requireNonNullElse(node.text(key, otherwise, expected), "");
        refuse(node, key, LocalPath.expectedInsteadOf(path));
        return path;
    }

    /** A path of this machine, or a URI. */
    private static String place(ConfigNode node, String key, @Nullable String otherwise) {
        String text = Objects.requireNonNullElse(node.text(key, otherwise, ""), "");
        refuse(node, key, LocalPath.expectedOfPlace(text));
        return LocalPath.withoutEnd(text);
    }

    private static void refuse(ConfigNode node, String key, Optional<String> expected) {
        expected.ifPresent(text -> node.problem(key, text.substring("expected ".length())));
    }

    private static DeploymentConfig.Clock clock(ConfigNode node) {
        String expected = "chrony, or configured together with a bound";
        String source = node.text("source", node.has(BOUND) ? CONFIGURED : CHRONY, expected);
        if (CONFIGURED.equals(source)) {
            Duration bound = node.duration(BOUND, Duration.ZERO);
            if (!node.has(BOUND)) {
                node.problem(BOUND, BOUND_EXPECTED);
            }
            if (node.has(CHRONYC)) {
                node.problem(CHRONYC, "no such key where the source is configured");
            }
            return new DeploymentConfig.Clock(Optional.of(bound), "");
        }
        if (!CHRONY.equals(source)) {
            node.problem("source", expected);
        } else if (node.has(BOUND)) {
            node.problem(BOUND, "no such key where the source is chrony, which measures it");
        }
        return new DeploymentConfig.Clock(
                Optional.empty(),
                Objects.requireNonNullElse(
                        node.text(CHRONYC, DeploymentConfig.Clock.CHRONY.chronyc(), "a program"),
                        ""));
    }

    private static DeploymentConfig.Network network(ConfigNode node) {
        String text =
                Objects.requireNonNullElse(node.text("registryNetwork", "lan", "lan or wan"), "");
        if (text.equals("wan")) {
            return DeploymentConfig.Network.WAN;
        }
        if (!text.equals("lan")) {
            node.problem("registryNetwork", "lan or wan");
        }
        return DeploymentConfig.Network.LAN;
    }

    private static void checkReplicas(
            ConfigNode node, List<DeploymentConfig.RegistryReplica> replicas) {
        if (replicas.isEmpty() && node.isEmptyList("registry")) {
            node.problem("registry", REPLICAS);
        }
        // What is missing or malformed is told already.
        boolean repeatedName =
                isRepeated(replicas.stream().map(r -> r.name()).filter(name -> !name.isEmpty()));
        boolean repeatedAddress =
                isRepeated(
                        replicas.stream()
                                .flatMap(r -> Stream.of(r.raft(), r.service()))
                                .filter(address -> address.port() != 0));
        if (repeatedName || repeatedAddress) {
            node.problem("registry", EACH_ONCE);
        }
        if (replicas.size() > 1
                && replicas.stream()
                        .flatMap(r -> Stream.of(r.raft(), r.service()))
                        .anyMatch(address -> ANY_HOST.contains(address.host()))) {
            node.problem("registry", "addresses that the other servers can reach, not 0.0.0.0");
        }
    }

    private static DeploymentConfig.RegistryReplica replica(ConfigNode node) {
        HostPort raft = address(node, "raft");
        return new DeploymentConfig.RegistryReplica(
                Objects.requireNonNullElse(node.text("name", null, "the replica's own name"), ""),
                Objects.requireNonNullElse(node.text("datacenter", null, "where it stands"), ""),
                raft,
                node.has("raftListen") ? address(node, "raftListen") : raft,
                address(node, "service"),
                node.number(
                        "leaderWeight",
                        DeploymentConfig.LEADER_WEIGHT_DEFAULT,
                        0,
                        DeploymentConfig.LEADER_WEIGHT_MAX));
    }

    /** Never empty: what is wrong is told. */
    private static List<DeploymentConfig.EventStore> eventStores(ConfigNode node) {
        if (!node.has(EVENT_STORES)) {
            return List.of(
                    new DeploymentConfig.EventStore(
                            DeploymentConfig.EVENT_STORE_DEFAULT, address(node, EVENT_STORE)));
        }
        if (node.has(EVENT_STORE)) {
            node.problem(EVENT_STORE, "no such key beside eventStores, which lists all of them");
        }
        List<DeploymentConfig.EventStore> stores =
                node.childList(EVENT_STORES, STORES).stream()
                        .map(
                                s ->
                                        new DeploymentConfig.EventStore(
                                                name(s, "the event store's own name"),
                                                address(s, "address")))
                        .toList();
        if (node.isEmptyList(EVENT_STORES)) {
            node.problem(EVENT_STORES, STORES);
        } else if (stores.size() > EventStoreShares.STORES_MAX) {
            node.problem(EVENT_STORES, "%d at most".formatted(EventStoreShares.STORES_MAX));
        } else if (isRepeated(stores.stream().map(s -> s.name()).filter(name -> !name.isEmpty()))
                || isRepeated(stores.stream().map(s -> s.address()).filter(a -> a.port() != 0))) {
            node.problem(EVENT_STORES, EACH_ONCE);
        }
        return stores;
    }

    private static int copies(ConfigNode node, int stores) {
        if (node.has(COPIES) && !node.has(EVENT_STORES)) {
            node.problem(
                    COPIES, "no such key without eventStores: one event store keeps everything");
        }
        int most = Math.max(1, Math.min(stores, EventStoreShares.STORES_MAX));
        int otherwise = Math.min(DeploymentConfig.EVENT_STORE_COPIES_DEFAULT, most);
        if (!node.has(COPIES)) {
            return otherwise;
        }
        int copies =
                node.number(
                        COPIES,
                        DeploymentConfig.EVENT_STORE_COPIES_DEFAULT,
                        1,
                        EventStoreShares.STORES_MAX);
        if (copies > most) {
            node.problem(
                    COPIES, "at most as many copies as there are event stores, %d".formatted(most));
        }
        return Math.min(copies, most);
    }

    private static List<DeploymentConfig.Joiner> joiners(ConfigNode node) {
        if (node.has("joiner")) {
            node.problem("joiner", "the key joiners with " + JOINERS);
            if (!node.has("joiners")) {
                return List.of();
            }
        }
        List<ConfigNode> list = node.childList("joiners", JOINERS);
        if (list.isEmpty() && node.isEmptyList("joiners")) {
            node.problem("joiners", JOINERS);
        }
        List<DeploymentConfig.Joiner> joiners =
                list.stream()
                        .map(
                                j ->
                                        new DeploymentConfig.Joiner(
                                                name(j, "the joiner's slot"),
                                                address(j, "address")))
                        .toList();
        // What is missing or malformed is told already.
        if (isRepeated(joiners.stream().map(j -> j.name()).filter(name -> !name.isEmpty()))
                || isRepeated(joiners.stream().map(j -> j.address()).filter(a -> a.port() != 0))) {
            node.problem("joiners", EACH_ONCE);
        }
        return joiners;
    }

    private static String name(ConfigNode node, String whose) {
        String expected = whose + ", a name of small letters, digits and '-'";
        String name = node.text("name", null, expected);
        if (name == null) {
            return "";
        }
        if (!ConfigLoader.NAME.matcher(name).matches()) {
            node.problem("name", expected);
        }
        return name;
    }

    private static boolean isRepeated(Stream<?> values) {
        List<?> all = values.toList();
        return all.stream().distinct().count() != all.size();
    }

    static HostPort address(ConfigNode node, String key) {
        String expected = "host:port, such as 127.0.0.1:7400";
        String text = node.text(key, null, expected);
        if (text != null) {
            try {
                return HostPort.parse(text);
            } catch (ConfigException e) {
                node.problem(key, expected);
            }
        }
        return new HostPort("127.0.0.1", 0);
    }
}
