package photon.idregistry.raft.workaround;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.junit.jupiter.api.Test;
import photon.idregistry.raft.workaround.AppendTurnQueue.Turn;

class AppendOrderingTest {
    private static final ByteString GROUP = ByteString.copyFromUtf8("group");
    private static final RaftRpcRequestProto HEADER =
            RaftRpcRequestProto.newBuilder()
                    .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(GROUP))
                    .build();

    @Test
    void whatReadsOrWritesTheLogTakesATurn() {
        AppendEntriesRequestProto heartbeat =
                AppendEntriesRequestProto.newBuilder()
                        .setServerRequest(HEADER)
                        .setLeaderTerm(7)
                        .build();
        assertThat(AppendOrdering.task(heartbeat))
                .isEqualTo(new AppendOrdering.Task(GROUP, Turn.ofLeader(7, false)));
        assertThat(
                        AppendOrdering.task(
                                heartbeat.toBuilder()
                                        .addEntries(LogEntryProto.getDefaultInstance())
                                        .build()))
                .isEqualTo(new AppendOrdering.Task(GROUP, Turn.ofLeader(7, true)));

        AppendOrdering.Task other = new AppendOrdering.Task(GROUP, Turn.ofOther());
        RequestVoteRequestProto vote =
                RequestVoteRequestProto.newBuilder().setServerRequest(HEADER).build();
        assertThat(AppendOrdering.task(vote)).isEqualTo(other);
        assertThat(AppendOrdering.task(vote.toBuilder().setPreVote(true).build())).isNull();
        assertThat(
                        AppendOrdering.task(
                                InstallSnapshotRequestProto.newBuilder()
                                        .setServerRequest(HEADER)
                                        .build()))
                .isEqualTo(new AppendOrdering.Task(GROUP, Turn.alone()));
        assertThat(
                        AppendOrdering.task(
                                StartLeaderElectionRequestProto.newBuilder()
                                        .setServerRequest(HEADER)
                                        .build()))
                .isEqualTo(other);
        assertThat(AppendOrdering.task(ReadIndexRequestProto.getDefaultInstance())).isNull();
    }

    private static final class Call<Q, R> extends ServerCall<Q, R> {
        private final MethodDescriptor<Q, R> method;

        private Call(MethodDescriptor<Q, R> method) {
            this.method = method;
        }

        @Override
        public MethodDescriptor<Q, R> getMethodDescriptor() {
            return method;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void request(int messages) {}

        @Override
        public void sendHeaders(Metadata headers) {}

        @Override
        public void sendMessage(R message) {}

        @Override
        public void close(Status status, Metadata trailers) {}
    }

    /** What Ratis is told, and whether that was in a turn. */
    private static <Q, R> List<String> told(MethodDescriptor<Q, R> method, Q message) {
        AppendTurnQueue<ByteString> turns = new AppendTurnQueue<>();
        List<String> told = new ArrayList<>();
        ServerCall.Listener<Q> listener =
                new AppendOrdering(turns)
                        .interceptCall(
                                new Call<>(method),
                                new Metadata(),
                                (call, headers) ->
                                        new ServerCall.Listener<Q>() {
                                            @Override
                                            public void onMessage(Q heard) {
                                                told.add("message, turns " + turns.groups());
                                            }

                                            @Override
                                            public void onHalfClose() {
                                                told.add("end, turns " + turns.groups());
                                            }
                                        });
        listener.onMessage(message);
        listener.onHalfClose();
        assertThat(turns.groups()).isZero();
        return told;
    }

    @Test
    void aTurnIsTakenWhereRatisDoesTheWork() {
        assertThat(
                        told(
                                RaftServerProtocolServiceGrpc.getAppendEntriesMethod(),
                                AppendEntriesRequestProto.newBuilder()
                                        .setServerRequest(HEADER)
                                        .build()))
                .containsExactly("message, turns 1", "end, turns 0");
        // A single request is kept until it is known to be the only one.
        assertThat(
                        told(
                                RaftServerProtocolServiceGrpc.getRequestVoteMethod(),
                                RequestVoteRequestProto.newBuilder()
                                        .setServerRequest(HEADER)
                                        .build()))
                .containsExactly("message, turns 0", "end, turns 1");
    }
}
