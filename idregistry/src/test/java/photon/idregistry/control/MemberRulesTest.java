package photon.idregistry.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import photon.idregistry.replicated.MemorySnapshot;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.AdmitDiskResponse;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.MemberSettled;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.ReplaceMemberRequest;
import photon.proto.v1.ReplaceMemberResponse;
import photon.proto.v1.ShardRef;

/** Which disk the control group lets stand behind a name. */
class MemberRulesTest {
    private static final AdmitDiskResponse.Verdict ADMITTED = AdmitDiskResponse.Verdict.ADMITTED;
    private static final AdmitDiskResponse.Verdict OTHER = AdmitDiskResponse.Verdict.OTHER_DISK;
    private static final ReplaceMemberResponse.Verdict AWAITED =
            ReplaceMemberResponse.Verdict.AWAITED;

    private ControlState control = new ControlState();
    private long index;

    private static ByteString disk(int n) {
        return ControlState.bytes(new UUID(7, n));
    }

    private AdmitDiskResponse.Verdict admit(String name, int disk, int number) throws IOException {
        return AdmitDiskResponse.parseFrom(
                        apply(
                                ControlEntries.admitDisk(
                                        AdmitDiskRequest.newBuilder()
                                                .setName(name)
                                                .setDisk(disk(disk))
                                                .setNumber(number)
                                                .build())))
                .getVerdict();
    }

    private ReplaceMemberResponse replace(String name, int number, int servers) throws IOException {
        return ReplaceMemberResponse.parseFrom(
                apply(
                        ControlEntries.replaceMember(
                                ReplaceMemberRequest.newBuilder()
                                        .setName(name)
                                        .setNumber(number)
                                        .setServers(servers)
                                        .build())));
    }

    private void settle(String name, int number) {
        apply(
                ControlEntries.memberSettled(
                        MemberSettled.newBuilder().setName(name).setNumber(number).build()));
    }

    private byte[] apply(byte[] entry) {
        return control.apply(++index, ByteBuffer.wrap(entry));
    }

    private void open(String name, UUID uuid) {
        apply(
                ControlEntries.openPipeline(
                        OpenPipelineRequest.newBuilder()
                                .setName(name)
                                .setUuid(ControlState.bytes(uuid))
                                .setShards(2)
                                .build()));
    }

    private static ShardRef shard(UUID pipeline, int epoch) {
        return ShardRef.newBuilder()
                .setPipeline(ControlState.bytes(pipeline))
                .setEpoch(epoch)
                .build();
    }

    @Test
    void aDiskThatTakesPartIsTheFirstBehindItsNameAndNoOtherIs() throws IOException {
        assertThat(admit("r1", 1, 1)).isEqualTo(ADMITTED);
        assertThat(admit("r1", 1, 1)).isEqualTo(ADMITTED);
        assertThat(admit("r1", 2, 1)).isEqualTo(OTHER);
        assertThat(admit("r1", 2, 0)).isEqualTo(OTHER);
        assertThat(control.member("r1").getDisk()).isEqualTo(disk(1));
    }

    @Test
    void aBlankDiskIsNoFirstOneEvenIfNobodyKnowsTheFirst() throws IOException {
        assertThat(admit("r1", 2, 0)).isEqualTo(OTHER);
        assertThat(control.member("r1").getDisk()).isEqualTo(ByteString.EMPTY);
    }

    @Test
    void aBlankDiskComesWhenTheOneBeforeIsDeclaredLost() throws IOException {
        admit("r1", 1, 1);
        assertThat(replace("r1", 1, 3).getVerdict()).isEqualTo(AWAITED);
        // Asked again: nothing more happens.
        assertThat(replace("r1", 1, 3).getMember().getNumber()).isEqualTo(2);
        assertThat(admit("r1", 1, 1)).as("the lost one").isEqualTo(OTHER);
        assertThat(admit("r1", 1, 0)).as("the lost one, as if blank").isEqualTo(OTHER);
        assertThat(admit("r1", 2, 1)).as("one with logs").isEqualTo(OTHER);
        assertThat(admit("r1", 2, 0)).isEqualTo(ADMITTED);
        assertThat(admit("r1", 2, 0)).as("after a crash").isEqualTo(ADMITTED);
        assertThat(admit("r1", 2, 2)).isEqualTo(ADMITTED);
        assertThat(admit("r1", 3, 0)).as("a second blank one").isEqualTo(OTHER);
        MemberDisk member = control.member("r1");
        assertThat(member.getNumber()).isEqualTo(2);
        assertThat(member.getLostList()).containsExactly(disk(1));
        assertThat(control.audit())
                .extracting(AuditRecord::getDetail)
                .containsExactly(
                        "r1: disk 00000000000000070000000000000001 is number 1 behind the name",
                        "r1: disk 00000000000000070000000000000001, number 1, is lost for ever; a blank one is awaited",
                        "r1: disk 00000000000000070000000000000002 is number 2 behind the name");
    }

