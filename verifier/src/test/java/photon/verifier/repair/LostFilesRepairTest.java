package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.verifier.repair.RepairWorld.DEAD;
import static photon.verifier.repair.RepairWorld.LIVE;
import static photon.verifier.repair.RepairWorld.id;
import static photon.verifier.repair.RepairWorld.token;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.EventId;
import photon.registry.api.ControlClient.IncarnationState;
import photon.storage.files.MemoryFileStore;
import photon.storage.ledger.LedgerEntry;

/**
 * What a person has decided of a repair: that a published file is lost, or that nothing is left.
 */
final class LostFilesRepairTest {
    private RepairWorld world = aWorld();
    private RepairStatus status = RepairStatus.NOTHING_KNOWN;

    @BeforeEach
    void anew() {
        world = aWorld();
    }

    private static RepairWorld aWorld() {
        RepairWorld world = new RepairWorld();
        world.registry.add(DEAD, "east/joiner-0", true, "out-1");
        world.registry.add(LIVE, "east/joiner-0", false, "out-1");
        return world;
    }

    private void repair() {
        world.start(RepairLimits.DEFAULTS, changed -> status = changed);
        world.loop.advance(Duration.ofSeconds(10));
    }

    @Test
    void whatALostFileHeldIsJoinedAgainAndNothingElse() {
        EventId lost = world.published(1);
        world.published(2);
        world.output.declareLost(DEAD, 0);
        repair();
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(world.ledger).isEmpty();
    }

    @Test
    void oneThatIsRepairedAlreadyIsRepairedOnceMore() {
        EventId lost = world.published(1);
        world.published(2);
        repair();
        assertThat(world.journal).isEmpty();
        world.output.declareLost(DEAD, 0);
        world.registry.reopen(DEAD, null, 0);
        world.loop.advance(Duration.ofSeconds(10));
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);

        world.processRows();
        world.registry.reopen(DEAD, null, 0);
        world.loop.advance(Duration.ofSeconds(10));
        assertThat(world.journalIds()).as("joined since").isEmpty();
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
    }

    @Test
    void whatTheBoundaryHasPassedOfALostFileIsInTheLedger() {
        EventId passed = world.published(1);
        EventId back = world.published(2);
        world.output.declareLost(DEAD, 0);
        world.output.declareLost(DEAD, 0);
        world.registry.boundaryMicros = back.micros();
        repair();
        assertThat(world.journalIds()).containsExactly(back);
        assertThat(world.ledger)
                .singleElement()
                .satisfies(
                        entry -> {
                            assertThat(entry.id()).isEqualTo(passed);
                            assertThat(entry.reason())
                                    .isEqualTo(IncarnationRepair.FILE_LOST_TOO_OLD);
                        });
    }

    @Test
    void aLostFileThatIsBackStopsTheRepair() {
        world.published(1);
        world.output.declareLost(DEAD, 0);
        world.output.addLostStranger(DEAD + "-000001.jsonl");
        repair();
        assertThat(world.journal).isEmpty();
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.OPEN);
        assertThat(status.alarms()).singleElement().asString().contains("was declared lost");
    }

    @Test
    void aCrashAtAnyStepBringsEachEventBackOnce() {
        int deaths = 0;
        for (int dieAt = 1; ; dieAt++) {
            world = aWorld();
            Set<EventId> lost = new HashSet<>();
            for (int n = 1; n <= 4; n++) {
                lost.add(world.published(n));
            }
            EventId kept = world.published(5);
            for (int n = 1; n <= 4; n++) {
                world.output.declareLost(DEAD, 0);
            }
            boolean died = false;
            world.dieAt = world.effects + dieAt;
            try {
                repair();
            } catch (RepairWorld.Died e) {
                died = true;
            }
            world.restart();
            world.processRows();
            repair();
            world.processRows();
            Set<EventId> again = new HashSet<>();
            world.manifests(LIVE)
                    .forEach(
                            manifest ->
                                    manifest.entries()
                                            .forEach(
                                                    entry ->
                                                            assertThat(again.add(entry.id()))
                                                                    .isTrue()));
            assertThat(again).as("died at %s", dieAt).isEqualTo(lost).doesNotContain(kept);
            assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
            if (!died) {
                break;
            }
            deaths++;
        }
        assertThat(deaths).isGreaterThan(10);
    }

    @Test
    void aRepairThatWaitsStartsOverWhenItsIncarnationIsReopened() {
        EventId lost = world.published(1);
        EventId inNoLog = id(2);
        world.registry.hold(inNoLog, token(2, DEAD));
        world.checkpoint = null;
        repair();
        assertThat(status.waiting()).hasSize(1);
        world.output.declareLost(DEAD, 0);
        world.registry.reopen(DEAD, null, 0);
        world.loop.advance(Duration.ofSeconds(10));
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(status.waiting()).as("for the other").hasSize(1);
    }

    @Test
    void aRepairThatWaitsForEverIsGivenUpByAPerson() {
        EventId inNoLog = id(2);
        world.registry.hold(inNoLog, token(2, DEAD));
        EventId lost = world.lost(3);
        world.checkpoint = null; // never in sight
        repair();
        world.loop.advance(RepairWorld.GIVE_UP_AFTER.multipliedBy(5));
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.OPEN);
        assertThat(world.ledger).isEmpty();

        world.orders.put(DEAD + ".0", "written off by ann: the disk burned");
        world.loop.advance(Duration.ofMinutes(2));
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(world.ledger)
                .singleElement()
                .satisfies(
                        entry -> {
                            assertThat(entry.kind()).isEqualTo(LedgerEntry.Kind.OUTCOME_LOST);
                            assertThat(entry.id()).isEqualTo(inNoLog);
                            assertThat(entry.reason())
                                    .isEqualTo("written off by ann: the disk burned");
                        });

        assertThat(world.orders).as("a restored registry reopens without counting").isEmpty();

        world.orders.put(DEAD + ".0", "written off by ann: the disk burned");
        world.registry.reopen(DEAD, null, 0);
        world.loop.advance(Duration.ofMinutes(10));
        assertThat(world.stateOf(DEAD))
                .as("the order was for the repair before")
                .isEqualTo(IncarnationState.OPEN);
    }

    @Test
    void anOrderIsGivenOnceAndKeepsItsWords() throws IOException {
        MemoryFileStore files = new MemoryFileStore();
        files.createDirectories("/verifier");
        WriteOffOrders orders = new WriteOffOrders(files, "/verifier");
        assertThat(orders.read(DEAD, 0)).isEmpty();
        WriteOffOrders.Order first = new WriteOffOrders.Order("burned", "ann@host", 5);
        assertThat(orders.give(DEAD, 0, first)).isTrue();
        assertThat(orders.give(DEAD, 0, new WriteOffOrders.Order("other", "bob", 6))).isFalse();
        files.crash();
        assertThat(new WriteOffOrders(files, "/verifier").read(DEAD, 0)).contains(first);
        assertThat(orders.reason(DEAD, 0))
                .contains("lost by a crash, written off by ann@host: burned");
        assertThat(orders.reason(DEAD, 1)).isEmpty();
    }
}
