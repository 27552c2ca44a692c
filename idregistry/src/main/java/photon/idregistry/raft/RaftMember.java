package photon.idregistry.raft;

import static photon.core.error.Checks.check;

import java.util.Collection;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import photon.core.rpc.HostPort;

/**
 * One server in a group.
 *
 * @param name stable and unique in the registry: Raft knows the server by it, whatever its address
 * @param address where its Raft port is reached
 * @param priority from 0; the same for all, since Ratis gives leadership to none but those with the
 *     highest, and takes it back to them by itself (docs/protocol.md section 9)
 */
public record RaftMember(String name, HostPort address, int priority) {
    /** One like all others. */
    public RaftMember(String name, HostPort address) {
        this(name, address, 0);
    }

    static RaftGroup group(UUID id, Collection<RaftMember> members) {
        return RaftGroup.valueOf(
                RaftGroupId.valueOf(id),
                members.stream()
                        .map(
                                m ->
                                        RaftPeer.newBuilder()
                                                .setId(m.name())
                                                .setAddress(m.address().toString())
                                                .setPriority(m.priority())
                                                .build())
                        .toList());
    }

    public RaftMember {
        check(!name.isEmpty(), "Expected a server name, but got none");
        check(priority >= 0, "Expected a priority from 0 on, but got %s", priority);
    }
}
