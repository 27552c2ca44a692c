package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.CallOptions;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCalls;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.rpc.HostPort;

/** On the Raft port other servers are served, and no client and no operator of Ratis. */
@Timeout(600)
class RaftPortTest {
    private static final byte[] NOTHING = {};

    private static final MethodDescriptor.Marshaller<byte[]> BYTES =
            new MethodDescriptor.Marshaller<>() {
                @Override
                public InputStream stream(byte[] value) {
                    return new ByteArrayInputStream(value);
                }

                @Override
                public byte[] parse(InputStream stream) {
                    return NOTHING;
                }
            };

    @TempDir Path root;

    @Test
    void oneByteOfAClientOfRatisEndsNoReplica() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 3)) {
            nodes.startAll();
            assertThat(nodes.add(GroupIds.control(), 1)).isEqualTo(1);
            try (RaftClient client = client(nodes)) {
                CompletableFuture<RaftClientReply> answer =
                        client.async().send(Message.valueOf(ByteString.copyFrom(new byte[1])));
                Throwable refused =
                        answer.handle((reply, failure) -> failure).get(2, TimeUnit.MINUTES);
                assertThat(nodes.bugs).isEmpty();
                // With which words is the client's matter: what the port says is tested below.
                assertThat(refused).isNotNull();
                assertThatThrownBy(() -> client.io().send(Message.valueOf("x")))
                        .isInstanceOf(IOException.class);
                assertThatThrownBy(
                                () -> client.admin().setConfiguration(peers(nodes).subList(0, 1)))
                        .isInstanceOf(IOException.class);
            }
            assertThat(nodes.add(GroupIds.control(), 2)).as("goes on").isEqualTo(3);
            assertThat(
                            nodes.replica(nodes.leader(GroupIds.control()), GroupIds.control())
                                    .members())
                    .satisfies(members -> assertThat(members.names()).hasSize(3));
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    void everyMethodOfClientsAndOperatorsIsAnsweredUnimplemented() throws Exception {
        List<MethodDescriptor<?, ?>> methods = new ArrayList<>();
        methods.addAll(RaftClientProtocolServiceGrpc.getServiceDescriptor().getMethods());
        methods.addAll(AdminProtocolServiceGrpc.getServiceDescriptor().getMethods());
        assertThat(methods).hasSizeGreaterThan(5);
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.startAll();
            HostPort raft = nodes.members.get(0).address();
            ManagedChannel channel =
                    NettyChannelBuilder.forAddress(raft.host(), raft.port()).usePlaintext().build();
            try {
                for (MethodDescriptor<?, ?> method : methods) {
                    assertThat(answer(channel, method.getFullMethodName()))
                            .as(method.getFullMethodName())
                            .isEqualTo(Status.Code.UNIMPLEMENTED);
                }
            } finally {
                channel.shutdownNow();
            }
            assertThat(nodes.add(GroupIds.control(), 1)).isEqualTo(1);
            assertThat(nodes.bugs).isEmpty();
        }
    }

    @Test
    void itListensAtTheNamedAddressOnly() throws Exception {
        try (TestNodes nodes = new TestNodes(root, 1)) {
            nodes.startAll();
            int port = nodes.members.get(0).address().port();
            assertThatCode(() -> connectTo("127.0.0.1", port)).doesNotThrowAnyException();
            assertThatThrownBy(() -> connectTo("127.0.0.2", port)).isInstanceOf(IOException.class);
        }
    }

    private static void connectTo(String host, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), 120_000);
        }
    }

    private static Status.Code answer(ManagedChannel channel, String method) {
        try {
            ClientCalls.blockingUnaryCall(
                    channel,
                    MethodDescriptor.newBuilder(BYTES, BYTES)
                            .setType(MethodDescriptor.MethodType.UNARY)
                            .setFullMethodName(method)
                            .build(),
                    CallOptions.DEFAULT.withDeadlineAfter(2, TimeUnit.MINUTES),
                    NOTHING);
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }

    private static RaftClient client(TestNodes nodes) {
        return RaftClient.newBuilder()
                .setProperties(new RaftProperties())
                .setRaftGroup(RaftGroup.valueOf(RatisCalls.group(GroupIds.control()), peers(nodes)))
                .setLeaderId(peers(nodes).get(nodes.leader(GroupIds.control())).getId())
                .setRetryPolicy(RetryPolicies.noRetry())
                .build();
    }

    private static List<RaftPeer> peers(TestNodes nodes) {
        return nodes.members.stream()
                .map(
                        member ->
                                RaftPeer.newBuilder()
                                        .setId(member.name())
                                        .setAddress(member.address().toString())
                                        .build())
                .toList();
    }
}
