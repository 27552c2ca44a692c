package photon.idregistry.raft;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexReplyProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadRequestTypeProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Server;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;

/**
 * A member without a log that votes for whoever asks, and confirms whatever its leader sends until
 * it is told to be silent.
 */
final class FakeFollower implements AutoCloseable {
    private final RaftMember me;
    private final RaftMember leader;
    private final UUID group;
    private final Server server;
    private final ManagedChannel channel;
    private final AtomicBoolean losesAnswers = new AtomicBoolean();

    /** In which an answer was lost last. */
    private final AtomicLong lossTerm = new AtomicLong(-1);

    private final AtomicInteger heartbeatsSinceLoss = new AtomicInteger();
    private volatile boolean silent;

    FakeFollower(RaftMember me, RaftMember leader, UUID group) throws IOException {
        this.me = me;
        this.leader = leader;
        this.group = group;
        this.server =
                NettyServerBuilder.forAddress(
                                new InetSocketAddress(me.address().host(), me.address().port()))
                        .addService(new Follower())
                        .build()
                        .start();
        this.channel =
                NettyChannelBuilder.forAddress(leader.address().host(), leader.address().port())
                        .usePlaintext()
                        .build();
    }

    /** Takes what comes from now on, and says nothing to it. */
    void fallSilent() {
        silent = true;
    }

    /** Confirms again what comes from now on. */
    void speakAgain() {
        silent = false;
    }

    /**
     * Takes the first entries of each term, and its connection breaks before it has confirmed them.
     */
    void loseFirstAnswers() {
        losesAnswers.set(true);
    }

    /** That were confirmed since an answer was lost. */
    int heartbeatsSinceLoss() {
        return heartbeatsSinceLoss.get();
    }

    /** Asks the leader up to where it must have applied the log to read. */
    CompletableFuture<ReadIndexReplyProto> readIndex() {
        CompletableFuture<ReadIndexReplyProto> answer = new CompletableFuture<>();
        RaftServerProtocolServiceGrpc.newStub(channel)
                .readIndex(
                        ReadIndexRequestProto.newBuilder()
                                .setServerRequest(header(ByteString.copyFromUtf8(me.name())))
                                .setClientRequest(
                                        RaftClientRequestProto.newBuilder()
                                                .setRpcRequest(
                                                        header(ClientId.randomId().toByteString()))
                                                .setRead(ReadRequestTypeProto.getDefaultInstance()))
                                .build(),
                        new StreamObserver<>() {
                            @Override
                            public void onNext(ReadIndexReplyProto reply) {
                                answer.complete(reply);
                            }

                            @Override
                            public void onError(Throwable failure) {
                                answer.completeExceptionally(failure);
                            }

                            @Override
                            public void onCompleted() {
                                answer.completeExceptionally(new IOException("no answer"));
                            }
                        });
        return answer;
    }

    private RaftRpcRequestProto header(ByteString requestor) {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(requestor)
                .setReplyId(ByteString.copyFromUtf8(leader.name()))
                .setRaftGroupId(
                        RaftGroupIdProto.newBuilder()
                                .setId(RaftGroupId.valueOf(group).toByteString()))
                .build();
    }

    private final class Follower
            extends RaftServerProtocolServiceGrpc.RaftServerProtocolServiceImplBase {
        @Override
        public void requestVote(
                RequestVoteRequestProto request, StreamObserver<RequestVoteReplyProto> answer) {
            answer.onNext(
                    RequestVoteReplyProto.newBuilder()
                            .setServerReply(yes(request.getServerRequest()))
                            .setTerm(request.getCandidateTerm())
                            .build());
            answer.onCompleted();
        }

        @Override
        public StreamObserver<AppendEntriesRequestProto> appendEntries(
                StreamObserver<AppendEntriesReplyProto> answers) {
            return new StreamObserver<>() {
                @Override
                public void onNext(AppendEntriesRequestProto request) {
                    if (silent) {
                        return;
                    }
                    boolean heartbeat = request.getEntriesCount() == 0;
                    long term = request.getLeaderTerm();
                    if (!heartbeat && losesAnswers.get() && lossTerm.getAndSet(term) != term) {
                        heartbeatsSinceLoss.set(0);
                        answers.onError(Status.UNAVAILABLE.asRuntimeException());
                        return;
                    }
                    answers.onNext(confirmed(request));
                    if (heartbeat) {
                        heartbeatsSinceLoss.incrementAndGet();
                    }
                }

                @Override
                public void onError(Throwable failure) {
                    // The leader has gone.
                }

                @Override
                public void onCompleted() {
                    answers.onCompleted();
                }
            };
        }
    }

    private static AppendEntriesReplyProto confirmed(AppendEntriesRequestProto request) {
        int entries = request.getEntriesCount();
        long last =
                entries > 0
                        ? request.getEntries(entries - 1).getIndex()
                        : request.hasPreviousLog() ? request.getPreviousLog().getIndex() : -1;
        return AppendEntriesReplyProto.newBuilder()
                .setServerReply(yes(request.getServerRequest()))
                .setTerm(request.getLeaderTerm())
                .setResult(AppendResult.SUCCESS)
                .setNextIndex(last + 1)
                .setMatchIndex(entries > 0 ? last : -1) // a heartbeat says nothing of it
                .setFollowerCommit(Math.min(last, request.getLeaderCommit()))
                .setIsHearbeat(entries == 0)
                .build();
    }

    private static RaftRpcReplyProto yes(RaftRpcRequestProto request) {
        return RaftRpcReplyProto.newBuilder()
                .setRequestorId(request.getRequestorId())
                .setReplyId(request.getReplyId())
                .setRaftGroupId(request.getRaftGroupId())
                .setCallId(request.getCallId())
                .setSuccess(true)
                .build();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.shutdownNow();
    }
}
