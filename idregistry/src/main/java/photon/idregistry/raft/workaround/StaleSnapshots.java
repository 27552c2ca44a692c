package photon.idregistry.raft.workaround;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotResult;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses pieces of a snapshot from who does not lead any more, in Ratis' place and with its words.
 * Each piece brings the group's members as the sender knows them, and Ratis takes those also where
 * it refuses the piece (3.3.0, SnapshotInstallationHandler.installSnapshotImpl), in memory and on
 * disk: a leader that slept while it sent a snapshot would give a follower its old list, in which
 * fewer are a majority (docs/protocol.md section 9). To be asked in the piece's {@link
 * AppendTurnQueue turn}, so that no other leader comes between the look and what Ratis does.
 */
public final class StaleSnapshots implements ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(StaleSnapshots.class);
    private static final String INSTALL_SNAPSHOT =
            RaftServerProtocolServiceGrpc.getInstallSnapshotMethod().getFullMethodName();

    private final Supplier<RaftServer> server;

    /**
     * What a replica knows.
     *
     * @param term its own
     * @param leader who leads in that term; null if it knows nobody
     * @param members the index in its log of the members it goes by, if an entry of that term; else
     *     -1
     */
    record Standing(long term, @Nullable ByteString leader, long members) {}

    public StaleSnapshots(Supplier<RaftServer> server) {
        this.server = server;
    }

    /**
     * True for what the leader of the replica's term, or of a later one, does not send now. Members
     * that are older than the replica's say nothing by themselves, since a new leader may be about
     * to cut off the replica's; only where both are of one term: its leader takes no entry back.
     */
    static boolean isStale(InstallSnapshotRequestProto piece, Standing here) {
        if (piece.getLeaderTerm() != here.term()) {
            return piece.getLeaderTerm() < here.term();
        }
        ByteString sender = piece.getServerRequest().getRequestorId();
        return (here.leader() != null && !here.leader().equals(sender))
                || (piece.hasLastRaftConfigurationLogEntryProto()
                        && piece.getLastRaftConfigurationLogEntryProto().getIndex()
                                < here.members());
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (!call.getMethodDescriptor().getFullMethodName().equals(INSTALL_SNAPSHOT)) {
            return next.startCall(call, headers);
        }
        @SuppressWarnings("unchecked") // By the method's name.
        ServerCall<Q, InstallSnapshotReplyProto> asked =
                (ServerCall<Q, InstallSnapshotReplyProto>) call;
        Answers<Q> answers = new Answers<>(asked);
        @SuppressWarnings("unchecked") // As above.
        ServerCall<Q, R> watched = (ServerCall<Q, R>) answers;
        return new SimpleForwardingServerCallListener<>(next.startCall(watched, headers)) {
            /** Since then no piece is taken: those behind one that was not are of no use. */
            private @Nullable Standing refusedBy;

            @Override
            public void onMessage(Q message) {
                InstallSnapshotRequestProto piece = (InstallSnapshotRequestProto) message;
                if (refusedBy == null) {
                    Standing here = standing(piece.getServerRequest());
                    if (here == null || !isStale(piece, here)) {
                        super.onMessage(message);
                        return;
                    }
                    refusedBy = here;
                    LOG.warn("Refused a snapshot of {}, knowing {}", text(piece), text(here));
                }
                if (answers.areAwaited()) {
                    answers.sendMessage(notLeader(piece, refusedBy.term()));
                    call.request(1);
                }
            }

            @Override
            public void onHalfClose() {
                if (refusedBy == null) {
                    super.onHalfClose();
                } else if (answers.areAwaited()) {
                    answers.close(Status.OK, new Metadata());
                }
            }
        };
    }

    /** Begins to answer and ends once only, whether Ratis does it or we do. In one thread. */
    private static final class Answers<Q>
            extends SimpleForwardingServerCall<Q, InstallSnapshotReplyProto> {
        private boolean begun;
        private boolean ended;

        private Answers(ServerCall<Q, InstallSnapshotReplyProto> call) {
            super(call);
        }

        private boolean areAwaited() {
            return !ended && !isCancelled();
        }

        @Override
        public void close(Status status, Metadata trailers) {
            ended = true;
            super.close(status, trailers);
        }

        @Override
        public void sendHeaders(Metadata headers) {
            begun = true;
            super.sendHeaders(headers);
        }

        @Override
        public void sendMessage(InstallSnapshotReplyProto answer) {
            if (!begun) {
                sendHeaders(new Metadata());
            }
            super.sendMessage(answer);
        }
    }

    /** Null where Ratis itself will say what is amiss. */
    private @Nullable Standing standing(RaftRpcRequestProto request) {
        try {
            RaftServer.Division here =
                    server.get().getDivision(RaftGroupId.valueOf(request.getRaftGroupId().getId()));
            // First: else the leader of the term before could be taken for this one's.
            long term = here.getInfo().getCurrentTerm();
            RaftPeerId leader = here.getInfo().getLeaderId();
            long index = here.getRaftConf().getLogEntryIndex();
            TermIndex members = index < 0 ? null : here.getRaftLog().getTermIndex(index);
            return new Standing(
                    term,
                    leader == null ? null : leader.toByteString(),
                    members != null && members.getTerm() == term ? members.getIndex() : -1);
        } catch (IOException | IllegalStateException e) {
            return null;
        }
    }

    private static String text(InstallSnapshotRequestProto piece) {
        return "%s in term %s with the members of entry %s"
                .formatted(
                        piece.getServerRequest().getRequestorId().toStringUtf8(),
                        piece.getLeaderTerm(),
                        piece.getLastRaftConfigurationLogEntryProto().getIndex());
    }

    private static String text(Standing here) {
        return "%s in term %s and its members of entry %s"
                .formatted(
                        here.leader() == null ? "no leader" : here.leader().toStringUtf8(),
                        here.term(),
                        here.members());
    }

    /** As Ratis answers, who takes it as the leader's end if the term is above its own. */
    private static InstallSnapshotReplyProto notLeader(
            InstallSnapshotRequestProto piece, long term) {
        RaftRpcRequestProto request = piece.getServerRequest();
        return InstallSnapshotReplyProto.newBuilder()
                .setServerReply(
                        RaftRpcReplyProto.newBuilder()
                                .setRequestorId(request.getRequestorId())
                                .setReplyId(request.getReplyId())
                                .setRaftGroupId(request.getRaftGroupId())
                                .setCallId(request.getCallId())
                                .setSuccess(false))
                .setTerm(term)
                .setResult(InstallSnapshotResult.NOT_LEADER)
                .setRequestIndex(piece.getSnapshotChunk().getRequestIndex())
                .build();
    }
}
