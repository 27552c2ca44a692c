package photon.idregistry.raft.workaround;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexReplyProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Tells followers, in Ratis' place, where they must have come to before they read. Ratis asks
 * nobody whether it still leads if its commit index was confirmed once before (3.3.0,
 * ReadIndexHeartbeats), and takes confirmations of an earlier question for a later one: a leader
 * that was voted out and does not know it yet, as after a pause, would let them read what is old
 * (docs/protocol.md section 3).
 */
public final class ReadIndexes implements ServerInterceptor {
    private static final String READ_INDEX =
            RaftServerProtocolServiceGrpc.getReadIndexMethod().getFullMethodName();

    private final Function<UUID, CompletableFuture<Long>> indexes;

    /**
     * @param indexes gives, of a group that this server leads, an index at or above all that was
     *     committed before the call
     */
    public ReadIndexes(Function<UUID, CompletableFuture<Long>> indexes) {
        this.indexes = indexes;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (!call.getMethodDescriptor().getFullMethodName().equals(READ_INDEX)) {
            return next.startCall(call, headers);
        }
        @SuppressWarnings("unchecked") // By the method's name.
        ServerCall<Q, ReadIndexReplyProto> asked = (ServerCall<Q, ReadIndexReplyProto>) call;
        asked.request(2); // One, and one more that would be too many.
        return new ServerCall.Listener<>() {
            private @Nullable ReadIndexRequestProto request;

            @Override
            public void onMessage(Q message) {
                request = (ReadIndexRequestProto) message;
            }

            @Override
            public void onHalfClose() {
                if (request == null) {
                    asked.close(
                            Status.INVALID_ARGUMENT.withDescription("Expected a request"),
                            new Metadata());
                } else {
                    answer(asked, request.getServerRequest());
                }
            }
        };
    }

    private void answer(ServerCall<?, ReadIndexReplyProto> call, RaftRpcRequestProto request) {
        indexes.apply(RaftGroupId.valueOf(request.getRaftGroupId().getId()).getUuid())
                .whenComplete(
                        (index, failure) -> {
                            if (failure != null) {
                                call.close(
                                        Status.UNAVAILABLE.withDescription(failure.toString()),
                                        new Metadata());
                            } else if (!call.isCancelled()) {
                                call.sendHeaders(new Metadata());
                                call.sendMessage(reply(request, index));
                                call.close(Status.OK, new Metadata());
                            }
                        });
    }

    private static ReadIndexReplyProto reply(RaftRpcRequestProto request, long index) {
        return ReadIndexReplyProto.newBuilder()
                .setServerReply(
                        RaftRpcReplyProto.newBuilder()
                                .setRequestorId(request.getRequestorId())
                                .setReplyId(request.getReplyId())
                                .setRaftGroupId(request.getRaftGroupId())
                                .setCallId(request.getCallId())
                                .setSuccess(true))
                .setReadIndex(index)
                .build();
    }
}
