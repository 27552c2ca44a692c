package photon.idregistry.members;

import static photon.core.error.Checks.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import photon.proto.v1.MemberDisk;

/**
 * What has to change in one group's members, and whether that is safe now (docs/protocol.md section
 * 11). One member comes or goes at a time, never one for another: any two majorities meet then. So
 * a new disk comes first, and the lost one goes when the new one follows.
 *
 * @param out the member that goes; empty: none does
 * @param in what Raft calls the one that comes; empty: none does
 * @param trouble why it may not be now; empty: it may
 */
public record GroupChange(Optional<String> out, Optional<PeerName> in, String trouble) {
    public GroupChange {
        check(out.isPresent() != in.isPresent(), "Expected one to come or one to go");
    }

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
     * Looks at one group. A replica that is behind in what was decided never undoes what it does
     * not know: nobody goes but whose going is known, and nobody comes but whose coming is.
     *
     * @param members its members, the leader itself among them
     * @param disks what the control group knows of the disk behind a server's name
     * @param roster the servers of the registry, as far as it is known
     * @return empty: each member is as it was decided, or the disk that comes is not there yet
     */
    public static Optional<GroupChange> of(
            List<Member> members, Function<String, MemberDisk> disks, Collection<String> roster) {
        return all(members, disks, roster).stream().findFirst();
    }

    /** As {@link #of}, with all that may be done instead of the first, in order. */
    public static List<GroupChange> all(
            List<Member> members, Function<String, MemberDisk> disks, Collection<String> roster) {
        List<Member> inOrder = new ArrayList<>(members);
        inOrder.sort(Comparator.comparing(Member::peer));
        List<GroupChange> found = replacements(inOrder, disks, roster);
        found.addAll(coming(inOrder, disks, roster));
        // Nobody goes while another is to come.
        return found.isEmpty() ? going(inOrder, disks, roster) : found;
    }

    private static List<GroupChange> replacements(
            List<Member> members, Function<String, MemberDisk> disks, Collection<String> roster) {
        List<GroupChange> found = new ArrayList<>();
        for (Member member : members) {
            PeerName peer = PeerName.parse(member.peer());
            MemberDisk decided = disks.apply(peer.server());
            boolean stays = roster.isEmpty() || roster.contains(peer.server());
            if (stays && decided.getNumber() > peer.number() && !decided.getDisk().isEmpty()) {
                found.add(
                        replacement(
                                members, member, new PeerName(peer.server(), decided.getNumber())));
            }
        }
        return found;
    }

    private static GroupChange replacement(List<Member> members, Member lost, PeerName next) {
        Optional<Member> come =
                members.stream().filter(m -> m.peer().equals(next.toString())).findFirst();
        if (come.isEmpty()) {
            return new GroupChange(
                    Optional.empty(), Optional.of(next), unsafe(members, lost.peer()));
        }
        String trouble =
                come.get().isWell()
                        ? unsafeWithout(members, lost.peer())
                        : next + " is a member and does not follow yet";
        return new GroupChange(Optional.of(lost.peer()), Optional.empty(), trouble);
    }

    private static List<GroupChange> coming(
            List<Member> members, Function<String, MemberDisk> disks, Collection<String> roster) {
        List<GroupChange> found = new ArrayList<>();
        for (String server : new TreeSet<>(roster)) {
            MemberDisk decided = disks.apply(server);
            if (decided.getJoining()
                    && !decided.getDisk().isEmpty()
                    && members.stream()
                            .map(member -> PeerName.serverOf(member.peer()))
                            .noneMatch(server::equals)) {
                found.add(
                        new GroupChange(
                                Optional.empty(),
                                Optional.of(new PeerName(server, decided.getNumber())),
                                unsafeWith(members)));
            }
        }
        return found;
    }

    private static List<GroupChange> going(
            List<Member> members, Function<String, MemberDisk> disks, Collection<String> roster) {
        List<GroupChange> found = new ArrayList<>();
        for (Member member : members) {
            PeerName peer = PeerName.parse(member.peer());
            MemberDisk decided = disks.apply(peer.server());
            boolean off = !roster.isEmpty() && !roster.contains(peer.server());
            // A later disk than the one that is known to leave came after that.
            boolean gone =
                    decided.getLeaving()
                            ? decided.getNumber() >= peer.number()
                            : decided.getNumber() > peer.number();
            if (off && gone) {
                found.add(
                        new GroupChange(
                                Optional.of(member.peer()),
                                Optional.empty(),
                                unsafeWithout(members, member.peer())));
            }
        }
        return found;
    }

    /**
     * Why a member should not be replaced now; empty: it may. Without it a majority must be there
     * and know nearly all, so that nothing waits for the one that comes.
     */
    public static String unsafe(List<Member> members, String out) {
        return tooFew(members, out, members.size() / 2 + 1);
    }

    /**
     * Why the group should not have one member less; empty: it may. Without it a majority of the
     * others must be there and know nearly all; and a majority of them all, or it cannot be
     * decided.
     */
    public static String unsafeWithout(List<Member> members, String out) {
        String less = tooFew(members, out, (members.size() - 1) / 2 + 1);
        return less.isEmpty() ? unsafeWith(members) : less;
    }

    /** Why the group should not have one member more; empty: it may. */
    public static String unsafeWith(List<Member> members) {
        List<String> well = well(members, "");
        int needed = members.size() / 2 + 1;
        return well.size() >= needed
                ? ""
                : "of its %d members only %s are there and up to date: %d are needed"
                        .formatted(members.size(), well, needed);
    }

    private static String tooFew(List<Member> members, String out, int needed) {
        List<String> well = well(members, out);
        return well.size() >= needed
                ? ""
                : "of its %d members only %s are there and up to date without %s: %d are needed"
                        .formatted(members.size(), well, out, needed);
    }

    private static List<String> well(List<Member> members, String without) {
        return members.stream()
                .filter(member -> !member.peer().equals(without) && member.isWell())
                .map(Member::peer)
                .toList();
    }

    /** For people, after the group's name. */
    public String text() {
        return in.isPresent() ? in.get() + " is to come" : out.orElse("") + " is to go";
    }
}
