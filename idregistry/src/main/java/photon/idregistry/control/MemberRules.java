package photon.idregistry.control;

import com.google.protobuf.ByteString;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.FeatureLevel;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.AdmitDiskResponse;
import photon.proto.v1.AuditKind;
import photon.proto.v1.ChangeRosterRequest;
import photon.proto.v1.ChangeRosterResponse;
import photon.proto.v1.FinalizeUpgradeRequest;
import photon.proto.v1.FinalizeUpgradeResponse;
import photon.proto.v1.FirstRoster;
import photon.proto.v1.GroupsBefore;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.MemberDisks;
import photon.proto.v1.MemberSettled;
import photon.proto.v1.Progress;
import photon.proto.v1.ReplaceMemberRequest;
import photon.proto.v1.ReplaceMemberResponse;
import photon.proto.v1.Roster;
import photon.proto.v1.ShardRef;

/**
 * Which servers are members, which disk stands behind each one's name, and when another one may
 * (docs/protocol.md section 11). Part of {@link ControlState}.
 */
final class MemberRules {
    private static final int DISK_BYTES = 16;

    /** By name; those of which something was ever decided. */
    private final TreeMap<String, MemberDisk> members = new TreeMap<>();

    private final RosterRules roster = new RosterRules();
    private int featureLevel = FeatureLevel.LOWEST;
    private final AuditTrail audit;

    MemberRules(AuditTrail audit) {
        this.audit = audit;
    }

    RosterRules roster() {
        return roster;
    }

    /** What every server understands, and has once told; it never falls. */
    int featureLevel() {
        return featureLevel;
    }

    /** As it stands; the first disk, not known yet, where nothing was ever decided. */
    MemberDisk member(String name) {
        MemberDisk known = members.get(name);
        return known == null ? MemberDisk.newBuilder().setName(name).setNumber(1).build() : known;
    }

    /**
     * A disk that takes part already is who it says, since none begins that may not; a blank one is
     * let in only in the place of one that was declared lost.
     */
    AdmitDiskResponse admit(AdmitDiskRequest request) {
        MemberDisk member = member(request.getName());
        boolean known = member.getDisk().equals(request.getDisk());
        boolean tooOld = level(request.getFeatureLevel()) < featureLevel;
        boolean admitted = known && !tooOld;
        if (!known && !tooOld && mayCome(member, request)) {
            admitted = true;
            member = member.toBuilder().setDisk(request.getDisk()).build();
            members.put(member.getName(), member);
            audit.add(
                    AuditKind.AUDIT_MEMBERS,
                    "%s: disk %s is number %d behind the name"
                            .formatted(
                                    member.getName(), text(member.getDisk()), member.getNumber()));
        }
        if (admitted && member.getFeatureLevel() != request.getFeatureLevel()) {
            member = member.toBuilder().setFeatureLevel(request.getFeatureLevel()).build();
            members.put(member.getName(), member);
            raiseFeatureLevel();
        }
        AdmitDiskResponse.Verdict verdict =
                admitted
                        ? AdmitDiskResponse.Verdict.ADMITTED
                        : tooOld
                                ? AdmitDiskResponse.Verdict.FEATURE_LEVEL_TOO_LOW
                                : refusal(request);
        return AdmitDiskResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setVerdict(verdict)
                .setMember(member)
                .setFeatureLevel(stored(featureLevel))
                .build();
    }

    /** The lowest needs no field. */
    private static int stored(int level) {
        return level == FeatureLevel.LOWEST ? 0 : level;
    }

    private static int level(int told) {
        return Math.max(told, FeatureLevel.LOWEST);
    }

    /**
     * To what every server on the roster has told that it understands. One that is awaited with a
     * blank disk has told nothing: it may be of any version. A registry that has written nothing of
     * a later level begins with what its servers understand; from {@link
     * FeatureLevel#RAISED_BY_OPERATOR} on, an operator raises it.
     */
    private void raiseFeatureLevel() {
        int all = understoodByAll();
        boolean begins = featureLevel == FeatureLevel.LOWEST;
        int raised = begins ? all : Math.min(all, FeatureLevel.RAISED_BY_OPERATOR);
        if (raised > featureLevel) {
            featureLevel = raised;
            audit.add(
                    AuditKind.AUDIT_MEMBERS,
                    "every server understands feature level %d: it may be written from now on"
                            .formatted(raised));
        }
    }

