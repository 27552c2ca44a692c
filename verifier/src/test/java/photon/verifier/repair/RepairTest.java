package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.verifier.repair.RepairWorld.DEAD;
import static photon.verifier.repair.RepairWorld.LIVE;
import static photon.verifier.repair.RepairWorld.id;
import static photon.verifier.repair.RepairWorld.token;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.crash.CrashPoint;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient.IncarnationState;
import photon.storage.ledger.LedgerEntry;

final class RepairTest {
    /** Small pages and chunks, so that few events go through all of them. */
    private static final RepairLimits SMALL =
            new RepairLimits(
                    3,
                    4,
                    5,
                    2,
                    Duration.ofMillis(100),
                    10,
                    2,
                    1 << 20,
                    Duration.ofMillis(100),
                    Duration.ofSeconds(1),
                    3);

    private RepairWorld world = new RepairWorld();
    private RepairStatus status = RepairStatus.NOTHING_KNOWN;

    @BeforeEach
    void twoIncarnations() {
        world = aWorld();
    }

    private static RepairWorld aWorld() {
        RepairWorld world = new RepairWorld();
        world.registry.add(DEAD, "east/joiner-0", true, "out-1");
        world.registry.add(LIVE, "east/joiner-0", false, "out-1");
        world.held(900, LIVE);
        return world;
    }

    private void repair() {
        world.start(SMALL, changed -> status = changed);
        world.loop.advance(Duration.ofSeconds(10));
    }

    @Test
    void whatWasLostIsHandedOverWithTheTokenThatHoldsIt() {
        world.published(1);
        world.flushed(2);
        EventId lost = world.lost(3);
        repair();
        assertThat(world.journal.keySet())
                .containsExactly(new RepairWorld.JournalKey(lost, token(3, DEAD)));
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(world.passed).contains(CrashPoint.REPAIRING);
        assertThat(status.repairedEvents()).isEqualTo(1);
        assertThat(world.tally).containsEntry(DEAD, 1L);
    }

    @Test
    void nothingIsEverRemovedHere() {
        EventId lost = world.lost(3);
        repair();
        assertThat(world.registry.held).containsEntry(lost, token(3, DEAD));
    }

    @Test
    void theLiveTheCleanTheRepairedAndOtherDatacentersAreLeftAlone() {
        world.registry.put(DEAD, "east/joiner-0", IncarnationState.CLEAN, true, "out-1");
        Incarnation repaired = new Incarnation(2, 1);
        world.registry.put(repaired, "east/joiner-1", IncarnationState.REPAIRED, true, "out-1");
        Incarnation west = new Incarnation(3, 1);
        world.registry.add(west, "west/joiner-0", true, "out-2");
        Incarnation eastern = new Incarnation(4, 1);
        world.registry.add(eastern, "eastern/joiner-0", true, "out-3");
        repair();
        assertThat(world.registry.scans).isZero();
        assertThat(world.output.incarnations()).isEmpty();
        assertThat(world.stateOf(LIVE)).isEqualTo(IncarnationState.OPEN);
        assertThat(world.stateOf(west)).isEqualTo(IncarnationState.OPEN);
        assertThat(status.idle()).isTrue();
        assertThat(status.pending()).isZero();
    }

    @Test
    void manyLostEventsGoThroughInBoundedChunksAndRequests() {
        Set<EventId> lost = new HashSet<>();
        for (int n = 1; n <= 40; n++) {
            if (n % 3 == 0) {
                world.published(n);
            } else {
                lost.add(world.lost(n));
            }
        }
        repair();
        assertThat(world.journalIds()).isEqualTo(lost);
        assertThat(world.requestSizes).allMatch(rows -> rows <= SMALL.rowsPerRequest());
        assertThat(world.logs.opened()).as("passes over the logs").isGreaterThan(3);
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
    }

    /** The claim of the whole module. The world checks it each time an incarnation is marked. */
    @Test
    void aCrashAtAnyStepOnlyRepeatsTheRepair() {
        int deaths = 0;
        for (int dieAt = 1; ; dieAt++) {
            world = aWorld();
            Set<EventId> lost = new HashSet<>();
            world.published(1);
            world.flushed(2);
            for (int n = 3; n < 9; n++) {
                lost.add(world.lost(n));
            }
            world.registry.hold(id(20), token(20, DEAD)); // in no log
            boolean died = repairUntilDeath(dieAt);
            world.restart();
            boolean processedBetween = dieAt % 2 == 0;
            if (died && processedBetween) {
                world.processRows();
            }
            Set<EventId> joinedBetween = processedBetween ? publishedBy(LIVE) : Set.of();
            repair();
            Set<EventId> settled = new HashSet<>(world.journalIds());
            settled.addAll(joinedBetween);
            assertThat(settled).as("died at %s", dieAt).isEqualTo(lost);
            assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
            assertThat(world.ledger)
                    .as("once an id and process, died at %s", dieAt)
                    .extracting(LedgerEntry::id)
                    .containsOnly(id(20))
                    .hasSizeBetween(1, 2);
            world.processRows();
            assertThat(publishedBy(LIVE)).isEqualTo(lost);
            if (!died) {
                break;
            }
            deaths++;
        }
        assertThat(deaths).isGreaterThan(40);
    }

