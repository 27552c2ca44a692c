package photon.idregistry.raft.workaround;

import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
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
 * Takes only what servers say to each other, and of that only what is addressed to this server.
 *
 * <ul>
 *   <li>Ratis looks at who has sent a message and not at whom it is for (3.3.0, RaftServerImpl), so
 *       a server with a new disk, at the address of the old one, would vote and confirm entries in
 *       its name: with a memory that has forgotten both.
 *   <li>Ratis serves its clients and its operators on the same port and cannot leave them out
 *       (3.3.0, GrpcServicesImpl.Builder.newServer): one byte written there becomes an entry that
 *       no replica can apply, and all of them end. Photon calls Ratis in its own process for both.
 * </ul>
 *
 * Thread-safe.
 */
public final class RecipientCheck implements ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(RecipientCheck.class);

    private final String name;
    private final ByteString peer;
    private volatile boolean told;
    private volatile boolean toldOfService;

    public RecipientCheck(String name) {
        this.name = name;
        this.peer = ByteString.copyFromUtf8(name);
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (!RaftServerProtocolServiceGrpc.SERVICE_NAME.equals(
                call.getMethodDescriptor().getServiceName())) {
            refuseService(call);
            return new ServerCall.Listener<>() {};
        }
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            private boolean refused;

            @Override
            public void onMessage(Q message) {
                if (!refused && isForAnother(message)) {
                    refused = true;
                    call.close(
                            Status.FAILED_PRECONDITION.withDescription("This is " + name),
                            new Metadata());
                }
                if (!refused) {
                    super.onMessage(message);
                }
            }

            @Override
            public void onHalfClose() {
                if (!refused) {
                    super.onHalfClose();
                }
            }
        };
    }

    /** Before any of its messages is read. */
    private void refuseService(ServerCall<?, ?> call) {
        String method = call.getMethodDescriptor().getFullMethodName();
        if (!toldOfService) {
            toldOfService = true;
            LOG.warn("{} refuses {} on its Raft port, and says so once", name, method);
        }
        call.close(
                Status.UNIMPLEMENTED.withDescription(
                        "The Raft port of "
                                + name
                                + " serves other registry servers only, and not "
                                + method),
                new Metadata());
    }

    private <Q> boolean isForAnother(Q message) {
        RaftRpcRequestProto request = request(message);
        if (request == null || request.getReplyId().equals(peer)) {
            return false;
        }
        if (!told) {
            told = true;
            LOG.info(
                    "{} does not take what {} sends to {}, and says so once",
                    name,
                    request.getRequestorId().toStringUtf8(),
                    request.getReplyId().toStringUtf8());
        }
        return true;
    }

    /** What servers send to each other; null for everything else. */
    private static @Nullable RaftRpcRequestProto request(Object message) {
        if (message instanceof AppendEntriesRequestProto append) {
            return append.getServerRequest();
        }
        if (message instanceof RequestVoteRequestProto vote) {
            return vote.getServerRequest();
        }
        if (message instanceof InstallSnapshotRequestProto snapshot) {
            return snapshot.getServerRequest();
        }
        if (message instanceof StartLeaderElectionRequestProto election) {
            return election.getServerRequest();
        }
        if (message instanceof ReadIndexRequestProto read) {
            return read.getServerRequest();
        }
        return null;
    }
}
