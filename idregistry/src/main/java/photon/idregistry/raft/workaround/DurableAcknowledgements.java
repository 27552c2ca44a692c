package photon.idregistry.raft.workaround;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.raftlog.RaftLog;
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
 * Lets no confirmation of entries out that are not on disk. Ratis takes what a new leader puts in
 * the place of entries that were cut off for flushed as far as those were (3.3.0,
 * SegmentedRaftLogWorker.WriteLogTasks), and what a leader sends once more for flushed at once
 * (SegmentedRaftLog.appendImpl): both may be in the process' memory alone.
 *
 * <p>Nobody waits: what is held is sent later, by another thread. It knows whatever is sent on a
 * call, so it must be the first to see it.
 */
public final class DurableAcknowledgements implements ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(DurableAcknowledgements.class);
    private static final String APPEND =
            RaftServerProtocolServiceGrpc.getAppendEntriesMethod().getFullMethodName();
    private static final Executor SOON =
            CompletableFuture.delayedExecutor(2, TimeUnit.MILLISECONDS);

    /** Of a group that is gone, as at the server's end: nobody can tell any more. */
    private static final PendingAcknowledgements.Log GONE =
            new PendingAcknowledgements.Log() {
                @Override
                public boolean isOnDisk(long index) {
                    return false;
                }

                @Override
                public long cuts() {
                    return 0;
                }

                @Override
                public boolean alive() {
                    return false;
                }
            };

    private final Function<RaftGroupId, PendingAcknowledgements.@Nullable Log> logs;
    private final LongSupplier nanoTime;
    private final Executor soon;

    /**
     * @param logs gives a group's log, or null if there is none
     */
    public DurableAcknowledgements(
            Function<RaftGroupId, PendingAcknowledgements.@Nullable Log> logs) {
        this(logs, System::nanoTime, SOON);
    }

    public DurableAcknowledgements(
            Function<RaftGroupId, PendingAcknowledgements.@Nullable Log> logs,
            LongSupplier nanoTime,
            Executor soon) {
        this.logs = logs;
        this.nanoTime = nanoTime;
        this.soon = soon;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (!call.getMethodDescriptor().getFullMethodName().equals(APPEND)) {
            return next.startCall(call, headers);
        }
        Replies<Q, R> replies = new Replies<>(call);
        return new SimpleForwardingServerCallListener<>(next.startCall(replies, headers)) {
            @Override
            public void onCancel() {
                replies.end();
                super.onCancel();
            }
        };
    }

    /** Its monitor is held for what is sent, as gRPC asks for, and nothing is waited for in it. */
    private final class Replies<Q, R> extends SimpleForwardingServerCall<Q, R> {
        private final PendingAcknowledgements held = new PendingAcknowledgements();

        /** The group of the last confirmation: there is one a call. */
        private @Nullable ByteString group;

        private PendingAcknowledgements.@Nullable Log log;

        Replies(ServerCall<Q, R> call) {
            super(call);
        }

        synchronized void end() {
            held.end();
        }

        @Override
        public synchronized void sendHeaders(Metadata headers) {
            if (!held.hasEnded()) {
                super.sendHeaders(headers);
            }
        }

        @Override
        public synchronized void sendMessage(R message) {
            AppendEntriesReplyProto reply = (AppendEntriesReplyProto) message;
            boolean confirms = reply.getResult() == AppendResult.SUCCESS && index(reply) >= 0;
            PendingAcknowledgements.Log confirmed = confirms ? log(reply) : null;
            if (held.passes(confirmed, index(reply))) {
                super.sendMessage(message);
            } else {
                hold(
                        confirmed,
                        index(reply),
                        () -> super.sendMessage(message),
                        () -> refuse(reply));
            }
        }

        @Override
        public synchronized void close(Status status, Metadata trailers) {
            Runnable close =
                    () -> {
                        held.end();
                        super.close(status, trailers);
                    };
            if (held.passes(null, 0)) {
                close.run();
            } else {
                hold(null, 0, close, () -> {});
            }
        }

        private void hold(
                PendingAcknowledgements.@Nullable Log log,
                long index,
                Runnable send,
                Runnable refuse) {
            if (held.hold(log, index, send, refuse, nanoTime.getAsLong())) {
                soon.execute(this::release);
            }
        }

        private synchronized void release() {
            if (isCancelled()) {
                held.end();
            }
            try {
                if (held.release(nanoTime.getAsLong())) {
                    soon.execute(this::release);
                }
            } catch (RuntimeException e) {
                // As of a call that has ended meanwhile; else its leader must hear that it has.
                held.end();
                LOG.warn("A held reply could not be sent", e);
                end(Status.UNAVAILABLE.withDescription("A reply could not be sent"));
            }
        }

        private void end(Status status) {
            try {
                super.close(status, new Metadata());
            } catch (RuntimeException e) {
                // It has ended.
            }
        }

        /**
         * As if the entries did not fit, so that the leader sends the last one again: it takes no
         * other answer for a request that it has forgotten.
         */
        @SuppressWarnings("unchecked") // By the method's name.
        private void refuse(AppendEntriesReplyProto reply) {
            LOG.warn(
                    "Not confirmed to {}: entries up to {} are not on disk, or others have their"
                            + " place",
                    reply.getServerReply().getRequestorId().toStringUtf8(),
                    index(reply));
            super.sendMessage(
                    (R)
                            reply.toBuilder()
                                    .setServerReply(
                                            reply.getServerReply().toBuilder().setSuccess(false))
                                    .setResult(AppendResult.INCONSISTENCY)
                                    .setNextIndex(index(reply))
                                    .setMatchIndex(RaftLog.INVALID_LOG_INDEX)
                                    .build());
        }

        private PendingAcknowledgements.Log log(AppendEntriesReplyProto reply) {
            ByteString of = reply.getServerReply().getRaftGroupId().getId();
            PendingAcknowledgements.Log found = log;
            if (found == null || !of.equals(group) || !found.alive()) {
                found = logs.apply(RaftGroupId.valueOf(of));
                log = found;
                group = of;
            }
            return found == null ? GONE : found;
        }
    }

    /** Negative if no entry is confirmed, as in a heartbeat's reply. */
    private static long index(AppendEntriesReplyProto reply) {
        return reply.getMatchIndex();
    }
}
