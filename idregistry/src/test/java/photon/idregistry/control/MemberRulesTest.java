package photon.idregistry.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import photon.idregistry.replicated.MemorySnapshot;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.AdmitDiskResponse;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.ChangeRosterRequest;
import photon.proto.v1.ChangeRosterResponse;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.FinalizeUpgradeRequest;
import photon.proto.v1.FinalizeUpgradeResponse;
import photon.proto.v1.FirstRoster;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.MemberSettled;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.ReplaceMemberRequest;
import photon.proto.v1.ReplaceMemberResponse;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryProtos;

/** Which disk the control group lets stand behind a name. */
class MemberRulesTest {
    private static final AdmitDiskResponse.Verdict ADMITTED = AdmitDiskResponse.Verdict.ADMITTED;
    private static final AdmitDiskResponse.Verdict OTHER = AdmitDiskResponse.Verdict.OTHER_DISK;
    private static final ReplaceMemberResponse.Verdict AWAITED =
            ReplaceMemberResponse.Verdict.AWAITED;

    private static final ChangeRosterResponse.Verdict CHANGED =
            ChangeRosterResponse.Verdict.CHANGED;
    private static final ChangeRosterResponse.Verdict BUSY = ChangeRosterResponse.Verdict.BUSY;
    private static final ChangeRosterResponse.Verdict OTHER_VERSION =
            ChangeRosterResponse.Verdict.OTHER_VERSION;

    private ControlState control = new ControlState();
    private long index;

    private static ByteString disk(int n) {
        return RegistryProtos.bytes(new UUID(7, n));
    }

    private AdmitDiskResponse.Verdict admit(String name, int disk, int number) throws IOException {
        return admit(name, disk, number, 0);
    }

