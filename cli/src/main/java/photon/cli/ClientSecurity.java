package photon.cli;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import photon.core.config.ConfigLoader;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.core.security.SecurityConfig;

/**
 * How verbs reach servers: with the certificate of the person who runs them, which the environment
 * names, or otherwise as the configuration says.
 */
final class ClientSecurity {
    static final String CERTIFICATE = "PHOTON_CERTIFICATE";
    static final String KEY = "PHOTON_KEY";
    static final String TRUST = "PHOTON_TRUST";

    private ClientSecurity() {}

    /** Where no configuration says where servers are. */
    static RpcSecurity ofServers() {
        return open(of(System.getenv(), SecurityConfig.DEFAULT), Map.of());
    }

    static RpcSecurity of(ConfigLoader.Loaded loaded) {
        return open(of(System.getenv(), loaded.security()), loaded.datacenters());
    }

    private static RpcSecurity open(SecurityConfig config, Map<HostPort, String> datacenters) {
        return RpcSecurity.of(config, datacenters, Clock.systemUTC());
    }

    /**
     * @throws ConfigException if the environment names some of the files, and nothing the others
     */
    static SecurityConfig of(Map<String, String> environment, SecurityConfig configured) {
        Optional<SecurityConfig.Files> files = configured.tls();
        Optional<Path> certificate = file(environment, CERTIFICATE);
        Optional<Path> key = file(environment, KEY);
        Optional<Path> trust = file(environment, TRUST);
        if (certificate.isEmpty() && key.isEmpty() && trust.isEmpty()) {
            return configured;
        }
        return new SecurityConfig(
                SecurityConfig.Mode.TLS,
                Optional.of(
                        new SecurityConfig.Files(
                                or(certificate, files.map(f -> f.certificate()), CERTIFICATE),
                                or(key, files.map(f -> f.key()), KEY),
                                or(trust, files.map(f -> f.trust()), TRUST))));
    }

    private static Optional<Path> file(Map<String, String> environment, String variable) {
        return Optional.ofNullable(environment.get(variable))
                .filter(text -> !text.isEmpty())
                .map(Path::of);
    }

    private static Path or(Optional<Path> named, Optional<Path> configured, String variable) {
        return named.or(() -> configured)
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        "%s is missing: expected %s, %s and %s to name a certificate, its key, and the authorities to trust, all three, or a configuration with the others"
                                                .formatted(variable, CERTIFICATE, KEY, TRUST)));
    }
}
