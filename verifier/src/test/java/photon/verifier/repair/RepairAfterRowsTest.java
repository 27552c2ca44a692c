package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.verifier.repair.RepairWorld.DEAD;
import static photon.verifier.repair.RepairWorld.LIVE;
import static photon.verifier.repair.RepairWorld.token;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.EventId;
import photon.registry.api.ControlClient.IncarnationState;

/** Repairs of an incarnation that had repair rows before, some of which have removed ids. */
final class RepairAfterRowsTest {
    private final RepairWorld world = new RepairWorld();

    @BeforeEach
    void twoIncarnations() {
        world.registry.add(DEAD, "east/joiner-0", true, "out-1");
        world.registry.add(LIVE, "east/joiner-0", false, "out-1");
    }

    private void repair() {
        world.start(RepairTest.SMALL, changed -> {});
        world.loop.advance(Duration.ofSeconds(10));
    }

    /** The new state may have dropped it, told by a replica that did not know of the removal. */
    @Test
    void whatARowOfALostStateHadRemovedIsHandedOverOnceMore() {
        EventId removed = world.lost(1);
        EventId joined = world.lost(2);
        repair();
        world.registry.held.remove(removed);
        world.registry.hold(joined, token(500, LIVE));
        world.journal.clear();
        world.registry.reopen(DEAD, FakeRegistry.STATE, 1);
        world.state = new UUID(8, 8);
        world.registry.registered = Optional.of(world.state);

        world.loop.advance(Duration.ofSeconds(10));

        assertThat(world.journal)
                .containsOnlyKeys(new RepairWorld.JournalKey(removed, token(1, DEAD)));
        assertThat(world.registry.rowsIn).contains(world.state);
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(world.ledger).isEmpty();
    }

    /** The state is lost before the incarnation is repaired: nobody reopens it. */
    @Test
    void aRepairThatStartsOverHandsOverWhatTheRowsOfAnEarlierAttemptHadRemoved() {
        EventId removed = world.lost(1);
        EventId lost = world.held(2, DEAD);
        world.registry.marksHang = true;
        repair();
        assertThat(world.journalIds()).containsExactlyInAnyOrder(removed, lost);
        world.registry.held.remove(removed);
        world.journal.clear();
        world.state = new UUID(8, 8);
        world.registry.registered = Optional.of(world.state);
        world.restart();
        world.registry.marksHang = false;

        repair();

        assertThat(world.journalIds()).containsExactlyInAnyOrder(removed, lost);
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
    }

    /** Only so is it reopened if that state is lost later. */
    @Test
    void theRegistryIsToldInWhichStateTheRowsOfAnEarlierAttemptAre() {
        EventId removed = world.lost(1);
        world.registry.marksHang = true;
        repair();
        world.registry.held.remove(removed); // and its row is on its way
        world.restart();
        world.registry.marksHang = false;

        repair();

        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(world.registry.rowsIn).contains(FakeRegistry.STATE);
    }

    @Test
    void removedEventsOfAnEarlierAttemptGoThroughInBoundedChunks() {
        for (int n = 1; n <= 20; n++) {
            world.lost(n);
        }
        world.registry.marksHang = true;
        repair();
        Set<EventId> lost = world.journalIds();
        assertThat(lost).hasSize(20);
        world.registry.held.clear();
        world.journal.clear();
        world.restart();
        world.registry.marksHang = false;

        repair();

        assertThat(world.journalIds()).isEqualTo(lost);
        assertThat(world.registry.askedAtOnce).isLessThanOrEqualTo(RepairTest.SMALL.scanPage());
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
    }
}
