package photon.idregistry.raft.workaround;

import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Hands what other members send to Ratis in {@link AppendTurnQueue turns}. Ratis checks a leader's
 * term under a lock, and appends the entries behind it (3.3.0, RaftServerImpl.appendEntriesAsync);
 * in the thread that brings them, though, and that is what a turn goes by. Not so if appends are
 * composed, which {@code RaftSettings} rules out.
 */
public final class AppendOrdering implements ServerInterceptor {
    private final AppendTurnQueue<ByteString> turns;

    /** What is to be done in which turn. */
    record Task(ByteString group, AppendTurnQueue.Turn turn) {}

    public AppendOrdering(AppendTurnQueue<ByteString> turns) {
        this.turns = turns;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        boolean single = call.getMethodDescriptor().getType().clientSendsOneMessage();
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            /** Of the only message: gRPC has it worked at when it has heard that it is the last. */
            private @Nullable Task only;

            @Override
            public void onMessage(Q message) {
                Task task = task(message);
                if (single) {
                    only = task;
                    super.onMessage(message);
                } else {
                    ordered(task, () -> super.onMessage(message));
                }
            }

            @Override
            public void onHalfClose() {
                ordered(only, super::onHalfClose);
            }
        };
    }

    private void ordered(@Nullable Task task, Runnable work) {
        if (task == null) {
            work.run();
        } else {
            turns.run(task.group(), task.turn(), work);
        }
    }

    /** Null for what needs no turn. */
    static @Nullable Task task(Object message) {
        if (message instanceof AppendEntriesRequestProto append) {
            return task(
                    append.getServerRequest(),
                    AppendTurnQueue.Turn.ofLeader(
                            append.getLeaderTerm(), append.getEntriesCount() > 0));
        }
        // Whoever is asked first what he would vote promises nothing.
        if (message instanceof RequestVoteRequestProto vote && !vote.getPreVote()) {
            return task(vote.getServerRequest(), AppendTurnQueue.Turn.ofOther());
        }
        if (message instanceof InstallSnapshotRequestProto snapshot) {
            return task(snapshot.getServerRequest(), AppendTurnQueue.Turn.alone());
        }
        if (message instanceof StartLeaderElectionRequestProto election) {
            return task(election.getServerRequest(), AppendTurnQueue.Turn.ofOther());
        }
        return null;
    }

    private static Task task(RaftRpcRequestProto request, AppendTurnQueue.Turn turn) {
        return new Task(request.getRaftGroupId().getId(), turn);
    }
}