    /** The lowest, while not all are known. */
    private int understoodByAll() {
        return roster.isKnown()
                ? roster.current().getServersList().stream()
                        .mapToInt(name -> level(member(name).getFeatureLevel()))
                        .min()
                        .orElse(FeatureLevel.LOWEST)
                : FeatureLevel.LOWEST;
    }

    /** The way back to an earlier version ends: what all servers understand may be written. */
    FinalizeUpgradeResponse finalizeUpgrade(FinalizeUpgradeRequest request) {
        int wanted = request.getFeatureLevel();
        FinalizeUpgradeResponse.Builder answer =
                FinalizeUpgradeResponse.newBuilder().setProgress(Progress.DECIDED);
        if (featureLevel < FeatureLevel.RAISED_BY_OPERATOR) {
            answer.setVerdict(FinalizeUpgradeResponse.Verdict.RAISED_BY_ITSELF);
        } else if (wanted <= featureLevel) {
            answer.setVerdict(FinalizeUpgradeResponse.Verdict.FINALIZED);
        } else if (understoodByAll() < wanted) {
            answer.setVerdict(FinalizeUpgradeResponse.Verdict.HELD_BACK);
            for (String name : roster.current().getServersList()) {
                if (level(member(name).getFeatureLevel()) < wanted) {
                    answer.addBehind(name);
                }
            }
        } else {
            featureLevel = wanted;
            answer.setVerdict(FinalizeUpgradeResponse.Verdict.FINALIZED);
            audit.add(
                    AuditKind.AUDIT_MEMBERS,
                    "the upgrade is finalized: feature level %d may be written from now on"
                            .formatted(wanted));
        }
        return answer.setFeatureLevel(featureLevel).build();
    }

    /** Who may be added later waits; another disk than the one that stands never comes. */
    private AdmitDiskResponse.Verdict refusal(AdmitDiskRequest request) {
        return isOff(request.getName()) && request.getNumber() == 0
                ? AdmitDiskResponse.Verdict.NOT_A_MEMBER
                : AdmitDiskResponse.Verdict.OTHER_DISK;
    }

    private boolean isOff(String name) {
        return roster.isKnown() && !roster.contains(name);
    }

    /** One that leaves, too: groups that were made with it may need it once to be rid of it. */
    private boolean mayCome(MemberDisk member, AdmitDiskRequest request) {
        return request.getDisk().size() == DISK_BYTES
                && (!isOff(member.getName()) || member.getLeaving())
                && member.getDisk().isEmpty()
                && !member.getLostList().contains(request.getDisk())
                && request.getNumber() == (member.getNumber() == 1 ? 1 : 0);
    }

    /** The result is the roster that stands. */
    Roster begin(FirstRoster servers) {
        if (!roster.isKnown() && servers.getServersCount() > 0) {
            roster.begin(servers.getServersList());
            audit.add(
                    AuditKind.AUDIT_MEMBERS,
                    "the registry has the servers " + roster.current().getServersList());
            raiseFeatureLevel();
        }
        return roster.current();
    }

    /** One after the other: never is more than one server more, or less, in a group than before. */
    ChangeRosterResponse change(ChangeRosterRequest request, Collection<PipelineState> pipelines) {
        List<String> others = inTheWayOf(request, pipelines);
        ChangeRosterResponse.Verdict verdict = verdict(request, others);
        if (verdict == ChangeRosterResponse.Verdict.CHANGED
                && roster.contains(request.getName()) != isAdd(request)) {
            if (isAdd(request)) {
                add(request.getName(), pipelines);
            } else {
                remove(request.getName(), pipelines);
            }
        }
        return ChangeRosterResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setVerdict(verdict)
                .setMember(member(request.getName()))
                .setRoster(roster.current())
                .addAllOthers(others)
                .build();
    }

