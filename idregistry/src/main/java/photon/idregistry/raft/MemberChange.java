package photon.idregistry.raft;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * Takes one member into a group or out of it, by its leader. Ratis brings the new member up to what
 * is committed before it counts (staging), and goes over joint majorities.
 */
final class MemberChange {
    private MemberChange() {}

    /**
     * @param out who goes; null: nobody
     * @param in who comes; null: nobody
     */
    static CompletableFuture<RaftClientReply> submit(
            RaftServer server,
            RaftServer.Division division,
            RatisCalls calls,
            @Nullable String out,
            @Nullable RaftMember in) {
        List<RaftPeer> before =
                List.copyOf(division.getRaftConf().getCurrentPeers(RaftPeerRole.FOLLOWER));
        // Never one for another: any two majorities meet (docs/protocol.md section 11).
        check((out == null) != (in == null), "Expected one to come or one to go");
        List<RaftPeer> after = new ArrayList<>(before);
        after.removeIf(peer -> peer.getId().toString().equals(out));
        if (in != null) {
            after.add(peer(in));
        }
        try {
            return server.setConfigurationAsync(
                            new SetConfigurationRequest(
                                    calls.client(),
                                    calls.server(),
                                    division.getGroup().getGroupId(),
                                    calls.nextCall(),
                                    SetConfigurationRequest.Arguments.newBuilder()
                                            .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                                            .setServersInCurrentConf(before)
                                            .setServersInNewConf(after)
                                            .setListenersInCurrentConf(List.of())
                                            .setListenersInNewConf(List.of())
                                            .build()))
                    .thenApply(MemberChange::done);
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static RaftPeer peer(RaftMember member) {
        return RaftPeer.newBuilder()
                .setId(member.name())
                .setAddress(member.address().toString())
                .setPriority(member.priority())
                .build();
    }

    private static RaftClientReply done(RaftClientReply reply) {
        if (!reply.isSuccess()) {
            throw new CompletionException(reply.getException());
        }
        return reply;
    }
}
