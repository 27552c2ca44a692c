package photon.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.grpc.MethodDescriptor;
import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.error.BugHandler;
import photon.core.loop.ThreadLoop;
import photon.core.security.SecurityConfig;
import photon.core.security.TestCertificates;
import photon.proto.v1.ControlGrpc;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.DropPipelineResponse;
import photon.proto.v1.RegisterDispatcherStateRequest;
import photon.proto.v1.RegisterDispatcherStateResponse;

/** Who is let in over a real connection, and what the others are told. */
@Timeout(300)
class TlsTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final String SERVER = "photon://east/daemon/r0";
    private static final String OPERATOR = "photon:///operator/alice";

    private static final int SILENT = 10_000;

    @TempDir Path directory;
    private final ThreadLoop loop = new ThreadLoop("tls", 1_024, BugHandler.stopProcess());
    private TestCertificates authority;
    private GrpcServer server;

    @BeforeEach
    void serve() {
        authority = new TestCertificates(directory.resolve("ours"));
        server = server(authority.tls(SERVER));
    }

    private GrpcServer server(RpcSecurity security) {
        return GrpcServer.at(new HostPort("127.0.0.1", 0), loop)
                .secured(security)
                .unary(
                        ControlGrpc.getDropPipelineMethod(),
                        (request, answer) ->
                                answer.accept(DropPipelineResponse.getDefaultInstance()))
                .unary(
                        ControlGrpc.getRegisterDispatcherStateMethod(),
                        (request, answer) ->
                                answer.accept(RegisterDispatcherStateResponse.getDefaultInstance()))
                .start();
    }

    @AfterEach
    void close() {
        server.close();
        loop.close();
    }

    private String drop(RpcSecurity client, GrpcServer at) {
        return ask(
                client,
                at.address(),
                ControlGrpc.getDropPipelineMethod(),
                DropPipelineRequest.getDefaultInstance());
    }

    /** "ok", or why there was no answer. */
    private <Q, R> String ask(
            RpcSecurity client, HostPort at, MethodDescriptor<Q, R> method, Q request) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        loop.execute(
                () -> {
                    GrpcChannels channels = new GrpcChannels(loop, new ProcessRpcs(client));
                    channels.unary(at, method, DEADLINE)
                            .call(
                                    request,
                                    new Caller.Reply<>() {
                                        @Override
                                        public void answered(R response) {
                                            answer.complete("ok");
                                            channels.close();
                                        }

                                        @Override
                                        public void broken(String why) {
                                            answer.complete(why);
                                            channels.close();
                                        }
                                    });
                });
        return answer.join();
    }

    @Test
    void anOperatorIsLetIn() {
        assertThat(drop(authority.tls(OPERATOR), server)).isEqualTo("ok");
    }

    @Test
    void anotherRoleIsToldWhichOneIsNeeded() {
        assertThat(drop(authority.tls("photon://east/daemon/joiner-0"), server))
                .contains("PERMISSION_DENIED")
                .contains("DropPipeline is for the role operator")
                .contains("of daemon joiner-0 of east");
        assertThat(drop(authority.tls("photon:///viewer/bob"), server))
                .contains("PERMISSION_DENIED");
    }

    /** Its key is on a machine that may be somebody else's. */
    @Test
    void anAdapterGetsNoConnection() {
        assertThat(drop(authority.tls("photon:///adapter/score"), server)).contains("UNAVAILABLE");
        assertThat(drop(authority.tls(OPERATOR), server)).as("it goes on").isEqualTo("ok");
    }

    @Test
    void aDaemonOfOneDatacenterDoesNotActForAnother() {
        RpcSecurity west = authority.tls("photon://west/daemon/dispatcher");
        assertThat(register(west, "west")).isEqualTo("ok");
        assertThat(register(west, "east"))
                .contains("PERMISSION_DENIED")
                .contains("for datacenter east")
                .contains("of west");
    }

    private String register(RpcSecurity client, String datacenter) {
        return ask(
                client,
                server.address(),
                ControlGrpc.getRegisterDispatcherStateMethod(),
                RegisterDispatcherStateRequest.newBuilder().setDatacenter(datacenter).build());
    }

    @Test
    void anotherAuthorityIsNotTrusted() {
        TestCertificates theirs = new TestCertificates(directory.resolve("theirs"));
        assertThat(drop(theirs.tls(OPERATOR), server)).contains("UNAVAILABLE");
        // A client that trusts the server, and whom the server does not.
        SecurityConfig.Files own = theirs.issue("alice", OPERATOR);
        SecurityConfig.Files oneSided =
                new SecurityConfig.Files(
                        own.certificate(), own.key(), authority.issue("unused", OPERATOR).trust());
        assertThat(drop(TestCertificates.tls(oneSided, Clock.systemUTC()), server))
                .contains("UNAVAILABLE");
    }

    @Test
    void anExpiredCertificateIsRefused() {
        SecurityConfig.Files expired = authority.issueExpired("old", OPERATOR);
        Clock thatTime = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(-90));
        assertThat(drop(TestCertificates.tls(expired, thatTime), server)).contains("UNAVAILABLE");
    }

    @Test
    void anExpiredServerIsRefused() {
        SecurityConfig.Files expired = authority.issueExpired("old", SERVER);
        Clock thatTime = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(-90));
        try (GrpcServer old = server(TestCertificates.tls(expired, thatTime))) {
            assertThat(drop(authority.tls(OPERATOR), old))
                    .contains("UNAVAILABLE")
                    .contains("NotAfter");
        }
    }

    @Test
    void aServerOfAnotherAddressIsRefused() {
        SecurityConfig.Files elsewhere = authority.issueFor("other", SERVER, "r9.example");
        try (GrpcServer other = server(TestCertificates.tls(elsewhere, Clock.systemUTC()))) {
            assertThat(drop(authority.tls(OPERATOR), other))
                    .contains("UNAVAILABLE")
                    .contains("127.0.0.1");
        }
    }

    @Test
    void aServerThatIsNoDaemonIsRefused() {
        try (GrpcServer pretender = server(authority.tls("photon:///viewer/mallory"))) {
            assertThat(drop(authority.tls(OPERATOR), pretender))
                    .contains("UNAVAILABLE")
                    .contains("of viewer mallory: expected one of [daemon]");
        }
    }

    @Test
    void aServerOfAnotherDatacenterThanConfiguredIsRefused() {
        SecurityConfig.Files own = authority.issue("alice", OPERATOR);
        RpcSecurity expectsWest =
                RpcSecurity.of(
                        new SecurityConfig(SecurityConfig.Mode.TLS, Optional.of(own)),
                        Map.of(server.address(), "west"),
                        Clock.systemUTC());
        assertThat(drop(expectsWest, server))
                .contains("UNAVAILABLE")
                .contains("expected one of datacenter west");
    }

    @Test
    void plaintextAndTlsDoNotMeet() {
        assertThat(drop(RpcSecurity.PLAINTEXT, server)).contains("UNAVAILABLE");
        try (GrpcServer plain = server(RpcSecurity.PLAINTEXT)) {
            assertThat(drop(authority.tls(OPERATOR), plain)).contains("UNAVAILABLE");
        }
        assertThat(drop(authority.tls(OPERATOR), server)).as("it goes on").isEqualTo("ok");
    }

    @Test
    void replacedCertificatesServeNewConnectionsWithoutARestart() {
        // Clocks that are a second on at each look.
        SecurityConfig.Files files = authority.issue("replaced", SERVER);
        try (GrpcServer replaced = server(TestCertificates.tls(files, new EachLookASecond()))) {
            assertThat(drop(authority.tls(OPERATOR), replaced)).isEqualTo("ok");
            authority.issueFor("replaced", SERVER, "r9.example");
            assertThat(drop(authority.tls(OPERATOR), replaced))
                    .contains("UNAVAILABLE")
                    .contains("127.0.0.1");
            authority.issue("replaced", "photon://west/daemon/r0");
            assertThat(drop(authority.tls(OPERATOR), replaced))
                    .as("that of another datacenter is not taken")
                    .contains("127.0.0.1");
            authority.issue("replaced", SERVER);
            assertThat(drop(authority.tls(OPERATOR), replaced)).isEqualTo("ok");
        }
    }

    @Test
    void replacedTrustCountsForNewConnections() {
        SecurityConfig.Files own = authority.issue("trusting", SERVER);
        SecurityConfig.Files theirs =
                new TestCertificates(directory.resolve("next")).issue("alice", OPERATOR);
        Path trust = directory.resolve("both.pem");
        TestCertificates.write(trust, read(own.trust()) + read(theirs.trust()));
        SecurityConfig.Files files = new SecurityConfig.Files(own.certificate(), own.key(), trust);
        SecurityConfig.Files client =
                new SecurityConfig.Files(theirs.certificate(), theirs.key(), own.trust());
        try (GrpcServer replaced = server(TestCertificates.tls(files, new EachLookASecond()))) {
            RpcSecurity alice = TestCertificates.tls(client, Clock.systemUTC());
            assertThat(drop(alice, replaced)).isEqualTo("ok");
            TestCertificates.write(trust, read(own.trust()));
            assertThat(drop(alice, replaced)).contains("UNAVAILABLE");
            assertThat(drop(authority.tls(OPERATOR), replaced)).isEqualTo("ok");
        }
    }

    @Test
    @Tag("slow")
    void aConnectionThatSaysNothingIsCut() throws Exception {
        try (Socket silent = new Socket(server.address().host(), server.address().port())) {
            silent.setSoTimeout((int) DEADLINE.toMillis());
            assertThat(silent.getInputStream().read()).as("the server closes").isNegative();
        }
        assertThat(drop(authority.tls(OPERATOR), server)).as("it goes on").isEqualTo("ok");
    }

    /** Each holds a descriptor until it is cut. */
    @Test
    @Tag("crash")
    void tenThousandConnectionsThatSayNothingStopNobodyAndAreCut() throws Exception {
        assumeTrue(
                ManagementFactory.getOperatingSystemMXBean()
                                instanceof UnixOperatingSystemMXBean system
                        && system.getMaxFileDescriptorCount() > SILENT + 2_000,
                "skipped: the limit on open files is too low here");
        Process crowd =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                SilentCrowd.class.getName(),
                                server.address().host(),
                                String.valueOf(server.address().port()),
                                String.valueOf(SILENT))
                        .redirectErrorStream(true)
                        .start();
        try (BufferedReader said = crowd.inputReader()) {
            assertThat(said.readLine()).isEqualTo("open");
            assertThat(drop(authority.tls(OPERATOR), server)).as("beside them").isEqualTo("ok");
            assertThat(said.readLine()).isEqualTo("cut");
            assertThat(drop(authority.tls(OPERATOR), server)).as("afterwards").isEqualTo("ok");
            assertThat(crowd.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            crowd.destroyForcibly();
        }
    }

    @Test
    void aMessageThatIsTooLargeIsRefused() {
        try (GrpcServer small =
                GrpcServer.at(new HostPort("127.0.0.1", 0), loop)
                        .secured(authority.tls(SERVER))
                        .limits(RpcLimits.DEFAULTS.withMessageBytes(1_000))
                        .unary(
                                ControlGrpc.getDropPipelineMethod(),
                                (request, answer) ->
                                        answer.accept(DropPipelineResponse.getDefaultInstance()))
                        .start()) {
            assertThat(
                            ask(
                                    authority.tls(OPERATOR),
                                    small.address(),
                                    ControlGrpc.getDropPipelineMethod(),
                                    DropPipelineRequest.newBuilder()
                                            .setActor("a".repeat(2_000))
                                            .build()))
                    .contains("RESOURCE_EXHAUSTED");
            assertThat(drop(authority.tls(OPERATOR), small)).as("it goes on").isEqualTo("ok");
        }
    }

    private static String read(Path file) {
        try {
            return java.nio.file.Files.readString(file);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** So that files that have changed are seen at once. */
    private static final class EachLookASecond extends Clock {
        private final java.time.Instant began = java.time.Instant.now();
        private final java.util.concurrent.atomic.AtomicLong looks =
                new java.util.concurrent.atomic.AtomicLong();

        @Override
        public java.time.Instant instant() {
            return began;
        }

        @Override
        public long millis() {
            return began.toEpochMilli() + 1_000 * looks.incrementAndGet();
        }

        @Override
        public java.time.ZoneId getZone() {
            return java.time.ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }
    }
}