    private static boolean isAdd(ChangeRosterRequest request) {
        return request.getChange() == ChangeRosterRequest.Change.ADD;
    }

    /**
     * Those that are coming, going or being replaced. One that comes may be removed again, unless
     * groups have begun with it that have no majority before it is there: such a group could not
     * even decide that it is rid of it. That its disk is admitted is not enough: a server that is
     * removed before the control group has it follows nobody, and makes no group.
     */
    private List<String> inTheWayOf(
            ChangeRosterRequest request, Collection<PipelineState> pipelines) {
        // While one comes, the last change is that it was added.
        boolean needed =
                !isAdd(request) && roster.size() == 2 && roster.isLaterThanChanges(pipelines);
        return members.values().stream()
                .filter(
                        member ->
                                member.getLeaving()
                                        || (member.getJoining()
                                                && (!member.getName().equals(request.getName())
                                                        || needed)))
                .map(MemberDisk::getName)
                .toList();
    }

    private ChangeRosterResponse.Verdict verdict(ChangeRosterRequest request, List<String> others) {
        boolean add = isAdd(request);
        if (!add && request.getChange() != ChangeRosterRequest.Change.REMOVE) {
            return ChangeRosterResponse.Verdict.VERDICT_UNSPECIFIED;
        }
        if (!roster.isKnown()) {
            return ChangeRosterResponse.Verdict.NOT_KNOWN_YET;
        }
        if (roster.contains(request.getName()) == add) {
            return ChangeRosterResponse.Verdict.CHANGED;
        }
        if (!others.isEmpty()) {
            return ChangeRosterResponse.Verdict.BUSY;
        }
        if (request.getVersion() != roster.version()) {
            return ChangeRosterResponse.Verdict.OTHER_VERSION;
        }
        return !add && roster.size() == 1
                ? ChangeRosterResponse.Verdict.LAST
                : ChangeRosterResponse.Verdict.CHANGED;
    }

    /**
     * Its disk is never the first behind the name: that number is of those that the registry began
     * with, which may know their groups' members from their configuration.
     */
    private void add(String name, Collection<PipelineState> pipelines) {
        GroupsBefore before = RosterRules.before(pipelines);
        roster.change(name, true, before);
        MemberDisk member = member(name);
        if (member.getNumber() == 1) {
            member = next(member, before);
        }
        members.put(name, member.toBuilder().setJoining(true).build());
        audit.add(
                AuditKind.AUDIT_MEMBERS,
                "%s: added, as number %d; a blank disk is awaited. The servers are %s"
                        .formatted(name, member.getNumber(), roster.current().getServersList()));
    }

    private void remove(String name, Collection<PipelineState> pipelines) {
        roster.change(name, false, RosterRules.before(pipelines));
        MemberDisk member = member(name);
        members.put(name, member.toBuilder().setJoining(false).setLeaving(true).build());
        audit.add(
                AuditKind.AUDIT_MEMBERS,
                "%s: removed, with disk %s, number %d. The servers are %s"
                        .formatted(
                                name,
                                text(member.getDisk()),
                                member.getNumber(),
                                roster.current().getServersList()));
        raiseFeatureLevel();
    }

    /** The disk that stands never comes back; whoever comes next has the next number. */
    private static MemberDisk next(MemberDisk member, GroupsBefore before) {
        MemberDisk.Builder next =
                member.toBuilder()
                        .setNumber(member.getNumber() + 1)
                        .setDisk(ByteString.EMPTY)
                        .setLeaving(false)
                        .clearFeatureLevel()
                        .addBefore(before);
        if (!member.getDisk().isEmpty()) {
            next.addLost(member.getDisk());
        }
        return next.build();
    }

