package photon.idregistry.raft;

import static photon.core.error.Checks.check;

import photon.core.rpc.HostPort;

/**
 * One server in a group.
 *
 * @param name stable and unique in the registry: Raft knows the server by it, whatever its address
 * @param address where its Raft port is reached
 * @param priority the member with the highest leads when it can, from 0
 */
public record RaftMember(String name, HostPort address, int priority) {
    public RaftMember {
        check(!name.isEmpty(), "Expected a server name, but got none");
        check(priority >= 0, "Expected a priority from 0 on, but got %s", priority);
    }
}
