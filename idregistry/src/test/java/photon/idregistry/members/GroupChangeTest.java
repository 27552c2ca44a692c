package photon.idregistry.members;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import photon.idregistry.members.GroupChange.Member;
import photon.proto.v1.MemberDisk;

class GroupChangeTest {
    private static final ByteString DISK = ByteString.copyFrom(new byte[16]);

    private static MemberDisk disk(String name, int number, boolean there) {
        return MemberDisk.newBuilder()
                .setName(name)
                .setNumber(number)
                .setDisk(there ? DISK : ByteString.EMPTY)
                .build();
    }

    private static Function<String, MemberDisk> known(MemberDisk... disks) {
        Map<String, MemberDisk> byName =
                java.util.Arrays.stream(disks)
                        .collect(java.util.stream.Collectors.toMap(MemberDisk::getName, d -> d));
        return name -> byName.getOrDefault(name, disk(name, 1, true));
    }

    private static Member well(String peer) {
        return new Member(peer, 3, 100);
    }

    private static Member silent(String peer) {
        return new Member(peer, 3, GroupChange.SILENT_MAX_MILLIS + 1);
    }

    @Test
    void nothingIsDoneWhereNothingDiffers() {
        assertThat(GroupChange.of(List.of(well("r0"), well("r1"), well("r2")), known())).isEmpty();
        assertThat(
                        GroupChange.of(
                                List.of(well("r0"), well("r1#2"), well("r2")),
                                known(disk("r1", 2, true))))
                .isEmpty();
    }

    @Test
    void aLostDiskStaysAMemberUntilTheOneThatComesIsThere() {
        assertThat(
                        GroupChange.of(
                                List.of(well("r0"), silent("r1"), well("r2")),
                                known(disk("r1", 2, false))))
                .isEmpty();
    }

    @Test
    void theNewDiskTakesTheLostOnesPlace() {
        assertThat(
                        GroupChange.of(
                                List.of(well("r0"), silent("r1#2"), well("r2")),
                                known(disk("r1", 4, true))))
                .contains(new GroupChange("r1#2", new PeerName("r1", 4), ""));
    }

    @Test
    void oneAfterTheOther() {
        assertThat(
                        GroupChange.of(
                                List.of(
                                        silent("r4"),
                                        silent("r1"),
                                        well("r0"),
                                        well("r2"),
                                        well("r3")),
                                known(disk("r4", 2, true), disk("r1", 2, true))))
                .map(GroupChange::out)
                .contains("r1");
    }

    @Test
    void notWithoutAMajorityThatIsThereAndUpToDate() {
        Function<String, MemberDisk> lost = known(disk("r1", 2, true));
        Optional<GroupChange> change =
                GroupChange.of(List.of(well("r0"), silent("r1"), silent("r2")), lost);
        assertThat(change.orElseThrow().trouble())
                .isEqualTo(
                        "of its 3 members only [r0] are there and up to date without r1: 2 are needed");
        Member behind = new Member("r2", GroupChange.LAG_MAX + 1, 1);
        Member unknown = new Member("r2", -1, -1);
        for (Member other : List.of(behind, unknown)) {
            assertThat(
                            GroupChange.of(List.of(well("r0"), silent("r1"), other), lost)
                                    .orElseThrow()
                                    .trouble())
                    .isNotEmpty();
        }
        // The lost one is not counted, however well it looks.
        assertThat(GroupChange.unsafe(List.of(well("r0"), well("r1"), silent("r2")), "r1"))
                .isNotEmpty();
        assertThat(GroupChange.unsafe(List.of(well("r0")), "r0")).isNotEmpty();
    }
}
