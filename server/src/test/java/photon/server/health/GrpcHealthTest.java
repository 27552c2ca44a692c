package photon.server.health;

import static io.grpc.health.v1.HealthCheckResponse.ServingStatus.NOT_SERVING;
import static io.grpc.health.v1.HealthCheckResponse.ServingStatus.SERVING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.ManagedChannel;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.loop.LoopProbe;
import photon.core.loop.ManualLoop;
import photon.core.rpc.GrpcServer;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.rpc.RpcSecurity;
import photon.core.security.PeerIdentity;
import photon.core.security.Permissions;
import photon.core.security.Role;
import photon.core.security.TestCertificates;
import photon.proto.v1.EventStoreGrpc;

/** A daemon's port answers gRPC's own questions, from its beginning to its end. */
@Timeout(300)
class GrpcHealthTest {
    @TempDir Path directory;

    /** The server's: it stands still in all of these tests, and nobody waits for it. */
    private final ManualLoop serving = new ManualLoop();

    private final ManualLoop loop = new ManualLoop();
    private final ManualLoop daemon = new ManualLoop();
    private final LoopProbe<String> probe = new LoopProbe<>("main", daemon, () -> "at work");
    private final HealthMonitor monitor =
            HealthMonitor.start(loop, new Peers(loop, new ProcessRpcs()));
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final List<GrpcServer> servers = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        servers.forEach(GrpcServer::close);
        monitor.close();
    }

    private GrpcServer server(RpcSecurity security) {
        ProcessRpcs process = new ProcessRpcs(security);
        process.serveEverywhere(GrpcHealth.of(monitor));
        process.serveEverywhere(ProtoReflectionServiceV1.newInstance().bindService());
        GrpcServer made =
                GrpcServer.at(new HostPort("127.0.0.1", 0), serving)
                        .within(process)
                        .unary(
                                EventStoreGrpc.getLogsMethod(),
                                (request, answer) -> {
                                    throw new AssertionError("not asked for");
                                })
                        .session(
                                EventStoreGrpc.getLookupMethod(),
                                out -> {
                                    throw new AssertionError("not asked for");
                                })
                        .start();
        servers.add(made);
        return made;
    }

    private ManagedChannel channel(GrpcServer server, RpcSecurity as) {
        ManagedChannel made = as.channelTo(server.address(), Role.DAEMON).build();
        channels.add(made);
        return made;
    }

    private static HealthCheckRequest of(String service) {
        return HealthCheckRequest.newBuilder().setService(service).build();
    }

    private static ServingStatus check(ManagedChannel by, String service) {
        return HealthGrpc.newBlockingStub(by)
                .withDeadlineAfter(2, TimeUnit.MINUTES)
                .check(of(service))
                .getStatus();
    }

    /** As DaemonRun tells it, under a clock that the test moves. */
    @Test
    void itSaysWhatReadyzAndLivezSay() {
        GrpcServer server = server(RpcSecurity.PLAINTEXT);
        ManagedChannel peer = channel(server, RpcSecurity.PLAINTEXT);
        Iterator<HealthCheckResponse> watched =
                HealthGrpc.newBlockingStub(peer)
                        .withDeadlineAfter(4, TimeUnit.MINUTES)
                        .watch(of(""));
        assertThat(check(peer, "")).as("starting").isEqualTo(NOT_SERVING);
        assertThat(check(peer, "photon.live")).as("a start may take long").isEqualTo(SERVING);
        assertThat(watched.next().getStatus()).isEqualTo(NOT_SERVING);

        monitor.serving(
                DaemonChecks.of(
                        List.of(new Check("work", "", now -> Optional.empty())), List.of(probe)));
        loop.runUntilIdle();
        daemon.runUntilIdle();
        loop.advance(Duration.ofSeconds(1));
        assertThat(check(peer, "")).isEqualTo(SERVING);
        assertThat(watched.next().getStatus()).isEqualTo(SERVING);

        // A thread of the daemon stands still: first it is not ready, then it is not live.
        loop.advance(Duration.ofSeconds(31));
        assertThat(monitor.ready().passes()).isFalse();
        assertThat(check(peer, "")).isEqualTo(NOT_SERVING);
        assertThat(check(peer, "photon.live")).isEqualTo(SERVING);
        assertThat(watched.next().getStatus()).isEqualTo(NOT_SERVING);
        loop.advance(Duration.ofSeconds(100));
        assertThat(monitor.live().passes()).isFalse();
        assertThat(check(peer, "photon.live")).isEqualTo(NOT_SERVING);

        daemon.runUntilIdle();
        loop.advance(Duration.ofSeconds(1));
        assertThat(check(peer, "")).as("works again").isEqualTo(SERVING);
        assertThat(watched.next().getStatus()).isEqualTo(SERVING);
        monitor.ending();
        assertThat(check(peer, "")).as("at once").isEqualTo(NOT_SERVING);
        assertThat(watched.next().getStatus()).isEqualTo(NOT_SERVING);

        StatusRuntimeException unknown =
                catchThrowableOfType(
                        StatusRuntimeException.class, () -> check(peer, "photon.v1.Registry"));
        assertThat(unknown.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    }

    @Test
    void reflectionNamesTheServicesAndTheirFiles() {
        GrpcServer server = server(RpcSecurity.PLAINTEXT);
        ManagedChannel peer = channel(server, RpcSecurity.PLAINTEXT);
        assertThat(services(peer))
                .containsExactlyInAnyOrder(
                        "photon.v1.EventStore",
                        "grpc.health.v1.Health",
                        "grpc.reflection.v1.ServerReflection");
        assertThat(
                        reflect(
                                        peer,
                                        ServerReflectionRequest.newBuilder()
                                                .setFileContainingSymbol(
                                                        "photon.v1.EventStore.Lookup")
                                                .build())
                                .getFileDescriptorResponse()
                                .getFileDescriptorProtoList())
                .anySatisfy(file -> assertThat(file.toStringUtf8()).contains("PrimaryLookup"));
    }

    @Test
    void certificatesDecideWhoAsks() {
        TestCertificates authority = new TestCertificates(directory.resolve("ours"));
        GrpcServer server = server(authority.tls("photon://east/daemon/es"));
        for (String known :
                List.of(
                        "photon:///viewer/bob",
                        "photon:///operator/alice",
                        "photon://west/daemon/j0")) {
            assertThat(check(channel(server, authority.tls(known)), ""))
                    .as(known)
                    .isEqualTo(NOT_SERVING);
        }
        assertThat(services(channel(server, authority.tls("photon:///viewer/bob"))))
                .contains("photon.v1.EventStore");
        assertThat(services(channel(server, authority.tls("photon:///operator/alice"))))
                .contains("photon.v1.EventStore");

        ManagedChannel adapter = channel(server, authority.tls("photon:///adapter/score"));
        StatusRuntimeException refused =
                catchThrowableOfType(StatusRuntimeException.class, () -> check(adapter, ""));
        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        ManagedChannel other = channel(server, authority.tls("photon://west/daemon/j0"));
        CompletionException notTold =
                catchThrowableOfType(CompletionException.class, () -> services(other));
        assertThat(Status.fromThrowable(notTold).getCode())
                .isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    /** The list of permissions has names, not classes. A method that gRPC adds must get there. */
    @Test
    void everyMethodThatGrpcBringsIsListed() {
        PeerIdentity viewer = new PeerIdentity("", Role.VIEWER, "bob");
        PeerIdentity server = new PeerIdentity("east", Role.DAEMON, "r0");
        for (ServiceDescriptor service :
                List.of(
                        HealthGrpc.getServiceDescriptor(),
                        ServerReflectionGrpc.getServiceDescriptor())) {
            assertThat(service.getMethods())
                    .isNotEmpty()
                    .allSatisfy(
                            method ->
                                    assertThat(
                                                    Permissions.refusal(
                                                            method.getFullMethodName(),
                                                            viewer,
                                                            server))
                                            .isEmpty());
        }
    }

    private static List<String> services(ManagedChannel by) {
        return reflect(by, ServerReflectionRequest.newBuilder().setListServices("").build())
                .getListServicesResponse()
                .getServiceList()
                .stream()
                .map(ServiceResponse::getName)
                .toList();
    }

    private static ServerReflectionResponse reflect(
            ManagedChannel by, ServerReflectionRequest request) {
        CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
        StreamObserver<ServerReflectionRequest> requests =
                ServerReflectionGrpc.newStub(by)
                        .withDeadlineAfter(2, TimeUnit.MINUTES)
                        .serverReflectionInfo(
                                new StreamObserver<>() {
                                    @Override
                                    public void onNext(ServerReflectionResponse response) {
                                        answer.complete(response);
                                    }

                                    @Override
                                    public void onError(Throwable failure) {
                                        answer.completeExceptionally(failure);
                                    }

                                    @Override
                                    public void onCompleted() {}
                                });
        requests.onNext(request);
        requests.onCompleted();
        return answer.join();
    }
}
