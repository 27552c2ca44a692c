package photon.idregistry.raft;

import java.util.List;

/**
 * The members of a group, as one replica knows them.
 *
 * @param members by name; only the leader knows how the others are
 * @param stable false: they are being changed, and both those before and those after are among them
 */
public record GroupMembers(List<ReplicaStats.Member> members, boolean stable) {
    public GroupMembers {
        members = List.copyOf(members);
    }

    /** What Raft calls them. */
    public List<String> names() {
        return members.stream().map(ReplicaStats.Member::name).toList();
    }
}
