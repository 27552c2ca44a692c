package photon.core.config;

import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;

/** Reads {@code deployment}. */
final class DeploymentReader {
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
                node.childList("registry").stream()
                        .map(
                                r ->
                                        new DeploymentConfig.RegistryReplica(
                                                Objects.requireNonNullElse(
                                                        r.text(
                                                                "name",
                                                                null,
                                                                "the replica's own name"),
                                                        ""),
                                                Objects.requireNonNullElse(
                                                        r.text(
                                                                "datacenter",
                                                                null,
                                                                "where it stands"),
                                                        ""),
                                                address(r, "raft"),
                                                address(r, "service")))
                        .toList();
        if (replicas.stream().map(DeploymentConfig.RegistryReplica::name).distinct().count()
                != replicas.size()) {
            node.problem("registry", "each name once");
        }
        return new DeploymentConfig(
                datacenter,
                resolve.apply(
                        Objects.requireNonNullElse(node.text("state", "photon-state", ""), "")),
                resolve.apply(
                        Objects.requireNonNullElse(node.text("output", "photon-out", ""), "")),
                replicas,
                address(node, "eventStore"),
                address(node, "dispatcher"),
                address(node, "joiner"));
    }

    private static HostPort address(ConfigNode node, String key) {
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
