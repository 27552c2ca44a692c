package photon.idregistry.members;

import com.google.protobuf.ByteString;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import photon.proto.v1.LedGroup;

/**
 * What the leader of each group has told last of its members, to the control group's leader, which
 * settles a change when all have told that it is done (docs/protocol.md section 11). Not
 * thread-safe.
 */
public final class ToldGroups {
    private final Map<ByteString, LedGroup> told = new HashMap<>(); // looked up, never walked

    public void heard(LedGroup group) {
        told.put(group.getGroup(), group);
    }

    /** What was told of an earlier change is not worth anything. */
    public void forget() {
        told.clear();
    }

    /**
     * True if each of the groups has this disk as a member, and no other one of its server: the
     * change is in its log for good once its members are stable.
     *
     * @param rosterVersion whoever has not looked by it has said nothing
     */
    public boolean allHave(Collection<ByteString> groups, PeerName peer, long rosterVersion) {
        return groups.stream()
                .allMatch(
                        group ->
                                ofServer(group, peer.server(), rosterVersion)
                                        .equals(List.of(peer.toString())));
    }

    /** True if none of the groups has a member of this server, whichever disk. */
    public boolean noneHas(Collection<ByteString> groups, String server, long rosterVersion) {
        return groups.stream().allMatch(group -> ofServer(group, server, rosterVersion).isEmpty());
    }

    /** The group's members of one server; one that is not known where nothing is known. */
    private List<String> ofServer(ByteString group, String server, long rosterVersion) {
        LedGroup led = told.get(group);
        return led == null || !led.getStable() || led.getRosterVersion() < rosterVersion
                ? List.of("")
                : led.getMembersList().stream()
                        .filter(peer -> PeerName.serverOf(peer).equals(server))
                        .toList();
    }
}
