package photon.idregistry.members;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import photon.proto.v1.MemberDisk;

/**
 * What has to change in one group's members, and whether that is safe now (docs/protocol.md section
 * 11). One member at a time.
 *
 * @param out the member that goes
 * @param in what Raft calls the one that comes
 * @param trouble why it may not be now; empty: it may
 */
public record GroupChange(String out, PeerName in, String trouble) {
    /** Whoever is well answers its leader several times a second. */
    public static final long SILENT_MAX_MILLIS = 5_000;

    /** Entries: what is on its way under load, several times over. */
    public static final long LAG_MAX = 10_000;

    /**
     * A member, as the group's leader knows it.
     *
     * @param lag entries that it has not got; -1: not known
     * @param silentMillis since it last answered; -1: not known
     */
    public record Member(String peer, long lag, long silentMillis) {
        boolean isWell() {
            return silentMillis >= 0
                    && silentMillis <= SILENT_MAX_MILLIS
                    && lag >= 0
                    && lag <= LAG_MAX;
        }
    }

    /**
     * Looks at one group.
     *
     * @param members its members, the leader itself among them
     * @param disks what the control group knows of the disk behind a server's name
     * @return empty: each member is as it was decided, or the disk that comes is not there yet
     */
    public static Optional<GroupChange> of(
            List<Member> members, Function<String, MemberDisk> disks) {
        List<Member> inOrder = new ArrayList<>(members);
        inOrder.sort(Comparator.comparing(Member::peer));
        for (Member member : inOrder) {
            PeerName peer = PeerName.parse(member.peer());
            MemberDisk decided = disks.apply(peer.server());
            if (decided.getNumber() > peer.number() && !decided.getDisk().isEmpty()) {
                return Optional.of(
                        new GroupChange(
                                member.peer(),
                                new PeerName(peer.server(), decided.getNumber()),
                                unsafe(members, member.peer())));
            }
        }
        return Optional.empty();
    }

    /**
     * Why the group should not lose a member now; empty: it may. Without it a majority must be
     * there and know nearly all, so that nothing waits for the one that comes.
     */
    public static String unsafe(List<Member> members, String out) {
        int needed = members.size() / 2 + 1;
        List<String> well =
                members.stream()
                        .filter(member -> !member.peer().equals(out) && member.isWell())
                        .map(Member::peer)
                        .toList();
        return well.size() >= needed
                ? ""
                : "of its %d members only %s are there and up to date without %s: %d are needed"
                        .formatted(members.size(), well, out, needed);
    }
}
