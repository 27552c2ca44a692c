package photon.idregistry.raft.workaround;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.idregistry.raft.workaround.PendingAcknowledgementsTest.FakeLog;

class DurableAcknowledgementsTest {
    private static final RaftGroupId GROUP = RaftGroupId.valueOf(new UUID(1, 2));

    private final Map<RaftGroupId, FakeLog> logs = new HashMap<>();
    private final FakeLog log = new FakeLog();
    private final List<String> told = new ArrayList<>();
    private final Queue<Runnable> later = new ArrayDeque<>();
    private final Call call = new Call();
    private long nanoTime;
    private ServerCall<AppendEntriesRequestProto, AppendEntriesReplyProto> out;
    private ServerCall.Listener<AppendEntriesRequestProto> listener;

    @BeforeEach
    void intercept() {
        AtomicReference<ServerCall<AppendEntriesRequestProto, AppendEntriesReplyProto>> seen =
                new AtomicReference<>();
        logs.put(GROUP, log);
        listener =
                new DurableAcknowledgements(logs::get, () -> nanoTime, later::add)
                        .interceptCall(
                                call,
                                new Metadata(),
                                (wrapped, headers) -> {
                                    seen.set(wrapped);
                                    return new ServerCall.Listener<>() {};
                                });
        out = Objects.requireNonNull(seen.get());
    }

    /** Refuses what comes behind its end, as gRPC's does. */
    private final class Call
            extends ServerCall<AppendEntriesRequestProto, AppendEntriesReplyProto> {
        private boolean closed;
        private boolean cancelled;

        @Override
        public MethodDescriptor<AppendEntriesRequestProto, AppendEntriesReplyProto>
                getMethodDescriptor() {
            return RaftServerProtocolServiceGrpc.getAppendEntriesMethod();
        }

        @Override
        public boolean isCancelled() {
            return cancelled;
        }

        @Override
        public void request(int messages) {}

        private void tell(String what) {
            if (closed) {
                throw new IllegalStateException("call is closed");
            }
            told.add(what);
        }

        @Override
        public void sendHeaders(Metadata headers) {
            tell("headers");
        }

        @Override
        public void sendMessage(AppendEntriesReplyProto reply) {
            tell(
                    reply.getResult()
                            + " "
                            + reply.getMatchIndex()
                            + (reply.getNextIndex() > 0 ? " from " + reply.getNextIndex() : ""));
        }

        @Override
        public void close(Status status, Metadata trailers) {
            tell(String.valueOf(status.getCode()));
            closed = true;
        }
    }

    private static AppendEntriesReplyProto reply(RaftGroupId group, AppendResult result, long to) {
        return AppendEntriesReplyProto.newBuilder()
                .setServerReply(
                        RaftRpcReplyProto.newBuilder()
                                .setCallId(40 + to)
                                .setRaftGroupId(
                                        RaftGroupIdProto.newBuilder().setId(group.toByteString())))
                .setResult(result)
                .setMatchIndex(to)
                .build();
    }

    private void success(long to) {
        out.sendMessage(reply(GROUP, AppendResult.SUCCESS, to));
    }

    /** Lets that much time go by and runs what is due. */
    private void after(long nanos) {
        nanoTime += nanos;
        for (int n = later.size(); n > 0; n--) {
            later.remove().run();
        }
    }

    @Test
    void whatIsOnDiskGoesOutAtOnce() {
        log.flushed = 7;
        out.sendHeaders(new Metadata());
        success(7);
        success(-1);
        out.sendMessage(reply(GROUP, AppendResult.INCONSISTENCY, -1));
        out.close(Status.OK, new Metadata());
        assertThat(told)
                .containsExactly("headers", "SUCCESS 7", "SUCCESS -1", "INCONSISTENCY -1", "OK");
        assertThat(later).isEmpty();
    }

    @Test
    void whatIsNotWaitsAndAllBehindIt() {
        success(7);
        success(-1);
        out.close(Status.OK, new Metadata());
        after(1);
        assertThat(told).isEmpty();
        log.flushed = 7;
        after(1);
        assertThat(told).containsExactly("SUCCESS 7", "SUCCESS -1", "OK");
        assertThat(later).isEmpty();
    }

    @Test
    void whatDoesNotComeIsAskedForAgain() {
        success(7);
        success(8);
        after(PendingAcknowledgements.NANOS_MAX - 1);
        assertThat(told).isEmpty();
        after(1);
        assertThat(told).containsExactly("INCONSISTENCY -1 from 7", "INCONSISTENCY -1 from 8");
        log.flushed = 8;
        success(8);
        out.close(Status.OK, new Metadata());
        success(8);
        assertThat(told.subList(2, told.size())).containsExactly("SUCCESS 8", "OK");
    }

    @Test
    void behindACallsEndNothingIsSent() {
        out.close(Status.OK, new Metadata());
        out.sendHeaders(new Metadata());
        success(-1);
        out.close(Status.OK, new Metadata());
        assertThat(told).containsExactly("OK");
    }

    @Test
    void nothingIsSentThatWasGivenUpMeanwhile() {
        success(7);
        call.cancelled = true;
        listener.onCancel();
        log.flushed = 7;
        after(1);
        assertThat(told).isEmpty();
        assertThat(later).isEmpty();
    }

    @Test
    void aCallThatHasEndedByItselfStopsNobody() {
        success(7);
        call.closed = true;
        log.flushed = 7;
        after(1);
        assertThat(later).isEmpty();
        success(7);
        assertThat(told).isEmpty();
    }

    @Test
    void aLogThatHasTakenAnothersPlaceIsLookedAt() {
        log.flushed = 7;
        success(7);
        log.alive = false;
        logs.put(GROUP, new FakeLog());
        success(7);
        assertThat(told).containsExactly("SUCCESS 7");
        logs.clear();
        after(PendingAcknowledgements.NANOS_MAX);
        assertThat(told).containsExactly("SUCCESS 7", "INCONSISTENCY -1 from 7");
    }

    @Test
    void nobodyCanTellOfAGroupThatIsNotThere() {
        out.sendMessage(reply(RaftGroupId.valueOf(new UUID(3, 4)), AppendResult.SUCCESS, 0));
        out.sendMessage(reply(RaftGroupId.valueOf(new UUID(3, 4)), AppendResult.SUCCESS, -1));
        after(1);
        assertThat(told).isEmpty();
        after(PendingAcknowledgements.NANOS_MAX);
        assertThat(told).containsExactly("INCONSISTENCY -1", "SUCCESS -1");
    }
}
