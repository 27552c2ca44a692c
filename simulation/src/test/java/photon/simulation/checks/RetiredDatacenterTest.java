package photon.simulation.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.storage.journal.OpenJournal;

/** What the checkers expect of a datacenter that takes part no more. */
final class RetiredDatacenterTest {
    private static final List<String> WEST = List.of("west");

    private static List<String> found(List<InvariantViolation> violations) {
        return violations.stream().map(InvariantViolation::toString).toList();
    }

    @Test
    void whatOnlyARetiredDatacenterReadNeedNotBeJoined() throws IOException {
        FinishedWorld world = FinishedWorld.notJoining(one -> one.datacenters().equals(WEST));
        assertThat(world.checkers.mayBeDone()).isFalse();
        assertThat(found(world.checkers.quiet()))
                .anyMatch(text -> text.contains("expected to be published, but are not"));

        world.checkers.retired("west");
        assertThat(world.checkers.mayBeDone()).isTrue();
        assertThat(found(world.checkers.quiet())).isEmpty();
    }

    @Test
    void whatAnotherReadMustBeJoined() throws IOException {
        FinishedWorld world = FinishedWorld.notJoining(one -> one.datacenters().size() == 2);
        world.checkers.retired("west");
        assertThat(world.checkers.mayBeDone()).isFalse();
        assertThat(found(world.checkers.quiet()))
                .anyMatch(text -> text.contains("expected to be published, but are not"));
    }

    @Test
    void nobodyReadsTheRepairRowsOfARetiredDatacenter() throws IOException {
        ForeignIdentity one =
                new FinishedWorld()
                        .truth.identities().stream()
                                .filter(identity -> identity.fate() == Fate.JOINABLE)
                                .filter(identity -> identity.datacenters().size() == 2)
                                .findFirst()
                                .orElseThrow();
        FinishedWorld world = FinishedWorld.notJoining(one::equals);
        CommitToken lost = CommitToken.of(world.incarnation(world.west()), 99);
        for (DatacenterFiles datacenter : world.datacenters) {
            world.removeRow(datacenter, one.id());
        }
        world.inJournal(
                world.west(),
                (OpenJournal journal) -> journal.put(FinishedWorld.row(world.event(one), lost)));
        assertThat(found(world.checkers.onKill())).isEmpty();

        world.checkers.retired("west");
        assertThat(found(world.checkers.onKill()))
                .anyMatch(text -> text.contains("the checkpoint of east has passed 1 events"));
    }
}
