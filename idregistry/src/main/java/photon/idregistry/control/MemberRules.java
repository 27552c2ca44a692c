package photon.idregistry.control;

import com.google.protobuf.ByteString;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.AdmitDiskResponse;
import photon.proto.v1.AuditKind;
import photon.proto.v1.GroupsBefore;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.MemberDisks;
import photon.proto.v1.MemberSettled;
import photon.proto.v1.PipelineBefore;
import photon.proto.v1.Progress;
import photon.proto.v1.ReplaceMemberRequest;
import photon.proto.v1.ReplaceMemberResponse;
import photon.proto.v1.ShardRef;

/**
 * Which disk stands behind each server's name, and when another one may (docs/protocol.md section
 * 11). Part of {@link ControlState}.
 */
final class MemberRules {
    private static final int DISK_BYTES = 16;

    /** By name; those of which something was ever decided. */
    private final TreeMap<String, MemberDisk> members = new TreeMap<>();

    private final AuditTrail audit;

    MemberRules(AuditTrail audit) {
        this.audit = audit;
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
        boolean admitted = member.getDisk().equals(request.getDisk());
        if (!admitted && mayCome(member, request)) {
            admitted = true;
            member = member.toBuilder().setDisk(request.getDisk()).build();
            members.put(member.getName(), member);
            audit.add(
                    AuditKind.AUDIT_MEMBERS,
                    "%s: disk %s is number %d behind the name"
                            .formatted(
                                    member.getName(), text(member.getDisk()), member.getNumber()));
        }
        return AdmitDiskResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setVerdict(
                        admitted
                                ? AdmitDiskResponse.Verdict.ADMITTED
                                : AdmitDiskResponse.Verdict.OTHER_DISK)
                .setMember(member)
                .build();
    }

    private static boolean mayCome(MemberDisk member, AdmitDiskRequest request) {
        return request.getDisk().size() == DISK_BYTES
                && member.getDisk().isEmpty()
                && !member.getLostList().contains(request.getDisk())
                && request.getNumber() == (member.getNumber() == 1 ? 1 : 0);
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
        if (member.getNumber() == request.getNumber() + 1 && member.getDisk().isEmpty()) {
            answer.setVerdict(ReplaceMemberResponse.Verdict.AWAITED);
        } else if (member.getNumber() != request.getNumber()) {
            answer.setVerdict(ReplaceMemberResponse.Verdict.OTHER_NUMBER);
        } else if (2 * (others.size() + 1) >= request.getServers()) {
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
                            .addLost(member.getDisk())
                            .addBefore(before(pipelines))
                            .build();
            members.put(member.getName(), member);
            answer.setVerdict(ReplaceMemberResponse.Verdict.AWAITED);
        }
        return answer.setMember(member).build();
    }

    private static GroupsBefore before(Collection<PipelineState> pipelines) {
        GroupsBefore.Builder before = GroupsBefore.newBuilder();
        for (PipelineState pipeline : pipelines) {
            before.addPipelines(
                    PipelineBefore.newBuilder()
                            .setPipeline(ControlState.bytes(pipeline.uuid))
                            .setLastEpoch(pipeline.map.lastEpoch().number()));
        }
        return before.build();
    }

    /** The result is the same again. */
    MemberSettled settle(MemberSettled settled) {
        MemberDisk member = member(settled.getName());
        if (member.getJoining()
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
                if (!contains(before, shard)) {
                    number++;
                }
            }
        }
        return number;
    }

    private static boolean contains(GroupsBefore before, ShardRef shard) {
        return before.getPipelinesList().stream()
                .anyMatch(
                        pipeline ->
                                pipeline.getPipeline().equals(shard.getPipeline())
                                        && shard.getEpoch() <= pipeline.getLastEpoch());
    }

    List<MemberDisk> all() {
        return List.copyOf(members.values());
    }

    MemberDisks toProto() {
        return MemberDisks.newBuilder().addAllMembers(members.values()).build();
    }

    void restore(MemberDisks from) {
        members.clear();
        from.getMembersList().forEach(member -> members.put(member.getName(), member));
    }

    private static String text(ByteString disk) {
        return disk.isEmpty() ? "(not known)" : HexFormat.of().formatHex(disk.toByteArray());
    }
}
