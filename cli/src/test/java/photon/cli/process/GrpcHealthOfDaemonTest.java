package photon.cli.process;

import static io.grpc.health.v1.HealthCheckResponse.ServingStatus.NOT_SERVING;
import static io.grpc.health.v1.HealthCheckResponse.ServingStatus.SERVING;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.LocalProcess;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.core.rpc.RpcSecurity;
import photon.core.security.Role;
import photon.core.testing.Await;

/** Daemons that are processes answer gRPC's own health checks, before they are ready and after. */
@Tag("crash")
class GrpcHealthOfDaemonTest {
    private static final Duration LONG = Duration.ofMinutes(3);

    @TempDir Path directory;
    private final List<LocalProcess> running = new ArrayList<>();
    private final List<ManagedChannel> channels = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        running.forEach(LocalProcess::close);
    }

    private ManagedChannel channel(int port) {
        ManagedChannel made =
                RpcSecurity.PLAINTEXT
                        .channelTo(new HostPort("127.0.0.1", port), Role.DAEMON)
                        .build();
        channels.add(made);
        return made;
    }

    private static boolean says(ManagedChannel daemon, String service, ServingStatus expected) {
        try {
            return HealthGrpc.newBlockingStub(daemon)
                            .withDeadlineAfter(20, TimeUnit.SECONDS)
                            .check(HealthCheckRequest.newBuilder().setService(service).build())
                            .getStatus()
                    == expected;
        } catch (StatusRuntimeException e) {
            // It does not listen yet.
            return false;
        }
    }

    private void awaitSays(ManagedChannel daemon, String service, ServingStatus expected)
            throws Exception {
        Await.until(
                LONG,
                "'%s' to be %s".formatted(service, expected),
                () -> {
                    StringBuilder all = new StringBuilder();
                    running.forEach(process -> all.append(process.messagesOrTrouble()));
                    return all.toString();
                },
                () -> says(daemon, service, expected));
    }

    @Test
    void aRegistryServerServesWhileItHasALeader() throws Exception {
        List<Integer> ports = LoopbackPorts.choose(OneDatacenter.ports(3), new Random());
        OneDatacenter.config(directory, 3, ports, "out");
        start("registry", "--name", "r0");
        ManagedChannel first = channel(ports.get(1));
        awaitSays(first, "", NOT_SERVING);
        assertThat(says(first, "photon.live", SERVING)).isTrue();
        Iterator<HealthCheckResponse> watched =
                HealthGrpc.newBlockingStub(first)
                        .withDeadlineAfter(LONG.toSeconds(), TimeUnit.SECONDS)
                        .watch(HealthCheckRequest.getDefaultInstance());
        assertThat(watched.next().getStatus()).as("alone of three").isEqualTo(NOT_SERVING);
        assertThat(services(first)).contains("photon.v1.Members", "grpc.health.v1.Health");

        // It has waited for them, and its port is another server's for a moment: the watch ends.
        start("registry", "--name", "r1");
        start("registry", "--name", "r2");
        awaitSays(first, "", SERVING);
        assertThat(services(first)).contains("photon.v1.Registry", "grpc.health.v1.Health");
        watched =
                HealthGrpc.newBlockingStub(first)
                        .withDeadlineAfter(LONG.toSeconds(), TimeUnit.SECONDS)
                        .watch(HealthCheckRequest.getDefaultInstance());
        assertThat(watched.next().getStatus()).as("with a majority").isEqualTo(SERVING);

        // Processes 1 and 2 are the others.
        running.get(1).kill();
        running.get(2).kill();
        assertThat(watched.next().getStatus()).as("alone again").isEqualTo(NOT_SERVING);
        assertThat(says(first, "photon.live", SERVING)).isTrue();
    }

    private static List<String> services(ManagedChannel daemon) {
        CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
        StreamObserver<ServerReflectionRequest> requests =
                ServerReflectionGrpc.newStub(daemon)
                        .withDeadlineAfter(1, TimeUnit.MINUTES)
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
        requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
        requests.onCompleted();
        return answer.join().getListServicesResponse().getServiceList().stream()
                .map(ServiceResponse::getName)
                .toList();
    }

    private void start(String role, String... more) throws IOException {
        List<String> args =
                new ArrayList<>(
                        List.of(
                                "run",
                                role,
                                "--config",
                                directory.resolve("photon.yaml").toString()));
        args.addAll(List.of(more));
        running.add(LocalProcess.start(directory, "", args.toArray(String[]::new)));
    }
}
