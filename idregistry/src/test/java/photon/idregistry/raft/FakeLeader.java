package photon.idregistry.raft;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto.SnapshotChunkProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Server;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;

/**
 * A member that says to another one what a test wants, as a leader or as a candidate, and answers
 * no vote before it is told to.
 */
final class FakeLeader implements AutoCloseable {
    private static final AtomicLong CALLS = new AtomicLong();

    /** Candidates that wait for an answer. */
    private final BlockingQueue<StreamObserver<RequestVoteReplyProto>> candidates =
            new LinkedBlockingQueue<>();

    private final String name;
    private final String other;
    private final ByteString group;
    private final Server server;
    private final ManagedChannel channel;

    FakeLeader(RaftMember me, RaftMember other, UUID group) throws IOException {
        this.name = me.name();
        this.other = other.name();
        this.group = RaftGroupId.valueOf(group).toByteString();
        this.server =
                NettyServerBuilder.forAddress(
                                new InetSocketAddress(me.address().host(), me.address().port()))
                        .addService(new Votes())
                        .build()
                        .start();
        this.channel =
                NettyChannelBuilder.forAddress(other.address().host(), other.address().port())
                        .usePlaintext()
                        .build();
    }

    private final class Votes
            extends RaftServerProtocolServiceGrpc.RaftServerProtocolServiceImplBase {
        @Override
        public void requestVote(
                RequestVoteRequestProto request, StreamObserver<RequestVoteReplyProto> answer) {
            candidates.add(answer);
        }
    }

    private RaftRpcRequestProto header() {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(ByteString.copyFromUtf8(name))
                .setReplyId(ByteString.copyFromUtf8(other))
                .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(group))
                .setCallId(CALLS.incrementAndGet())
                .build();
    }

    /** In a stream of its own; none of the entries is a heartbeat. */
    CompletableFuture<AppendEntriesReplyProto> append(
            long term, TermIndex previous, long commit, LogEntryProto... entries) {
        return append(false, term, previous, commit, entries);
    }

    /** As to a server that the leader is about to take in, which does not count yet. */
    CompletableFuture<AppendEntriesReplyProto> appendToNewcomer(
            long term, TermIndex previous, long commit, LogEntryProto... entries) {
        return append(true, term, previous, commit, entries);
    }

    private CompletableFuture<AppendEntriesReplyProto> append(
            boolean newcomer,
            long term,
            TermIndex previous,
            long commit,
            LogEntryProto... entries) {
        Answer<AppendEntriesReplyProto> answer = new Answer<>();
        AppendEntriesRequestProto.Builder request =
                AppendEntriesRequestProto.newBuilder()
                        .setServerRequest(header())
                        .setLeaderTerm(term)
                        .setLeaderCommit(commit)
                        .setInitializing(newcomer)
                        .addAllEntries(List.of(entries));
        if (previous.getIndex() >= 0) {
            request.setPreviousLog(previous.toProto());
        }
        RaftServerProtocolServiceGrpc.newStub(channel)
                .appendEntries(answer)
                .onNext(request.build());
        return answer.first;
    }

    /** Begins to send a snapshot. */
    Pieces snapshot() {
        return new Pieces();
    }

    /** The pieces of one snapshot, in one stream. */
    final class Pieces {
        private final BlockingQueue<InstallSnapshotReplyProto> answers =
                new LinkedBlockingQueue<>();
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private final StreamObserver<InstallSnapshotRequestProto> stream =
                RaftServerProtocolServiceGrpc.newStub(channel)
                        .installSnapshot(
                                new StreamObserver<>() {
                                    @Override
                                    public void onNext(InstallSnapshotReplyProto answer) {
                                        answers.add(answer);
                                    }

                                    @Override
                                    public void onError(Throwable failure) {
                                        ended.completeExceptionally(failure);
                                    }

                                    @Override
                                    public void onCompleted() {
                                        ended.complete(null);
                                    }
                                });

        /**
         * Sends a piece, and waits for the answer.
         *
         * @param last what the snapshot goes up to
         * @param members as this one knows them
         */
        InstallSnapshotReplyProto send(long term, int piece, TermIndex last, LogEntryProto members)
                throws InterruptedException {
            stream.onNext(
                    InstallSnapshotRequestProto.newBuilder()
                            .setServerRequest(header())
                            .setLeaderTerm(term)
                            .setLastRaftConfigurationLogEntryProto(members)
                            .setSnapshotChunk(
                                    SnapshotChunkProto.newBuilder()
                                            .setRequestId(name)
                                            .setRequestIndex(piece)
                                            .setTermIndex(last.toProto()))
                            .build());
            InstallSnapshotReplyProto answer = answers.poll(30, TimeUnit.SECONDS);
            if (answer == null) {
                throw new AssertionError(other + " has not answered piece " + piece);
            }
            return answer;
        }

        /** Waits until the other one has said that it has heard all. */
        void end() throws Exception {
            stream.onCompleted();
            ended.get(30, TimeUnit.SECONDS);
        }
    }

    CompletableFuture<RequestVoteReplyProto> askForVote(long term, TermIndex last) {
        Answer<RequestVoteReplyProto> answer = new Answer<>();
        RaftServerProtocolServiceGrpc.newStub(channel)
                .requestVote(
                        RequestVoteRequestProto.newBuilder()
                                .setServerRequest(header())
                                .setCandidateTerm(term)
                                .setCandidateLastEntry(last.toProto())
                                .build(),
                        answer);
        return answer.first;
    }

    /** Makes the other one a candidate of the next term. */
    CompletableFuture<StartLeaderElectionReplyProto> handOver(TermIndex last) {
        Answer<StartLeaderElectionReplyProto> answer = new Answer<>();
        RaftServerProtocolServiceGrpc.newStub(channel)
                .startLeaderElection(
                        StartLeaderElectionRequestProto.newBuilder()
                                .setServerRequest(header())
                                .setLeaderLastEntry(last.toProto())
                                .build(),
                        answer);
        return answer.first;
    }

    /** Waits until the other one asks for a vote, which it goes on to wait for. */
    Candidate candidate() throws InterruptedException {
        StreamObserver<RequestVoteReplyProto> asks = candidates.poll(30, TimeUnit.SECONDS);
        if (asks == null) {
            throw new AssertionError("nobody has asked " + name + " for a vote");
        }
        return () -> asks.onError(Status.UNAVAILABLE.asException());
    }

    /** Who waits for a vote. */
    interface Candidate {
        /** Hears that there is none to be had. */
        void turnAway();
    }

    private static final class Answer<T> implements StreamObserver<T> {
        private final CompletableFuture<T> first = new CompletableFuture<>();

        @Override
        public void onNext(T answer) {
            first.complete(answer);
        }

        @Override
        public void onError(Throwable failure) {
            first.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            first.completeExceptionally(new IOException("ended without an answer"));
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.shutdownNow();
    }
}