    @Test
    void aDiskThatIsLostBeforeItIsInEveryGroupIsReplacedToo() throws IOException {
        admit("r1", 1, 1);
        replace("r1", 1, 3);
        admit("r1", 2, 0);
        assertThat(replace("r1", 2, 3).getMember().getNumber()).isEqualTo(3);
        assertThat(admit("r1", 2, 2)).isEqualTo(OTHER);
        assertThat(admit("r1", 3, 0)).isEqualTo(ADMITTED);
    }

    @Test
    void anotherNumberThanTheOneThatStandsIsRefused() throws IOException {
        admit("r1", 1, 1);
        assertThat(replace("r1", 2, 3).getVerdict())
                .isEqualTo(ReplaceMemberResponse.Verdict.OTHER_NUMBER);
        replace("r1", 1, 3);
        admit("r1", 2, 0);
        assertThat(replace("r1", 1, 3).getVerdict())
                .as("a late copy")
                .isEqualTo(ReplaceMemberResponse.Verdict.OTHER_NUMBER);
        assertThat(control.member("r1").getNumber()).isEqualTo(2);
    }

    @Test
    void twoOfThreeAreNotReplacedAtOnce() throws IOException {
        assertThat(replace("r1", 1, 3).getVerdict()).isEqualTo(AWAITED);
        ReplaceMemberResponse second = replace("r2", 1, 3);
        assertThat(second.getVerdict()).isEqualTo(ReplaceMemberResponse.Verdict.TOO_MANY);
        assertThat(second.getOthersList()).containsExactly("r1");
        assertThat(control.member("r2").getNumber()).isEqualTo(1);
        settle("r1", 2);
        assertThat(control.member("r1").getJoining()).as("no disk yet").isTrue();
        admit("r1", 5, 0);
        settle("r1", 1);
        assertThat(control.member("r1").getJoining()).as("another number").isTrue();
        settle("r1", 2);
        assertThat(control.member("r1").getJoining()).isFalse();
        assertThat(replace("r2", 1, 3).getVerdict()).isEqualTo(AWAITED);
    }

    @Test
    void twoOfFiveAreAndAThirdIsNot() throws IOException {
        assertThat(replace("r1", 1, 5).getVerdict()).isEqualTo(AWAITED);
        assertThat(replace("r2", 1, 5).getVerdict()).isEqualTo(AWAITED);
        assertThat(replace("r3", 1, 5).getVerdict())
                .isEqualTo(ReplaceMemberResponse.Verdict.TOO_MANY);
        assertThat(replace("r0", 1, 1).getVerdict())
                .as("the only one")
                .isEqualTo(ReplaceMemberResponse.Verdict.TOO_MANY);
    }

    @Test
    void aGroupBeganWithTheDisksThatStoodWhenItWasDecided() throws IOException {
        UUID before = new UUID(1, 1);
        UUID after = new UUID(1, 2);
        open("before", before);
        replace("r1", 1, 3);
        open("after", after);
        assertThat(control.initialNumber("r1", null)).isEqualTo(1);
        assertThat(control.initialNumber("r1", shard(before, 1))).isEqualTo(1);
        assertThat(control.initialNumber("r1", shard(before, 2))).as("later epoch").isEqualTo(2);
        assertThat(control.initialNumber("r1", shard(after, 1))).isEqualTo(2);
        assertThat(control.initialNumber("r2", shard(after, 1))).isEqualTo(1);
        admit("r1", 2, 0);
        replace("r1", 2, 3);
        assertThat(control.initialNumber("r1", shard(before, 1))).isEqualTo(1);
        assertThat(control.initialNumber("r1", shard(after, 1))).isEqualTo(2);
        assertThat(control.initialNumber("r1", shard(new UUID(1, 3), 1))).isEqualTo(3);
    }

    @Test
    void aSnapshotHasThem() throws IOException {
        admit("r1", 1, 1);
        open("p", new UUID(1, 1));
        replace("r1", 1, 3);
        MemorySnapshot snapshot = MemorySnapshot.of(control, null);
        ControlState restored = new ControlState();
        restored.restore(snapshot);
        assertThat(restored.members()).isEqualTo(control.members()).hasSize(1);
        control = restored;
        assertThat(admit("r1", 1, 1)).isEqualTo(OTHER);
        assertThat(control.initialNumber("r1", shard(new UUID(1, 1), 1))).isEqualTo(1);
        assertThat(control.initialNumber("r1", shard(new UUID(1, 2), 1))).isEqualTo(2);
    }
}
