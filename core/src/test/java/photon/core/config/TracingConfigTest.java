package photon.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.core.error.ConfigException;

class TracingConfigTest {
    private static final String PIPELINE =
            """
            pipeline: ads
            datacenters: [east]
            primary: {paths: [a], format: {type: framed}, id: native}
            foreign: {paths: [b], format: {type: framed}, id: native, primaryId: native}
            """;

    private static ConfigLoader.Loaded load(String text) {
        return ConfigLoader.parse(PIPELINE + text, Path.of("/etc/photon/photon.yaml"));
    }

    @Test
    void withoutTheKeyNothingIsTraced() {
        assertThat(load("").tracing()).isEmpty();
    }

    @Test
    void anAddressIsEnough() {
        assertThat(load("tracing: {endpoint: \"http://localhost:4318\"}").tracing())
                .contains(
                        new TracingConfig(
                                URI.create("http://localhost:4318/v1/traces"),
                                1_000,
                                Duration.ofSeconds(5),
                                20,
                                Optional.empty()));
    }

    @Test
    void eachKeyCounts() {
        assertThat(
                        load("tracing: {endpoint: \"HTTPS://c.example/otlp/traces\", sampleOneIn: 0,"
                                        + " slow: 250ms, alwaysPerSecondMax: 0, trust: tls/c.pem}")
                                .tracing())
                .contains(
                        new TracingConfig(
                                URI.create("https://c.example/otlp/traces"),
                                0,
                                Duration.ofMillis(250),
                                0,
                                Optional.of(Path.of("/etc/photon/tls/c.pem"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sampleOneIn: 1 | tracing.endpoint is missing: expected the address of a collector",
                "endpoint: \"localhost:4318\" | tracing.endpoint is 'localhost:4318': expected the address of a collector that takes OTLP over HTTP, such as http://127.0.0.1:4318",
                "endpoint: \"grpc://localhost:4317\" | expected the address of a collector",
                "endpoint: \"http://:4318\" | expected the address of a collector",
                "endpoint: \"http://me:secret@localhost:4318\" | expected the address of a collector",
                "endpoint: \"http://c.example:4318\" | tracing.endpoint is 'http://c.example:4318': expected https, or a collector on this machine",
                "endpoint: \"http://localhost:4318\", trust: c.pem | tracing.trust is 'c.pem': expected no such key where tracing.endpoint is http",
                "endpoint: \"http://localhost:4318\", sampleOneIn: -1 | tracing.sampleOneIn is -1: expected a whole number from 0",
                "endpoint: \"http://localhost:4318\", slow: 0s | tracing.slow is '0s': expected a duration from 1ms to 1h",
                "endpoint: \"http://localhost:4318\", sampled: 1 | tracing.sampled",
            })
    void whatIsWrongIsNamed(String keys, String message) {
        assertThatThrownBy(() -> load("tracing: {" + keys + "}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Test
    void whoHasAllowedPlaintextMayHaveItHere() {
        String text = "tracing: {endpoint: \"http://c.example:4318\"}\nsecurity: {mode: plaintext}";
        assertThat(load(text).tracing().orElseThrow().endpoint().getHost()).isEqualTo("c.example");
    }
}
