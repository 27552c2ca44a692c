package photon.idregistry.raft;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.server.RaftServer;
import photon.core.rpc.HostPort;

/**
 * Changes one member of a group, by its leader. Ratis brings the new member up to what is committed
 * before it counts (staging), and goes over joint majorities.
 */
final class MemberChange {
    private MemberChange() {}

    static CompletableFuture<RaftClientReply> submit(
            RaftServer server,
            RaftServer.Division division,
            Calls calls,
            String out,
            String in,
            HostPort address) {
        List<RaftPeer> before =
                List.copyOf(division.getRaftConf().getCurrentPeers(RaftPeerRole.FOLLOWER));
        List<RaftPeer> after = new ArrayList<>();
        for (RaftPeer peer : before) {
            after.add(
                    peer.getId().equals(RaftPeerId.valueOf(out))
                            ? RaftPeer.newBuilder()
                                    .setId(in)
                                    .setAddress(address.toString())
                                    .setPriority(peer.getPriority())
                                    .build()
                            : peer);
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

    private static RaftClientReply done(RaftClientReply reply) {
        if (!reply.isSuccess()) {
            throw new CompletionException(reply.getException());
        }
        return reply;
    }
}
