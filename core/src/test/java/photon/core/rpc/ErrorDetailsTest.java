package photon.core.rpc;

import static io.grpc.stub.ClientCalls.blockingUnaryCall;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.ErrorInfo;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.error.BugHandler;
import photon.core.loop.ThreadLoop;
import photon.core.security.Role;
import photon.core.security.TestCertificates;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.proto.v1.ControlGrpc;
import photon.proto.v1.DispatcherGrpc;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.DropPipelineResponse;
import photon.proto.v1.RegisterDispatcherStateRequest;
import photon.proto.v1.RegisterDispatcherStateResponse;

/** What any gRPC client reads of a refusal by a real server. */
@Timeout(300)
class ErrorDetailsTest {
    private static final String SERVER = "photon://east/daemon/r0";

    @TempDir Path directory;
    private final ThreadLoop loop = new ThreadLoop("server", 100, BugHandler.stopProcess());
    private final List<ManagedChannel> channels = new ArrayList<>();

    private GrpcServer server(RpcSecurity security, RpcLimits limits) {
        return GrpcServer.at(new HostPort("127.0.0.1", 0), loop)
                .within(new ProcessRpcs(security))
                .limits(limits)
                .unary(
                        ControlGrpc.getDropPipelineMethod(),
                        (request, answer) ->
                                answer.accept(DropPipelineResponse.getDefaultInstance()))
                .unary(
                        ControlGrpc.getRegisterDispatcherStateMethod(),
                        (request, answer) ->
                                answer.accept(RegisterDispatcherStateResponse.getDefaultInstance()))
                .<AddRepairRowsRequest, AddRepairRowsResponse>unary(
                        DispatcherGrpc.getAddRepairRowsMethod(),
                        (request, answer) -> {
                            throw new MalformedRequestException(
                                    "rows[3].lost_token", "x".repeat(20_000));
                        })
                .start();
    }

