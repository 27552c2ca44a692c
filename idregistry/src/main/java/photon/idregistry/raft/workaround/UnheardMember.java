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
 * Lets a replica vote that its leader has made a member. Ratis lets it vote only after another
 * message of a leader, and after a start in between, too (3.3.0, RaftServerImpl.requestVote,
 * RaftServerImpl.start). A group that has no leader sends none; and if its majority needs this
 * replica, as in the moment of a replacement in which a group of three has four members and one of
 * them is lost, it never has a leader again.
 *
 * <p>So a request for a vote lets it hear an empty message of the leader of its own term, if it
 * knows that one; else of the candidate, since a name must stand there. Raft allows the first to
 * come late, or twice. The second changes nothing that a vote goes by, neither term nor log nor
 * what is committed nor who was voted for; should the leader of that term still be there, this
 * replica hears it again when it has waited for an election time-out.
 */
final class UnheardMember {
    private static final Logger LOG = LoggerFactory.getLogger(UnheardMember.class);

    private UnheardMember() {}

    /** To be called before the request is handed in, in its {@link AppendTurnQueue turn}. */
    static void hear(
            RaftServer server, RaftServer.Division replica, RequestVoteRequestProto request) {
        try {
            if (replica.getInfo().getLifeCycleState() != LifeCycle.State.STARTING
                    || !replica.getRaftLog().isOpened()
                    || request.getCandidateTerm() < replica.getInfo().getCurrentTerm()
                    || replica.getRaftConf().getPeer(replica.getId(), RaftPeerRole.FOLLOWER)
                            == null) {
                return;
            }
            LOG.info(
                    "{} is a member and has heard no leader since: it votes from now on",
                    replica.getMemberId());
            CompletableFuture<?> unused =
                    server.appendEntriesAsync(message(replica, request.getServerRequest()));
        } catch (IOException | IllegalStateException | CompletionException e) {
            // It is being closed, or still opened: it refuses the request, and is asked again.
            LOG.debug("{} does not vote yet", replica.getMemberId(), e);
        }
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
