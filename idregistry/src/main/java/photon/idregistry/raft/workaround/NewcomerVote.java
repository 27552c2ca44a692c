package photon.idregistry.raft.workaround;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.util.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a replica vote that its group's leader is about to take in, or has just taken in. Ratis lets
 * it vote only after that leader has said, in a message more, that it counts (3.3.0,
 * RaftServerImpl.requestVote, appendEntriesAsync, start). If the leader is gone by then, and the
 * list with the newcomer is in the logs of others, nobody may be able to lead without its vote: of
 * four members, one of them lost, all others must vote. Raft wants that anyone votes who is asked,
 * whatever the own list says (Ongaro, Consensus, section 4.2.1): only those ask whose list has it.
 *
 * <p>So a request for a vote lets it hear an empty message of the leader of its own term, if it
 * knows that one; else of the candidate, since a name must stand there. Raft allows the first to
 * come late, or twice. The second changes nothing that a vote goes by, neither term nor log nor
 * what is committed nor who was voted for; should the leader of that term still be there, this
 * replica hears it again when it has waited for an election time-out.
 *
 * <p>A newcomer whose own list lacks it and that hears nothing of whom it has voted for ends after
 * an election time-out, as Ratis has it; started again, it votes again.
 */
final class NewcomerVote {
    private static final Logger LOG = LoggerFactory.getLogger(NewcomerVote.class);

    private NewcomerVote() {}

    /** To be called before the request is handed in, in its {@link AppendTurnQueue turn}. */
    static void hear(
            RaftServer server, RaftServer.Division replica, RequestVoteRequestProto request) {
        try {
            if (replica.getInfo().getLifeCycleState() != LifeCycle.State.STARTING
                    || !replica.getRaftLog().isOpened()
                    || request.getCandidateTerm() < replica.getInfo().getCurrentTerm()
                    || isUnknown(request, replica)) {
                return;
            }
            LOG.info(
                    "{} is asked for its vote before its leader has said that it counts: it votes from now on",
                    replica.getMemberId());
            CompletableFuture<?> unused =
                    server.appendEntriesAsync(message(replica, request.getServerRequest()));
        } catch (IOException | IllegalStateException | CompletionException e) {
            // It is being closed, or still opened: it refuses the request, and is asked again.
            LOG.debug("{} does not vote yet", replica.getMemberId(), e);
        }
    }

    /** Ratis refuses it, and so does a replica that has been told of no members yet. */
    private static boolean isUnknown(RequestVoteRequestProto request, RaftServer.Division replica) {
        RaftPeerId candidate = RaftPeerId.valueOf(request.getServerRequest().getRequestorId());
        return replica.getRaftConf().getPeer(candidate, RaftPeerRole.FOLLOWER) == null;
    }

    private static AppendEntriesRequestProto message(
            RaftServer.Division replica, RaftRpcRequestProto request) {
        RaftPeerId leader = replica.getInfo().getLeaderId();
        RaftLog log = replica.getRaftLog();
        TermIndex last = log.getLastEntryTermIndex();
        AppendEntriesRequestProto.Builder message =
                AppendEntriesRequestProto.newBuilder()
                        .setServerRequest(
                                leader == null
                                        ? request
                                        : request.toBuilder()
                                                .setRequestorId(leader.toByteString())
                                                .build())
                        .setLeaderTerm(replica.getInfo().getCurrentTerm())
                        .setLeaderCommit(log.getLastCommittedIndex());
        if (last != null) {
            message.setPreviousLog(last.toProto());
        }
        return message.build();
    }
}