    @AfterEach
    void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        loop.close();
    }

    private ManagedChannel channel(GrpcServer server, RpcSecurity as) {
        ManagedChannel made = as.channelTo(server.address(), Role.DAEMON).build();
        channels.add(made);
        return made;
    }

    private static <Q, R> void assertRefused(
            RpcError code, ManagedChannel by, MethodDescriptor<Q, R> method, Q request) {
        StatusRuntimeException refused =
                catchThrowableOfType(
                        StatusRuntimeException.class,
                        () ->
                                blockingUnaryCall(
                                        by,
                                        method,
                                        CallOptions.DEFAULT.withDeadlineAfter(2, TimeUnit.MINUTES),
                                        request));
        assertThat(refused).as("an error").isNotNull();
        assertThat(refused.getStatus().getCode()).isEqualTo(code.status());
        assertThat(infos(refused))
                .singleElement()
                .satisfies(
                        info -> {
                            assertThat(info.getDomain()).isEqualTo("photon");
                            assertThat(info.getReason()).isEqualTo(code.name());
                            assertThat(info.getMetadataMap())
                                    .containsEntry("retry", code.retryHelps() ? "later" : "never")
                                    .containsEntry("help", code.help())
                                    .hasSize(2);
                        });
    }

    private static List<ErrorInfo> infos(StatusRuntimeException refused) {
        com.google.rpc.Status details = StatusProto.fromThrowable(refused);
        assertThat(details).isNotNull();
        assertThat(details.getMessage()).isEqualTo(refused.getStatus().getDescription());
        List<ErrorInfo> infos = new ArrayList<>();
        for (Any detail : details.getDetailsList()) {
            try {
                infos.add(detail.unpack(ErrorInfo.class));
            } catch (com.google.protobuf.InvalidProtocolBufferException e) {
                throw new AssertionError(e);
            }
        }
        return infos;
    }

    @Test
    void aCertificateThatDoesNotAllowTheCall() {
        TestCertificates authority = new TestCertificates(directory.resolve("ours"));
        try (GrpcServer server = server(authority.tls(SERVER), RpcLimits.DEFAULTS)) {
            assertRefused(
                    RpcError.NOT_PERMITTED,
                    channel(server, authority.tls("photon:///viewer/bob")),
                    ControlGrpc.getDropPipelineMethod(),
                    DropPipelineRequest.getDefaultInstance());
            assertRefused(
                    RpcError.NOT_PERMITTED,
                    channel(server, authority.tls("photon://west/daemon/dispatcher")),
                    ControlGrpc.getRegisterDispatcherStateMethod(),
                    RegisterDispatcherStateRequest.newBuilder().setDatacenter("east").build());
        }
    }

    /** Also one whose text would not fit into the headers of an answer. */
    @Test
    void aRequestThatCannotBeOne() {
        try (GrpcServer server = server(RpcSecurity.PLAINTEXT, RpcLimits.DEFAULTS)) {
            assertRefused(
                    RpcError.MALFORMED_REQUEST,
                    channel(server, RpcSecurity.PLAINTEXT),
                    DispatcherGrpc.getAddRepairRowsMethod(),
                    AddRepairRowsRequest.getDefaultInstance());
        }
    }

    @Test
    void aMethodThatTheServerDoesNotHave() {
        try (GrpcServer server = server(RpcSecurity.PLAINTEXT, RpcLimits.DEFAULTS)) {
            MethodDescriptor<DropPipelineRequest, DropPipelineResponse> newer =
                    ControlGrpc.getDropPipelineMethod().toBuilder()
                            .setFullMethodName("photon.v9.Control/Newer")
                            .build();
            assertRefused(
                    RpcError.UNKNOWN_METHOD,
                    channel(server, RpcSecurity.PLAINTEXT),
                    newer,
                    DropPipelineRequest.newBuilder()
                            .setPipeline(ByteString.copyFromUtf8("p"))
                            .build());
        }
    }

    @Test
    void aServerThatHasTooMuchToDo() {
        RpcLimits one = new RpcLimits(1, 10, 10_000, 1_000);
        try (GrpcServer server = server(RpcSecurity.PLAINTEXT, one)) {
            ManagedChannel first = channel(server, RpcSecurity.PLAINTEXT);
            DropPipelineRequest request = DropPipelineRequest.getDefaultInstance();
            blockingUnaryCall(
                    first, ControlGrpc.getDropPipelineMethod(), CallOptions.DEFAULT, request);
            assertRefused(
                    RpcError.TOO_MANY_CONNECTIONS,
                    channel(server, RpcSecurity.PLAINTEXT),
                    ControlGrpc.getDropPipelineMethod(),
                    request);
        }
    }

    /** As the command line and the log of a daemon print it. */
    @Test
    void ourOwnCallersPrintTheCode() {
        TestCertificates authority = new TestCertificates(directory.resolve("ours"));
        CompletableFuture<String> why = new CompletableFuture<>();
        try (GrpcServer server = server(authority.tls(SERVER), RpcLimits.DEFAULTS)) {
            GrpcChannels ours =
                    new GrpcChannels(loop, new ProcessRpcs(authority.tls("photon:///viewer/bob")));
            loop.execute(
                    () ->
                            ours.unary(
                                            server.address(),
                                            ControlGrpc.getDropPipelineMethod(),
                                            java.time.Duration.ofMinutes(2))
                                    .call(
                                            DropPipelineRequest.getDefaultInstance(),
                                            new Caller.Reply<>() {
                                                @Override
                                                public void answered(
                                                        DropPipelineResponse response) {
                                                    why.complete("answered");
                                                }

                                                @Override
                                                public void broken(String reason) {
                                                    why.complete(reason);
                                                }
                                            }));
            assertThat(why.join())
                    .contains(": PERMISSION_DENIED (")
                    .endsWith("viewer bob), error NOT_PERMITTED");
            loop.execute(ours::close);
        }
    }
}
