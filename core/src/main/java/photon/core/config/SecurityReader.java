package photon.core.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import photon.core.rpc.HostPort;
import photon.core.security.SecurityConfig;

/** Reads {@code security}. */
final class SecurityReader {
    private static final String TLS = "tls";
    private static final String PLAINTEXT = "plaintext";
    private static final String INSECURE_LOOPBACK = "insecure-loopback";
    private static final String MODES = "%s, %s or %s".formatted(TLS, PLAINTEXT, INSECURE_LOOPBACK);
    private static final List<String> FILES = List.of("certificate", "key", "trust");

    private SecurityReader() {}

    static SecurityConfig read(ConfigNode node, UnaryOperator<String> resolve) {
        String mode = Objects.requireNonNullElse(node.text("mode", null, MODES), "");
        switch (mode) {
            case TLS -> {
                return new SecurityConfig(
                        SecurityConfig.Mode.TLS,
                        Optional.of(
                                new SecurityConfig.Files(
                                        file(node, "certificate", resolve),
                                        file(node, "key", resolve),
                                        file(node, "trust", resolve))));
            }
            case PLAINTEXT, INSECURE_LOOPBACK -> {
                for (String key : FILES) {
                    if (node.has(key)) {
                        node.problem(key, "no such key where the mode is " + mode);
                    }
                }
                return mode.equals(PLAINTEXT)
                        ? new SecurityConfig(SecurityConfig.Mode.PLAINTEXT, Optional.empty())
                        : SecurityConfig.DEFAULT;
            }
            default -> {
                if (!mode.isEmpty()) {
                    node.problem("mode", MODES);
                }
                FILES.forEach(node::has);
                return SecurityConfig.DEFAULT;
            }
        }
    }

    private static Path file(ConfigNode node, String key, UnaryOperator<String> resolve) {
        return Path.of(
                resolve.apply(
                        DeploymentReader.localPath(
                                node, key, null, "a PEM file, such as tls/" + key + ".pem")));
    }

    /**
     * Without security, only within one machine.
     *
     * @return what is wrong; empty: nothing
     */
    static Optional<String> refusal(
            SecurityConfig security,
            PipelineConfig pipeline,
            Optional<DeploymentConfig> deployment) {
        if (security.mode() != SecurityConfig.Mode.INSECURE_LOOPBACK) {
            return Optional.empty();
        }
        List<HostPort> far = new ArrayList<>();
        deployment.ifPresent(known -> far.addAll(addresses(known)));
        pipeline.adapter().remote().ifPresent(remote -> far.addAll(remote.addresses()));
        far.removeIf(HostPort::isLoopback);
        return far.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "security: %s is no loopback address, and without TLS everyone on the network can read events and command the registry: expected security: {mode: tls, certificate: FILE, key: FILE, trust: FILE} ('photon certs' makes the files of a first cluster), or security: {mode: plaintext} on a network that only trusted machines reach"
                                .formatted(far.get(0)));
    }

    private static Set<HostPort> addresses(DeploymentConfig deployment) {
        Set<HostPort> all = new java.util.LinkedHashSet<>();
        for (DeploymentConfig.RegistryReplica replica : deployment.registry()) {
            all.addAll(List.of(replica.raft(), replica.raftListen(), replica.service()));
        }
        all.addAll(deployment.eventStoreAddresses());
        all.add(deployment.dispatcher());
        deployment.joiners().forEach(joiner -> all.add(joiner.address()));
        return all;
    }
}
