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
        String state = localPath(node, "state", "photon-state", "");
        return new DeploymentConfig(
                datacenter,
                resolve.apply(state),
                resolve.apply(node.has(SHARED) ? place(node, SHARED, null) : state),
                partitions(node),
                resolve.apply(place(node, "output", "photon-out")),
                replicas,
                address(node, "eventStore"),
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
            node.problem("registry", "each name and each address once");
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
                        .map(j -> new DeploymentConfig.Joiner(joinerName(j), address(j, "address")))
                        .toList();
        // What is missing or malformed is told already.
        if (isRepeated(joiners.stream().map(j -> j.name()).filter(name -> !name.isEmpty()))
                || isRepeated(joiners.stream().map(j -> j.address()).filter(a -> a.port() != 0))) {
            node.problem("joiners", "each name and each address once");
        }
        return joiners;
    }

    private static String joinerName(ConfigNode node) {
        String expected = "the joiner's slot, a name of small letters, digits and '-'";
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
