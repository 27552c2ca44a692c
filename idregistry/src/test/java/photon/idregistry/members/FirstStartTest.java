package photon.idregistry.members;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.idregistry.members.FirstStart.Step.ASK;
import static photon.idregistry.members.FirstStart.Step.ASK_CONTROL;
import static photon.idregistry.members.FirstStart.Step.BEGIN;
import static photon.idregistry.members.FirstStart.Step.CLEAR;
import static photon.proto.v1.DiskState.DISK_BLANK;
import static photon.proto.v1.DiskState.DISK_CLEARED;
import static photon.proto.v1.DiskState.DISK_STARTED;

import java.util.List;
import org.junit.jupiter.api.Test;
import photon.proto.v1.DiskState;
import photon.proto.v1.IntroduceResponse;

class FirstStartTest {
    private static final List<String> SERVERS = List.of("r0", "r1", "r2");

    private final FirstStart start = new FirstStart("r1", SERVERS, false);

    private static IntroduceResponse says(String name, DiskState state) {
        return IntroduceResponse.newBuilder()
                .setName(name)
                .setState(state)
                .addAllServers(SERVERS)
                .build();
    }

    @Test
    void beginsOnceAllHaveNeverBegunAndAllMay() {
        assertThat(start.next()).isEqualTo(ASK);
        start.heard("r0", says("r0", DISK_BLANK));
        assertThat(start.next()).isEqualTo(ASK);
        start.heard("r2", says("r2", DISK_CLEARED));
        assertThat(start.next()).isEqualTo(CLEAR);
        start.cleared();
        assertThat(start.next()).isEqualTo(ASK);
        assertThat(start.waitsFor()).containsExactly("r0 (is not ready yet)");
        start.heard("r0", says("r0", DISK_CLEARED));
        assertThat(start.next()).isEqualTo(BEGIN);
    }

    @Test
    void doesNotBeginBesideTwoThatAreBlankWhileTheThirdIsSilent() {
        FirstStart five = new FirstStart("r1", List.of("r0", "r1", "r2", "r3", "r4"), false);
        for (String blank : List.of("r0", "r2", "r3")) {
            five.heard(
                    blank,
                    says(blank, DISK_BLANK).toBuilder()
                            .clearServers()
                            .addAllServers(List.of("r4", "r3", "r2", "r1", "r0"))
                            .build());
        }
        five.silent("r4", "does not answer");
        assertThat(five.next()).isEqualTo(ASK);
        assertThat(five.waitsFor()).containsExactly("r4 (does not answer)");
    }

    @Test
    void onceARegistryIsThereOnlyItsControlGroupLetsABlankDiskIn() {
        start.heard("r0", says("r0", DISK_STARTED));
        assertThat(start.next()).isEqualTo(ASK_CONTROL);
        start.heard("r2", says("r2", DISK_BLANK));
        assertThat(start.next()).isEqualTo(ASK_CONTROL);
    }

    @Test
    void whoHadNotBegunWhenItWasAskedMayHaveBegunSince() {
        start.heard("r0", says("r0", DISK_CLEARED));
        start.heard("r2", says("r2", DISK_BLANK));
        start.cleared();
        // They begin when this one may, and this one comes after.
        start.heard("r0", says("r0", DISK_STARTED));
        assertThat(start.next()).isEqualTo(BEGIN);
    }

    @Test
    void oneThatMayBeginNeedsNoMajorityToDoSo() {
        FirstStart again = new FirstStart("r1", SERVERS, true);
        assertThat(again.next()).isEqualTo(ASK);
        again.heard("r2", says("r2", DISK_STARTED));
        assertThat(again.next()).isEqualTo(BEGIN);
    }

    @Test
    void anotherListOfServersCountsForNothing() {
        start.heard("r0", says("r0", DISK_BLANK));
        start.heard("r2", says("r2", DISK_BLANK).toBuilder().addServers("r3").build());
        assertThat(start.next()).isEqualTo(ASK);
        assertThat(start.waitsFor())
                .containsExactly("r2 (its configuration lists the servers [r0, r1, r2, r3])");
        start.heard("r2", says("r0", DISK_BLANK));
        assertThat(start.waitsFor()).containsExactly("r2 ('r0' answers at its address)");
        start.heard("r2", says("r2", DISK_BLANK));
        assertThat(start.next()).isEqualTo(CLEAR);
    }

    @Test
    void aRegistryThatIsThereIsNotFormedAnewWhateverItsServersAreConfiguredWith() {
        IntroduceResponse begun = says("r0", DISK_STARTED).toBuilder().addServers("r3").build();
        start.heard("r0", begun);
        assertThat(start.next()).isEqualTo(ASK_CONTROL);
        // One that may begin does so with those that are configured as it is.
        FirstStart cleared = new FirstStart("r1", SERVERS, true);
        cleared.heard("r0", begun);
        assertThat(cleared.next()).isEqualTo(ASK);
        // Another registry's server, at a wrong address.
        FirstStart third = new FirstStart("r1", SERVERS, false);
        third.heard("r2", says("r0", DISK_STARTED));
        assertThat(third.next()).isEqualTo(ASK);
    }
}
