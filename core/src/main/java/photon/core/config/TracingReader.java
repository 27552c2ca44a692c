package photon.core.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import photon.core.rpc.HostPort;
import photon.core.security.SecurityConfig;

/** Reads {@code tracing}. */
final class TracingReader {
    private static final String ENDPOINT = "endpoint";
    private static final String TRUST = "trust";
    private static final String PATH = "/v1/traces";
    private static final String EXPECTED =
            "the address of a collector that takes OTLP over HTTP, such as http://127.0.0.1:4318 or https://collector.example:4318";
    private static final URI NONE = URI.create("http://127.0.0.1:4318" + PATH);
    private static final Duration SLOW_MIN = Duration.ofMillis(1);
    private static final Duration SLOW_MAX = Duration.ofHours(1);

    private TracingReader() {}

    static TracingConfig read(
            ConfigNode node, SecurityConfig security, UnaryOperator<String> resolve) {
        String text = Objects.requireNonNullElse(node.text(ENDPOINT, null, EXPECTED), "");
        URI endpoint = endpoint(text);
        if (endpoint == null) {
            if (!text.isEmpty()) {
                node.problem(ENDPOINT, EXPECTED);
            }
        } else if (endpoint.getScheme().equals("http")
                && security.mode() != SecurityConfig.Mode.PLAINTEXT
                && !new HostPort(endpoint.getHost(), 0).isLoopback()) {
            node.problem(
                    ENDPOINT,
                    "https, or a collector on this machine: ids of events would go over the network unencrypted, which only security: {mode: plaintext} allows");
        }
        Optional<Path> trust = Optional.empty();
        if (node.has(TRUST)) {
            trust =
                    Optional.of(
                            Path.of(
                                    resolve.apply(
                                            DeploymentReader.localPath(
                                                    node,
                                                    TRUST,
                                                    null,
                                                    "a PEM file, such as tls/collector.pem"))));
            if (endpoint != null && endpoint.getScheme().equals("http")) {
                node.problem(TRUST, "no such key where tracing.endpoint is http");
            }
        }
        return new TracingConfig(
                Objects.requireNonNullElse(endpoint, NONE),
                node.number(
                        "sampleOneIn", TracingConfig.SAMPLE_ONE_IN_DEFAULT, 0, Integer.MAX_VALUE),
                node.duration("slow", TracingConfig.SLOW_DEFAULT, SLOW_MIN, SLOW_MAX),
                node.number(
                        "alwaysPerSecondMax",
                        TracingConfig.ALWAYS_PER_SECOND_MAX_DEFAULT,
                        0,
                        10_000),
                trust);
    }

    /** With OTLP's own path, unless another one is given; null: that is none. */
    private static @Nullable URI endpoint(String text) {
        try {
            URI uri = new URI(text);
            String scheme = uri.getScheme();
            boolean http = scheme != null && scheme.toLowerCase(Locale.ROOT).matches("https?");
            if (!http
                    || uri.getHost() == null
                    || uri.getUserInfo() != null
                    || uri.getQuery() != null
                    || uri.getFragment() != null) {
                return null;
            }
            String path = uri.getPath();
            return new URI(
                    scheme.toLowerCase(Locale.ROOT),
                    null,
                    uri.getHost(),
                    uri.getPort(),
                    path.isEmpty() || path.equals("/") ? PATH : path,
                    null,
                    null);
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
