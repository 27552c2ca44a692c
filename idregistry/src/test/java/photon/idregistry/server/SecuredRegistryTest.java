package photon.idregistry.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.id.Incarnation;
import photon.core.rpc.HostPort;
import photon.core.security.Role;
import photon.core.security.SecurityConfig;
import photon.core.security.TestCertificates;
import photon.core.security.TlsFiles;

/** A registry whose servers, clients and Raft ports speak TLS alone. */
@Timeout(600)
class SecuredRegistryTest {
    private static final int WITHIN_MILLIS = 60_000;

    @TempDir Path root;
    private TestCertificates authority;

    @BeforeEach
    void makeAuthority() {
        authority = new TestCertificates(root.resolve("certs"));
    }

    private TestRegistry secured() {
        TestRegistry servers = new TestRegistry(root);
        servers.security = n -> authority.tls("photon://east/daemon/r" + n);
        servers.ofClients = authority.tls("photon://east/daemon/joiner-0");
        return servers;
    }

    @Test
    void threeServersReplicateAndServeByTls() {
        try (TestRegistry servers = secured()) {
            servers.startAll();
            try (TestClient client = new TestClient(servers, "ads", 2)) {
                Incarnation joiner = client.register("east/joiner-0", "01");
                assertThat(joiner.generation()).isPositive();
                // The control group has lost a member, and decides with the two others.
                servers.stop(0);
                assertThat(client.register("east/joiner-1", "02").slot())
                        .isNotEqualTo(joiner.slot());
                servers.start(0);
            }
            assertThat(servers.bugs).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void anOperatorFencesAJoiner() {
        try (TestRegistry servers = secured()) {
            servers.listed = 1;
            servers.startAll();
            try (TestClient client = new TestClient(servers, "ads", 1)) {
                Incarnation joiner = client.register("east/joiner-0", "01");
                servers.ofClients = authority.tls("photon:///operator/alice");
                try (TestClient operator = new TestClient(servers, "ads", 1)) {
                    assertThat(operator.fence(joiner)).isNotEmpty();
                }
            }
        }
    }

    @Test
    void theRaftPortIsForDaemonsAlone() throws Exception {
        try (TestRegistry servers = secured()) {
            servers.listed = 1;
            servers.startAll();
            HostPort raft = servers.peers.get(0).raft();
            assertThat(firstByte(raft, authority.issue("r9", "photon://east/daemon/r9")))
                    .as("HTTP/2 begins")
                    .isNotNegative();
            for (String other :
                    List.of(
                            "photon:///operator/alice",
                            "photon:///viewer/bob",
                            "photon://east/adapter/score")) {
                assertRefused(raft, authority.issue("other", other));
            }
            assertRefused(raft, null);
            TestCertificates theirs = new TestCertificates(root.resolve("theirs"));
            SecurityConfig.Files unknown = theirs.issue("r9", "photon://east/daemon/r9");
            assertRefused(
                    raft,
                    new SecurityConfig.Files(
                            unknown.certificate(),
                            unknown.key(),
                            authority.issue("x", "photon://east/daemon/x").trust()));
            assertThat(firstByteInTheClear(raft)).as("is told nothing").isNotEqualTo(0);
            assertThat(servers.bugs).isEmpty();
        }
    }

    private void assertRefused(HostPort raft, SecurityConfig.@Nullable Files files) {
        assertThatThrownBy(
                        () -> {
                            if (firstByte(raft, files) < 0) {
                                throw new IOException("closed");
                            }
                        })
                .as(String.valueOf(files))
                .isInstanceOf(IOException.class);
    }

    /**
     * What the server says first when it has let a client in; -1: it closes.
     *
     * @param files null: without a certificate
     */
    private int firstByte(HostPort at, SecurityConfig.@Nullable Files files) throws Exception {
        TlsFiles known =
                TlsFiles.open(
                        files == null
                                ? authority.issue("none", "photon://east/daemon/none")
                                : files,
                        Clock.systemUTC());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                files == null ? new KeyManager[0] : new KeyManager[] {known.keyManager()},
                new TrustManager[] {known.trustManager(EnumSet.allOf(Role.class), "")},
                null);
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(at.host(), at.port())) {
            socket.setSoTimeout(WITHIN_MILLIS);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
            return socket.getInputStream().read();
        }
    }

    /** HTTP/2's own answer would begin with a length, whose first byte is 0. */
    private static int firstByteInTheClear(HostPort at) throws IOException {
        try (java.net.Socket socket = new java.net.Socket(at.host(), at.port())) {
            socket.setSoTimeout((int) TimeUnit.MINUTES.toMillis(1));
            socket.getOutputStream()
                    .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read();
        } catch (java.net.SocketException e) {
            return -1;
        }
    }
}
