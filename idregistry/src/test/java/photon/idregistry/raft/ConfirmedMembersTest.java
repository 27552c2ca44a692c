package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.junit.jupiter.api.Test;
import photon.idregistry.raft.workaround.LoggedMembers;

/** What a follower confirms while its members are still being handed in to Ratis. */
class ConfirmedMembersTest {
    private final List<String> sent = new ArrayList<>();
    private final List<String> sentWhileHandedIn = new ArrayList<>();

    @Test
    void aConfirmationLeavesOnlyAfterTheMembersAreHandedIn() {
        ServerCall.Listener<AppendEntriesRequestProto> listener = listener();
        listener.onMessage(
                AppendEntriesRequestProto.newBuilder()
                        .setServerRequest(
                                RaftRpcRequestProto.newBuilder()
                                        .setRaftGroupId(
                                                RaftGroupIdProto.newBuilder()
                                                        .setId(
                                                                RaftGroupId.valueOf(
                                                                                GroupIds.control())
                                                                        .toByteString())))
                        .addEntries(LogEntryProto.getDefaultInstance())
                        .build());
        assertThat(sentWhileHandedIn).isEmpty();
        assertThat(sent).containsExactly("headers", "reply", "OK");
    }

    @Test
    void anAnswerToAHeartbeatLeavesAtOnce() {
        listener().onMessage(AppendEntriesRequestProto.getDefaultInstance());
        assertThat(sentWhileHandedIn).containsExactly("headers", "reply", "OK");
        assertThat(sent).containsExactly("headers", "reply", "OK");
    }

    /** Of a call that Ratis answers before it gives the message back. */
    private ServerCall.Listener<AppendEntriesRequestProto> listener() {
        return new LoggedMembers(ConfirmedMembersTest::serverWithoutGroups, (where, bug) -> {})
                .interceptCall(
                        new Call(),
                        new Metadata(),
                        (ServerCall<AppendEntriesRequestProto, AppendEntriesReplyProto> call,
                                Metadata headers) ->
                                new ServerCall.Listener<AppendEntriesRequestProto>() {
                                    @Override
                                    public void onMessage(AppendEntriesRequestProto message) {
                                        call.sendHeaders(new Metadata());
                                        call.sendMessage(
                                                AppendEntriesReplyProto.getDefaultInstance());
                                        call.close(Status.OK, new Metadata());
                                        sentWhileHandedIn.addAll(sent);
                                    }
                                });
    }

    private static RaftServer serverWithoutGroups() {
        return (RaftServer)
                Proxy.newProxyInstance(
                        RaftServer.class.getClassLoader(),
                        new Class<?>[] {RaftServer.class},
                        (proxy, method, arguments) -> {
                            throw new IOException("no such group");
                        });
    }

    private final class Call
            extends ServerCall<AppendEntriesRequestProto, AppendEntriesReplyProto> {
        @Override
        public MethodDescriptor<AppendEntriesRequestProto, AppendEntriesReplyProto>
                getMethodDescriptor() {
            return RaftServerProtocolServiceGrpc.getAppendEntriesMethod();
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void request(int messages) {}

        @Override
        public void sendHeaders(Metadata headers) {
            sent.add("headers");
        }

        @Override
        public void sendMessage(AppendEntriesReplyProto reply) {
            sent.add("reply");
        }

        @Override
        public void close(Status status, Metadata trailers) {
            sent.add(String.valueOf(status.getCode()));
        }
    }
}
