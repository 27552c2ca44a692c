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

    private static Optional<GroupChange> change(
            List<Member> members, Function<String, MemberDisk> disks, String... roster) {
        return GroupChange.of(members, disks, List.of(roster));
    }

    private static Member well(String peer) {
        return new Member(peer, 3, 100);
    }

    private static Member silent(String peer) {
        return new Member(peer, 3, GroupChange.SILENT_MAX_MILLIS + 1);
    }

    @Test
    void nothingIsDoneWhereNothingDiffers() {
        assertThat(change(List.of(well("r0"), well("r1"), well("r2")), known())).isEmpty();
        assertThat(
                        change(
                                List.of(well("r0"), well("r1#2"), well("r2")),
                                known(disk("r1", 2, true))))
                .isEmpty();
    }

    @Test
    void oneThatDoesNotComeKeepsNobodyElse() {
        assertThat(
                        GroupChange.all(
                                List.of(
                                        well("r0"),
                                        silent("r1"),
                                        well("r2"),
                                        silent("r3"),
                                        well("r4")),
                                known(disk("r1", 2, true), disk("r3", 2, true)),
                                List.of()))
                .extracting(GroupChange::text)
                .containsExactly("r1#2 is to come", "r3#2 is to come");
    }

    @Test
    void aLostDiskStaysAMemberUntilTheOneThatComesIsThere() {
        assertThat(
                        change(
                                List.of(well("r0"), silent("r1"), well("r2")),
                                known(disk("r1", 2, false))))
                .isEmpty();
    }

    @Test
    void theNewDiskComesAndThenTheLostOneGoes() {
        Function<String, MemberDisk> lost = known(disk("r1", 4, true));
        assertThat(change(List.of(well("r0"), silent("r1#2"), well("r2")), lost, "r0", "r1", "r2"))
                .contains(
                        new GroupChange(Optional.empty(), Optional.of(new PeerName("r1", 4)), ""));
        List<Member> both = List.of(well("r0"), silent("r1#2"), well("r1#4"), well("r2"));
        assertThat(change(both, lost, "r0", "r1", "r2"))
                .contains(new GroupChange(Optional.of("r1#2"), Optional.empty(), ""));
        List<Member> done = List.of(well("r0"), well("r1#4"), well("r2"));
        assertThat(change(done, lost, "r0", "r1", "r2")).isEmpty();
    }

    @Test
    void theLostOneStaysUntilTheNewOneFollows() {
        List<Member> both = List.of(well("r0"), silent("r1"), silent("r1#2"), well("r2"));
        GroupChange change = change(both, known(disk("r1", 2, true))).orElseThrow();
        assertThat(change.out()).contains("r1");
        assertThat(change.trouble()).isEqualTo("r1#2 is a member and does not follow yet");
    }

    @Test
    void aDiskThatWasLostBeforeItFollowedGoesToo() {
        // r1 was lost, then r1#2 when it was just a member; the third comes, then both go in turn.
        Function<String, MemberDisk> third = known(disk("r1", 3, true));
        List<Member> four =
                List.of(well("r0"), silent("r1"), silent("r1#2"), well("r2"), well("r3"));
        assertThat(change(four, third))
                .contains(
                        new GroupChange(Optional.empty(), Optional.of(new PeerName("r1", 3)), ""));
        List<Member> five =
                List.of(
                        well("r0"),
                        silent("r1"),
                        silent("r1#2"),
                        well("r1#3"),
                        well("r2"),
                        well("r3"));
        assertThat(change(five, third)).flatMap(GroupChange::out).contains("r1");
        assertThat(
                        change(
                                List.of(
                                        well("r0"),
                                        silent("r1#2"),
                                        well("r1#3"),
                                        well("r2"),
                                        well("r3")),
                                third))
                .flatMap(GroupChange::out)
                .contains("r1#2");
    }

    @Test
    void oneAfterTheOther() {
        assertThat(
                        change(
                                List.of(
                                        silent("r4"),
                                        silent("r1"),
                                        well("r0"),
                                        well("r2"),
                                        well("r3")),
                                known(disk("r4", 2, true), disk("r1", 2, true))))
                .flatMap(GroupChange::in)
                .contains(new PeerName("r1", 2));
    }

    @Test
    void notWithoutAMajorityThatIsThereAndUpToDate() {
        Function<String, MemberDisk> lost = known(disk("r1", 2, true));
        Optional<GroupChange> change =
                change(List.of(well("r0"), silent("r1"), silent("r2")), lost);
        assertThat(change.orElseThrow().trouble())
                .isEqualTo(
                        "of its 3 members only [r0] are there and up to date without r1: 2 are needed");
        Member behind = new Member("r2", GroupChange.LAG_MAX + 1, 1);
        Member unknown = new Member("r2", -1, -1);
        for (Member other : List.of(behind, unknown)) {
            assertThat(
                            change(List.of(well("r0"), silent("r1"), other), lost)
                                    .orElseThrow()
                                    .trouble())
                    .isNotEmpty();
        }
        // The lost one is not counted, however well it looks.
        assertThat(GroupChange.unsafe(List.of(well("r0"), well("r1"), silent("r2")), "r1"))
                .isNotEmpty();
        assertThat(GroupChange.unsafe(List.of(well("r0")), "r0")).isNotEmpty();
    }

    private static MemberDisk joining(String name, boolean there) {
        return disk(name, 2, there).toBuilder().setJoining(true).build();
    }

    private static MemberDisk leaving(String name, int number) {
        return disk(name, number, true).toBuilder().setLeaving(true).build();
    }

    @Test
    void whoWasAddedComesWhenItsDiskIsThere() {
        List<Member> three = List.of(well("r0"), well("r1"), well("r2"));
        assertThat(change(three, known(joining("r3", false)), "r0", "r1", "r2", "r3")).isEmpty();
        assertThat(change(three, known(joining("r3", true)), "r0", "r1", "r2", "r3"))
                .contains(
                        new GroupChange(Optional.empty(), Optional.of(new PeerName("r3", 2)), ""));
        assertThat(
                        change(
                                List.of(well("r0"), well("r1"), well("r2"), well("r3#2")),
                                known(joining("r3", true)),
                                "r0",
                                "r1",
                                "r2",
                                "r3"))
                .isEmpty();
        assertThat(
                        change(
                                        List.of(well("r0"), silent("r1"), silent("r2")),
                                        known(joining("r3", true)),
                                        "r0",
                                        "r1",
                                        "r2",
                                        "r3")
                                .orElseThrow()
                                .trouble())
                .isEqualTo("of its 3 members only [r0] are there and up to date: 2 are needed");
    }

    @Test
    void whoWasRemovedGoes() {
        List<Member> three = List.of(well("r0"), well("r1"), silent("r2"));
        assertThat(change(three, known(leaving("r2", 1)), "r0", "r1"))
                .contains(new GroupChange(Optional.of("r2"), Optional.empty(), ""));
        assertThat(change(three, known(disk("r2", 2, false)), "r0", "r1"))
                .as("it was taken for gone, and came back by a leader that was behind")
                .contains(new GroupChange(Optional.of("r2"), Optional.empty(), ""));
        assertThat(change(List.of(well("r0"), well("r1")), known(leaving("r2", 1)), "r0", "r1"))
                .isEmpty();
    }

    @Test
    void whoIsRemovedIsNotReplacedFirst() {
        // The new disk may have died before it came.
        assertThat(
                        change(
                                List.of(well("r0"), well("r1"), silent("r2")),
                                known(leaving("r2", 2)),
                                "r0",
                                "r1"))
                .contains(new GroupChange(Optional.of("r2"), Optional.empty(), ""));
    }

    @Test
    void aReplicaThatIsBehindUndoesNothing() {
        // It knows neither that r3 was added, nor that r2 is a member again.
        List<Member> members = List.of(well("r0"), well("r1"), well("r2#2"), well("r3#2"));
        assertThat(change(members, known(), "r0", "r1", "r2")).isEmpty();
        assertThat(change(members, known(disk("r2", 2, false)), "r0", "r1")).isEmpty();
        assertThat(change(members, known(leaving("r2", 1)), "r0", "r1")).isEmpty();
        assertThat(change(List.of(well("r0"), well("r1")), known(), "r0", "r1", "r2")).isEmpty();
        assertThat(change(members, known(), new String[0])).isEmpty();
    }

    @Test
    void nobodyGoesWithoutWhomTheOthersAreNoMajority() {
        Member r0 = well("r0");
        assertThat(GroupChange.unsafeWithout(List.of(r0, well("r1"), well("r2")), "r2")).isEmpty();
        assertThat(GroupChange.unsafeWithout(List.of(r0, well("r1"), silent("r2")), "r2"))
                .isEmpty();
        assertThat(GroupChange.unsafeWithout(List.of(r0, silent("r1"), well("r2")), "r2"))
                .isEqualTo(
                        "of its 3 members only [r0] are there and up to date without r2: 2 are needed");
        assertThat(GroupChange.unsafeWithout(List.of(r0, well("r1")), "r1")).isEmpty();
        assertThat(GroupChange.unsafeWithout(List.of(r0, silent("r1")), "r1"))
                .as("both must confirm that one goes")
                .isEqualTo("of its 2 members only [r0] are there and up to date: 2 are needed");
        assertThat(GroupChange.unsafeWithout(List.of(r0), "r0")).isNotEmpty();
        List<Member> four = List.of(r0, well("r1"), silent("r2"), silent("r3"));
        assertThat(GroupChange.unsafeWithout(four, "r3")).isNotEmpty();
    }
}
