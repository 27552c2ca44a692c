package photon.idregistry.raft;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * Who we are to our own Ratis server. One client id a process, because Ratis remembers things for
 * each; a call id is never used twice, so that Ratis' retry cache never answers for it.
 * Thread-safe.
 */
final class RatisCalls {
    private final ClientId client = ClientId.randomId();
    private final RaftPeerId server;
    private final AtomicLong lastCall = new AtomicLong();

    RatisCalls(RaftPeerId server) {
        this.server = server;
    }

    ClientId client() {
        return client;
    }

    RaftPeerId server() {
        return server;
    }

    long nextCall() {
        return lastCall.incrementAndGet();
    }

    RaftClientRequest.Builder request(RaftGroupId group) {
        return RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(server)
                .setGroupId(group)
                .setCallId(nextCall());
    }

    static RaftGroupId group(UUID id) {
        return RaftGroupId.valueOf(id);
    }
}
