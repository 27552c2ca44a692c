package photon.joiner.adapters.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.PipelineConfig;
import photon.core.rpc.HostPort;
import photon.core.security.SecurityConfig;
import photon.core.security.TestCertificates;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.adapters.PairAdapter;
import photon.joiner.adapters.load.Adapters;

/** An adapter at an address, by TLS: an author sets gRPC's own TLS up, with PEM files. */
@Timeout(300)
class SecuredAdapterTest {
    private static final Duration ANSWERED_WITHIN = Duration.ofMinutes(1);

    @TempDir Path directory;
    private TestCertificates authority;
    private SecurityConfig joiner;

    @BeforeEach
    void issue() {
        authority = new TestCertificates(directory);
        joiner =
                new SecurityConfig(
                        SecurityConfig.Mode.TLS,
                        Optional.of(authority.issue("joiner", "photon://east/daemon/joiner-0")));
    }

    private FakeAdapter adapter(String uri) throws IOException {
        SecurityConfig.Files files = authority.issue("adapter", uri);
        return new FakeAdapter(0, server -> secured(server, files));
    }

    private static NettyServerBuilder secured(
            NettyServerBuilder server, SecurityConfig.Files files) {
        try {
            return server.sslContext(
                    GrpcSslContexts.forServer(files.certificate().toFile(), files.key().toFile())
                            .trustManager(files.trust().toFile())
                            .clientAuth(ClientAuth.REQUIRE)
                            .build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String answer(HostPort address, SecurityConfig security) {
        PipelineConfig.Adapter config =
                new PipelineConfig.Adapter(
                        PipelineConfig.Adapter.REMOTE,
                        List.of(),
                        Optional.of(PipelineConfig.Remote.at(List.of(address), security)),
                        Map.of(),
                        ANSWERED_WITHIN,
                        50,
                        200);
        try (PairAdapter adapter = Adapters.load(config, AdapterHost.joiner("ads", "east"))) {
            return RemoteAdapterTest.reasons(adapter.joinAll(RemoteAdapterTest.pairs(1))).get(0);
        }
    }

    @Test
    void pairsGoToAnAdapterByTls() throws Exception {
        try (FakeAdapter adapter = adapter("photon:///adapter/score")) {
            assertThat(answer(adapter.address(), joiner)).isEqualTo("skip f0");
        }
    }

    @Test
    void noPairGoesToAServerThatIsNoAdapter() throws Exception {
        try (FakeAdapter pretender = adapter("photon:///viewer/mallory")) {
            assertThat(answer(pretender.address(), joiner)).isEqualTo("retry");
            assertThat(pretender.sessions).hasValue(0);
        }
    }

    @Test
    void noPairGoesInTheClearWhereTlsIsAskedFor() throws Exception {
        try (FakeAdapter plain = new FakeAdapter(0)) {
            assertThat(answer(plain.address(), joiner)).isEqualTo("retry");
            assertThat(plain.sessions).hasValue(0);
        }
    }

    @Test
    void anAdapterByTlsTakesNoPlaintext() throws Exception {
        try (FakeAdapter adapter = adapter("photon:///adapter/score")) {
            assertThat(answer(adapter.address(), SecurityConfig.DEFAULT)).isEqualTo("retry");
            assertThat(adapter.sessions).hasValue(0);
        }
    }
}