    private AdmitDiskResponse.Verdict admit(String name, int disk, int number, int level)
            throws IOException {
        return AdmitDiskResponse.parseFrom(
                        apply(
                                ControlEntries.admitDisk(
                                        AdmitDiskRequest.newBuilder()
                                                .setName(name)
                                                .setDisk(disk(disk))
                                                .setNumber(number)
                                                .setFeatureLevel(level)
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
                                .setUuid(RegistryProtos.bytes(uuid))
                                .setShards(2)
                                .build()));
    }

    private static ShardRef shard(UUID pipeline, int epoch) {
        return ShardRef.newBuilder()
                .setPipeline(RegistryProtos.bytes(pipeline))
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

    private void begin(String... servers) {
        apply(
                ControlEntries.firstRoster(
                        FirstRoster.newBuilder().addAllServers(List.of(servers)).build()));
    }

    private ChangeRosterResponse change(ChangeRosterRequest.Change change, String name, long of)
            throws IOException {
        return ChangeRosterResponse.parseFrom(
                apply(
                        ControlEntries.changeRoster(
                                ChangeRosterRequest.newBuilder()
                                        .setChange(change)
                                        .setName(name)
                                        .setVersion(of)
                                        .build())));
    }

    private ChangeRosterResponse.Verdict add(String name, long of) throws IOException {
        return change(ChangeRosterRequest.Change.ADD, name, of).getVerdict();
    }

    private ChangeRosterResponse.Verdict remove(String name, long of) throws IOException {
        return change(ChangeRosterRequest.Change.REMOVE, name, of).getVerdict();
    }

    private void left(String name, int number) {
        apply(
                ControlEntries.memberSettled(
                        MemberSettled.newBuilder()
                                .setName(name)
                                .setNumber(number)
                                .setLeft(true)
                                .build()));
    }

    private void assertRoster(long version, String... servers) {
        assertThat(control.roster().getVersion()).isEqualTo(version);
        assertThat(control.roster().getServersList()).containsExactly(servers);
    }

    @Test
    void theFirstRosterIsWrittenOnce() throws IOException {
        assertRoster(0);
        assertThat(add("r4", 0)).isEqualTo(ChangeRosterResponse.Verdict.NOT_KNOWN_YET);
        begin();
        assertRoster(0);
        begin("r2", "r1", "r3");
        assertRoster(1, "r1", "r2", "r3");
        begin("r1", "r2", "r3", "r4");
        assertRoster(1, "r1", "r2", "r3");
    }

    @Test
    void whoIsAddedComesWithABlankDiskThatIsNeverTheFirst() throws IOException {
        begin("r1", "r2", "r3");
        assertThat(admit("r4", 4, 0)).isEqualTo(AdmitDiskResponse.Verdict.NOT_A_MEMBER);
        assertThat(admit("r4", 4, 1)).as("one that began elsewhere").isEqualTo(OTHER);
        assertThat(add("r4", 1)).isEqualTo(CHANGED);
        assertThat(add("r4", 1)).as("asked again").isEqualTo(CHANGED);
        assertRoster(2, "r1", "r2", "r3", "r4");
        assertThat(admit("r4", 4, 1)).isEqualTo(OTHER);
        assertThat(admit("r4", 4, 0)).isEqualTo(ADMITTED);
        assertThat(admit("r4", 5, 0)).as("a second blank one").isEqualTo(OTHER);
        assertThat(control.member("r4").getNumber()).isEqualTo(2);
        assertThat(control.member("r4").getJoining()).isTrue();
        settle("r4", 2);
        assertThat(control.member("r4").getJoining()).isFalse();
        assertThat(add("r4", 2)).as("a member already").isEqualTo(CHANGED);
        assertRoster(2, "r1", "r2", "r3", "r4");
    }

    @Test
    void whoIsRemovedIsGoneWhenNoGroupHasItAndComesBackAsAnother() throws IOException {
        begin("r1", "r2", "r3");
        admit("r3", 3, 1);
        assertThat(remove("r3", 1)).isEqualTo(CHANGED);
        assertThat(remove("r3", 1)).as("asked again").isEqualTo(CHANGED);
        assertRoster(2, "r1", "r2");
        assertThat(control.member("r3").getLeaving()).isTrue();
        assertThat(admit("r3", 3, 1)).as("restarted while it leaves").isEqualTo(ADMITTED);
        assertThat(admit("r3", 5, 0)).isEqualTo(AdmitDiskResponse.Verdict.NOT_A_MEMBER);
        assertThat(add("r3", 2)).isEqualTo(ChangeRosterResponse.Verdict.BUSY);
        assertThat(replace("r3", 1, 3).getVerdict())
                .isEqualTo(ReplaceMemberResponse.Verdict.UNKNOWN_MEMBER);
        settle("r3", 1);
        assertThat(control.member("r3").getLeaving()).as("another sort of settling").isTrue();
        left("r3", 1);
        assertThat(control.member("r3").getLeaving()).isFalse();
        assertThat(control.member("r3").getLostList()).containsExactly(disk(3));
        left("r3", 2);
        assertThat(control.member("r3").getNumber()).isEqualTo(2);
        assertThat(admit("r3", 3, 1)).isEqualTo(OTHER);
        assertThat(admit("r3", 5, 0)).isEqualTo(AdmitDiskResponse.Verdict.NOT_A_MEMBER);
        assertThat(add("r3", 2)).isEqualTo(CHANGED);
        assertThat(admit("r3", 3, 0)).as("the disk of before").isEqualTo(OTHER);
        assertThat(admit("r3", 5, 0)).isEqualTo(ADMITTED);
        assertThat(control.member("r3").getNumber()).isEqualTo(2);
        assertThat(remove("r3", 1)).as("a late copy").isEqualTo(OTHER_VERSION);
        assertRoster(3, "r1", "r2", "r3");
    }

    /** A group may have begun with it, and have no majority before it was there once. */
    @Test
    void whoIsRemovedBeforeItEverRanMayStillCome() throws IOException {
        begin("r1");
        assertThat(add("r2", 1)).isEqualTo(CHANGED);
        assertThat(remove("r2", 2)).isEqualTo(CHANGED);
        assertThat(control.member("r2").getLeaving()).isTrue();
        assertThat(admit("r2", 4, 0)).isEqualTo(ADMITTED);
        assertThat(control.member("r2").getNumber()).isEqualTo(2);
        assertThat(admit("r2", 5, 0)).isEqualTo(AdmitDiskResponse.Verdict.NOT_A_MEMBER);
        left("r2", 2);
        assertThat(admit("r2", 6, 0)).isEqualTo(AdmitDiskResponse.Verdict.NOT_A_MEMBER);
    }

    /** A group of two has no majority without one of them, not even to be rid of it. */
    @Test
    void whoIsNeededByGroupsThatBeganWithItIsNotRemovedBeforeItCame() throws IOException {
        begin("r1");
        assertThat(add("r2", 1)).isEqualTo(CHANGED);
        open("ads", new UUID(1, 1));
        ChangeRosterResponse early = change(ChangeRosterRequest.Change.REMOVE, "r2", 2);
        assertThat(early.getVerdict()).isEqualTo(BUSY);
        assertThat(early.getOthersList()).containsExactly("r2");
        assertThat(admit("r2", 4, 0)).isEqualTo(ADMITTED);
        assertThat(remove("r2", 2)).as("in no group yet").isEqualTo(BUSY);
        settle("r2", 2);
        assertThat(remove("r2", 2)).as("it is there").isEqualTo(CHANGED);
    }

    @Test
    void aPipelineThatIsDroppedIsNoGroupThatBeganSince() throws IOException {
        begin("r1");
        open("ads", new UUID(1, 1));
        open("books", new UUID(1, 2));
        assertThat(add("r2", 1)).isEqualTo(CHANGED);
        apply(
                ControlEntries.dropPipeline(
                        DropPipelineRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(new UUID(1, 2)))
                                .build()));
        assertThat(remove("r2", 2)).isEqualTo(CHANGED);
    }

    @Test
    void oneAfterTheOtherButWhoComesMayBeRemovedAgain() throws IOException {
        begin("r1", "r2", "r3");
        add("r4", 1);
        ChangeRosterResponse second = change(ChangeRosterRequest.Change.ADD, "r5", 2);
        assertThat(second.getVerdict()).isEqualTo(ChangeRosterResponse.Verdict.BUSY);
        assertThat(second.getOthersList()).containsExactly("r4");
        assertThat(remove("r1", 2)).isEqualTo(ChangeRosterResponse.Verdict.BUSY);
        assertThat(remove("r4", 2)).isEqualTo(CHANGED);
        left("r4", 2);
        assertThat(admit("r4", 4, 0)).isEqualTo(AdmitDiskResponse.Verdict.NOT_A_MEMBER);
        assertThat(control.member("r4").getNumber()).isEqualTo(3);
        assertThat(replace("r2", 1, 3).getVerdict()).isEqualTo(AWAITED);
        assertThat(add("r5", 3)).as("r2 is being replaced").isEqualTo(BUSY);
        assertThat(remove("r2", 3)).as("it need not come").isEqualTo(CHANGED);
        left("r2", 2);
        assertThat(remove("r3", 4)).isEqualTo(CHANGED);
        left("r3", 1);
        assertThat(remove("r1", 5)).isEqualTo(ChangeRosterResponse.Verdict.LAST);
        assertRoster(5, "r1");
    }

    @Test
    void halfIsCountedByTheRosterAndNotByWhatAServerIsConfiguredWith() throws IOException {
        begin("r1", "r2", "r3");
        assertThat(replace("r1", 1, 5).getVerdict()).isEqualTo(AWAITED);
        assertThat(replace("r2", 1, 5).getVerdict())
                .isEqualTo(ReplaceMemberResponse.Verdict.TOO_MANY);
        assertThat(replace("r9", 1, 5).getVerdict())
                .isEqualTo(ReplaceMemberResponse.Verdict.UNKNOWN_MEMBER);
    }

    @Test
    void aGroupBeganWithTheServersOfWhenItWasDecided() throws IOException {
        UUID p = new UUID(1, 1);
        UUID q = new UUID(1, 2);
        UUID r = new UUID(1, 3);
        open("o", new UUID(1, 9));
        begin("r1", "r2", "r3");
        open("p", p);
        add("r4", 1);
        open("q", q);
        admit("r4", 4, 0);
        settle("r4", 2);
        remove("r1", 2);
        open("r", r);
        for (int round = 0; round < 2; round++) {
            assertThat(control.initialServers(shard(new UUID(1, 9), 1)))
                    .containsExactly("r1", "r2", "r3");
            assertThat(control.initialServers(shard(p, 1))).containsExactly("r1", "r2", "r3");
            assertThat(control.initialServers(shard(q, 1))).containsExactly("r1", "r2", "r3", "r4");
            assertThat(control.initialServers(shard(r, 1))).containsExactly("r2", "r3", "r4");
            assertThat(control.initialNumber("r4", shard(q, 1))).isEqualTo(2);
            assertThat(control.initialNumber("r4", shard(r, 1))).isEqualTo(2);
            assertThat(control.initialNumber("r1", shard(q, 1))).isEqualTo(1);
            MemorySnapshot snapshot = MemorySnapshot.of(control, null);
            ControlState restored = new ControlState();
            restored.restore(snapshot);
            assertThat(restored.roster()).isEqualTo(control.roster());
            control = restored;
        }
    }

    @Test
    void aFeatureLevelIsWrittenWhenEveryServerHasToldThatItUnderstandsIt() throws IOException {
        begin("r1", "r2", "r3");
        admit("r1", 1, 1, 2);
        admit("r2", 2, 1, 3);
        assertThat(control.featureLevel()).as("the third has told nothing").isEqualTo(1);
        admit("r3", 3, 1, 2);
        assertThat(control.featureLevel()).isEqualTo(2);
        admit("r1", 1, 1, 3);
        admit("r3", 3, 1, 3);
        assertThat(control.featureLevel()).isEqualTo(3);
        MemorySnapshot snapshot = MemorySnapshot.of(control, null);
        control = new ControlState();
        control.restore(snapshot);
        assertThat(control.featureLevel()).isEqualTo(3);
    }

    private FinalizeUpgradeResponse finalizeUpgrade(int level) throws IOException {
        return FinalizeUpgradeResponse.parseFrom(
                apply(
                        ControlEntries.finalizeUpgrade(
                                FinalizeUpgradeRequest.newBuilder()
                                        .setFeatureLevel(level)
                                        .build())));
    }

    /** All three tell it, on the disks that they have. */
    private void allUnderstand(int level) throws IOException {
        for (int n = 1; n <= 3; n++) {
            assertThat(admit("r" + n, n, 1, level)).isEqualTo(ADMITTED);
        }
    }

    @Test
    void beyondTheThirdLevelAnOperatorRaisesItAndUntilThenAllMayGoBack() throws IOException {
        begin("r1", "r2", "r3");
        allUnderstand(2);
        assertThat(finalizeUpgrade(2).getVerdict())
                .isEqualTo(FinalizeUpgradeResponse.Verdict.RAISED_BY_ITSELF);
        allUnderstand(4);
        assertThat(control.featureLevel()).isEqualTo(3);
        allUnderstand(3);
        admit("r1", 1, 1, 4);
        admit("r2", 2, 1, 4);
        FinalizeUpgradeResponse early = finalizeUpgrade(4);
        assertThat(early.getVerdict()).isEqualTo(FinalizeUpgradeResponse.Verdict.HELD_BACK);
        assertThat(early.getBehindList()).containsExactly("r3");
        assertThat(early.getFeatureLevel()).isEqualTo(3);
        assertThat(control.featureLevel()).isEqualTo(3);
        admit("r3", 3, 1, 4);
        assertThat(control.featureLevel()).as("nobody has finalized it").isEqualTo(3);
        FinalizeUpgradeResponse done = finalizeUpgrade(4);
        assertThat(done.getVerdict()).isEqualTo(FinalizeUpgradeResponse.Verdict.FINALIZED);
        assertThat(done.getFeatureLevel()).isEqualTo(4);
        MemorySnapshot snapshot = MemorySnapshot.of(control, null);
        control = new ControlState();
        control.restore(snapshot);
        assertThat(control.featureLevel()).isEqualTo(4);
        assertThat(finalizeUpgrade(3).getFeatureLevel()).as("a late copy").isEqualTo(4);
        assertThat(admit("r1", 1, 1, 3)).isEqualTo(AdmitDiskResponse.Verdict.FEATURE_LEVEL_TOO_LOW);
    }

    @Test
    void aNewRegistryBeginsWithWhatAllOfItsServersUnderstand() throws IOException {
        begin("r1", "r2", "r3");
        allUnderstand(5);
        assertThat(control.featureLevel()).isEqualTo(5);
    }

    @Test
    void whoUnderstandsLessThanIsWrittenIsNotLetIn() throws IOException {
        begin("r1", "r2", "r3");
        for (int n = 1; n <= 3; n++) {
            admit("r" + n, n, 1, 2);
        }
        assertThat(admit("r2", 2, 1, 1))
                .as("an older version on its own disk")
                .isEqualTo(AdmitDiskResponse.Verdict.FEATURE_LEVEL_TOO_LOW);
        assertThat(control.member("r2").getFeatureLevel()).isEqualTo(2);
        replace("r2", 1, 3);
        assertThat(admit("r2", 5, 0, 1))
                .as("and on a blank one")
                .isEqualTo(AdmitDiskResponse.Verdict.FEATURE_LEVEL_TOO_LOW);
        assertThat(control.member("r2").getDisk()).isEqualTo(ByteString.EMPTY);
        assertThat(admit("r2", 5, 0, 2)).isEqualTo(ADMITTED);
    }

    @Test
    void aServerThatIsAwaitedOrAddedHoldsTheLevelAndOneThatIsRemovedDoesNot() throws IOException {
        begin("r1", "r2", "r3", "r4");
        admit("r1", 1, 1, 2);
        admit("r2", 2, 1, 3);
        admit("r3", 3, 1, 3);
        admit("r4", 4, 1, 1);
        assertThat(remove("r4", 1)).isEqualTo(CHANGED);
        assertThat(control.featureLevel()).isEqualTo(2);
        replace("r2", 1, 3);
        admit("r1", 1, 1, 3);
        assertThat(control.featureLevel()).as("nobody knows what comes in r2's place").isEqualTo(2);
        admit("r2", 5, 0, 3);
        assertThat(control.featureLevel()).isEqualTo(3);
    }
}