    /** Of half of the servers or more, too much would hang on disks that are not there yet. */
    ReplaceMemberResponse replace(
            ReplaceMemberRequest request, Collection<PipelineState> pipelines) {
        MemberDisk member = member(request.getName());
        ReplaceMemberResponse.Builder answer =
                ReplaceMemberResponse.newBuilder().setProgress(Progress.DECIDED);
        List<String> others =
                members.values().stream()
                        .filter(MemberDisk::getJoining)
                        .map(MemberDisk::getName)
                        .filter(name -> !name.equals(request.getName()))
                        .toList();
        int servers = roster.isKnown() ? roster.size() : request.getServers();
        if (isOff(request.getName())) {
            answer.setVerdict(ReplaceMemberResponse.Verdict.UNKNOWN_MEMBER);
        } else if (member.getNumber() == request.getNumber() + 1 && member.getDisk().isEmpty()) {
            answer.setVerdict(ReplaceMemberResponse.Verdict.AWAITED);
        } else if (member.getNumber() != request.getNumber()) {
            answer.setVerdict(ReplaceMemberResponse.Verdict.OTHER_NUMBER);
        } else if (2 * (others.size() + 1) >= servers) {
            answer.setVerdict(ReplaceMemberResponse.Verdict.TOO_MANY).addAllOthers(others);
        } else {
            audit.add(
                    AuditKind.AUDIT_MEMBERS,
                    "%s: disk %s, number %d, is lost for ever; a blank one is awaited"
                            .formatted(
                                    member.getName(), text(member.getDisk()), member.getNumber()));
            member =
                    member.toBuilder()
                            .setNumber(member.getNumber() + 1)
                            .setDisk(ByteString.EMPTY)
                            .setJoining(true)
                            .clearFeatureLevel()
                            .addLost(member.getDisk())
                            .addBefore(RosterRules.before(pipelines))
                            .build();
            members.put(member.getName(), member);
            answer.setVerdict(ReplaceMemberResponse.Verdict.AWAITED);
        }
        return answer.setMember(member).build();
    }

    /** The result is the same again. */
    MemberSettled settle(MemberSettled settled, Collection<PipelineState> pipelines) {
        MemberDisk member = member(settled.getName());
        if (settled.getLeft()) {
            left(member, settled.getNumber(), pipelines);
        } else if (member.getJoining()
                && member.getNumber() == settled.getNumber()
                && !member.getDisk().isEmpty()) {
            members.put(settled.getName(), member.toBuilder().setJoining(false).build());
            audit.add(
                    AuditKind.AUDIT_MEMBERS,
                    "%s: disk %s, number %d, is in every group"
                            .formatted(
                                    member.getName(), text(member.getDisk()), member.getNumber()));
        }
        return settled;
    }

    private void left(MemberDisk member, int number, Collection<PipelineState> pipelines) {
        if (member.getLeaving() && member.getNumber() == number) {
            members.put(member.getName(), next(member, RosterRules.before(pipelines)));
            audit.add(
                    AuditKind.AUDIT_MEMBERS,
                    "%s: disk %s, number %d, is in no group any more"
                            .formatted(member.getName(), text(member.getDisk()), number));
        }
    }

    /**
     * The number of the disk behind a name with which a group began: what every server finds, in
     * whatever order it learns of the group and of the disks.
     *
     * @param shard null: the control group
     */
    int initialNumber(String name, @Nullable ShardRef shard) {
        int number = 1;
        if (shard != null) {
            for (GroupsBefore before : member(name).getBeforeList()) {
                if (!RosterRules.contains(before, shard)) {
                    number++;
                }
            }
        }
        return number;
    }

    List<MemberDisk> all() {
        return List.copyOf(members.values());
    }

    MemberDisks toProto() {
        return MemberDisks.newBuilder()
                .addAllMembers(members.values())
                .setRoster(roster.toProto())
                .setFeatureLevel(stored(featureLevel))
                .build();
    }

    void restore(MemberDisks from) {
        members.clear();
        from.getMembersList().forEach(member -> members.put(member.getName(), member));
        roster.restore(from.getRoster());
        featureLevel = level(from.getFeatureLevel());
    }

    private static String text(ByteString disk) {
        return disk.isEmpty() ? "(not known)" : HexFormat.of().formatHex(disk.toByteArray());
    }
}