    private boolean repairUntilDeath(int dieAt) {
        world.dieAt = world.effects + dieAt;
        try {
            world.start(SMALL, changed -> {});
            world.loop.advance(Duration.ofMillis(900)); // within the first look
            return false;
        } catch (RepairWorld.Died died) {
            return true;
        }
    }

    private Set<EventId> publishedBy(Incarnation incarnation) {
        Set<EventId> ids = new HashSet<>();
        world.manifests(incarnation)
                .forEach(
                        manifest ->
                                manifest.entries()
                                        .forEach(
                                                entry ->
                                                        assertThat(ids.add(entry.id()))
                                                                .as("once")
                                                                .isTrue()));
        return ids;
    }

    @Test
    void aPublishedFileThatNoManifestKnowsStopsTheRepair() {
        world.published(1);
        world.held(2, DEAD); // published, in a file whose manifest somebody has deleted
        world.output.addStranger("1-1-000002.jsonl");
        world.output.addStranger("1-10-000001.jsonl");
        repair();
        assertThat(world.journal).isEmpty();
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.OPEN);
        assertThat(status.stopped()).isEqualTo(1);
        assertThat(status.alarms()).hasSize(1);
        assertThat(status.alarms().get(0)).contains("1-1-000002.jsonl", "no manifest knows it");
    }

    @Test
    void twoThatRepairAtOnceAreHarmless() {
        Set<EventId> lost = new HashSet<>();
        for (int n = 1; n < 12; n++) {
            lost.add(world.lost(n));
        }
        world.start(SMALL, changed -> {});
        repair();
        assertThat(world.journalIds()).isEqualTo(lost);
        assertThat(world.journal).hasSameSizeAs(lost);
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
        world.processRows();
        assertThat(publishedBy(LIVE)).isEqualTo(lost);
    }

    @Test
    void beforeTheFenceIsAppliedEverywhereNothingHappens() {
        world.lost(1);
        world.registry.fencesHang = true;
        repair();
        assertThat(world.output.isSealed(DEAD)).isFalse();
        assertThat(world.registry.scans).isZero();
        assertThat(status.idle()).isFalse();
        assertThat(status.pending()).isEqualTo(1);
    }

    @Test
    void anotherOutputDirectoryStopsTheRepairAndBothAreNamed() {
        world.lost(1);
        world.registry.add(DEAD, "east/joiner-0", true, "out-of-before");
        repair();
        assertThat(status.alarms())
                .singleElement()
                .asString()
                .contains("out-of-before", "out-1", "1-1");
        assertThat(world.output.isSealed(DEAD)).isFalse();
        assertThat(world.journal).isEmpty();
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.OPEN);
    }

    @Test
    void aPublishedFileThatIsMissingStopsItsIncarnationAndNoOther() {
        world.published(1);
        world.output.breakFiles(DEAD, "1-1-1.jsonl is missing");
        Incarnation other = new Incarnation(2, 4);
        world.registry.add(other, "east/joiner-1", true, "out-1");
        EventId lost = world.held(5, other);
        repair();
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.OPEN);
        assertThat(world.stateOf(other)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(status.alarms()).singleElement().asString().contains("1-1-1.jsonl is missing");
        assertThat(status.stopped()).isEqualTo(1);
        assertThat(status.idle()).as("nothing is left that can be done").isTrue();
    }

    @Test
    void theRepairGoesOnWhenAPersonHasBroughtTheFileBack() {
        world.published(1);
        EventId lost = world.lost(2);
        world.output.breakFiles(DEAD, "missing");
        repair();
        world.output.mendFiles(DEAD);
        world.loop.advance(Duration.ofMinutes(2));
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(status.alarms()).isEmpty();
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
    }

    @Test
    void anIdPublishedWithAnotherTokenThanTheHoldersIsAnAlarmAndNotLost() {
        EventId id = world.lost(1);
        world.output.publish(id, token(77, DEAD), 1);
        repair();
        assertThat(world.journal).isEmpty();
        assertThat(status.alarms()).singleElement().asString().contains(id.toString(), "1-1-77");
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.OPEN);
    }

    @Test
    void whileTheDispatcherIsAwayTheRowsAreAskedAgain() {
        EventId lost = world.lost(1);
        world.requestsBroken = 5;
        repair();
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
    }

    @Test
    void anAnswerThatWasLostDoublesNothing() {
        for (int n = 1; n < 6; n++) {
            world.lost(n);
        }
        world.requestsBroken = 3;
        world.brokenAfterwards = true;
        repair();
        assertThat(world.journal).hasSize(5);
        assertThat(status.repairedEvents()).isEqualTo(5);
    }

    @Test
    void aLogThatIsAwayForAMomentLosesNothing() {
        EventId lost = world.lost(1);
        world.logs.hideForPasses(1);
        repair();
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(world.ledger).isEmpty();
    }

    @Test
    void whileALogCannotBeReadNothingIsWrittenOff() {
        EventId lost = world.lost(1);
        world.logs.breakFile("log-1");
        repair();
        assertThat(world.ledger).isEmpty();
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.OPEN);
        assertThat(status.alarms()).singleElement().asString().contains("log-1", "1 lost events");
        world.logs.mendFile("log-1");
        world.loop.advance(Duration.ofMinutes(1));
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
    }

    @Test
    void aLogThatCannotBeReadIsNoMatterWhenAllIsFoundElsewhere() {
        EventId lost = world.lost(1);
        world.logs.append("log-9", lost);
        world.logs.breakFile("log-1");
        repair();
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
    }

    @Test
    void manifestsThatCannotBeReadMakeNothingLost() {
        world.published(1);
        world.output.breakManifests(DEAD);
        repair();
        assertThat(world.registry.scans).isZero();
        assertThat(world.journal).isEmpty();
        assertThat(status.alarms()).singleElement().asString().contains("manifest 2 is gone");
    }

    @Test
    void whatCannotBeReadAgainStaysHeldAndIsWrittenDown() {
        EventId lost = world.lost(2);
        EventId inNoLog = id(30);
        world.registry.hold(inNoLog, token(30, DEAD));
        // It stands still at the oldest that is held.
        world.registry.boundaryMicros = lost.micros();
        repair();
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(world.ledger)
                .extracting(LedgerEntry::id, LedgerEntry::kind, LedgerEntry::reason)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple(
                                inNoLog,
                                LedgerEntry.Kind.OUTCOME_LOST,
                                IncarnationRepair.NOT_IN_LOGS));
        assertThat(world.registry.held).containsKeys(inNoLog);
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(status.outcomesLost()).isEqualTo(1);
    }

    @Test
    void readingStopsWhenAllIsFound() {
        world.lost(3);
        for (int n = 0; n < 1_000; n++) {
            world.logs.append("zz-later", new EventId(1, n, n, n));
        }
        repair();
        assertThat(world.logs.polled()).isLessThan(5);
    }

    @Test
    void aTroubleOfTheFilesIsTriedAgainAndAfterAWhileIsAnAlarm() {
        EventId lost = world.lost(1);
        world.output.failSeals(4);
        List<RepairStatus> heard = new ArrayList<>();
        world.start(
                SMALL,
                changed -> {
                    status = changed;
                    heard.add(changed);
                });
        world.loop.advance(Duration.ofSeconds(30));
        assertThat(heard).anyMatch(s -> s.pending() == 1 && s.alarms().isEmpty());
        assertThat(heard)
                .anyMatch(s -> s.stopped() == 1 && s.alarms().toString().contains("disk away"));
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(status.alarms()).isEmpty();
        assertThat(status.idle()).isTrue();
    }

    @Test
    void aRegistryThatDoesNotListIsAskedAgain() {
        EventId lost = world.lost(1);
        world.registry.listsFail = 3;
        repair();
        assertThat(world.journalIds()).containsExactly(lost);
    }

    @Test
    void oneThatDiesLaterIsFoundAndWakingMakesTheStatusNotIdle() {
        RepairLoop repair = world.start(SMALL, changed -> status = changed);
        world.loop.advance(Duration.ofSeconds(3));
        assertThat(status.idle()).isTrue();
        long looks = status.fullLooks();
        EventId lost = world.lost(1);
        world.registry.add(DEAD, "east/joiner-0", true, "out-1");
        repair.wake();
        assertThat(status.idle()).isFalse();
        world.loop.runUntilIdle();
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(status.idle()).isTrue();
        assertThat(status.fullLooks()).isGreaterThan(looks);
    }

    @Test
    void afterCloseNothingHappensAnyMore() {
        world.lost(1);
        RepairLoop repair = world.start(SMALL, changed -> status = changed);
        repair.close();
        repair.close();
        world.loop.advance(Duration.ofMinutes(1));
        assertThat(world.journal).isEmpty();
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.OPEN);
    }

    /** It has scanned one that is no more, and may have been told less than this one holds. */
    @Test
    void aRepairThatTheRegistryWasRestoredUnderBeginsAnew() {
        EventId held = world.lost(5);
        world.registry.life = 1_000;
        world.registry.lifeAfterScan = 2_000;
        repair();
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(world.registry.repairedIn).isEqualTo(2_000);
        assertThat(world.registry.refusedMarks).isEqualTo(1);
        assertThat(world.registry.held).containsKey(held);
    }
}
