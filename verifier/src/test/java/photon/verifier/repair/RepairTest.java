package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.verifier.repair.RepairWorld.DEAD;
import static photon.verifier.repair.RepairWorld.LIVE;
import static photon.verifier.repair.RepairWorld.id;
import static photon.verifier.repair.RepairWorld.token;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.crash.CrashPoint;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient.IncarnationState;
import photon.storage.ledger.LedgerEntry;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointHistory;
import photon.storage.tail.FilePosition;
import photon.verifier.runs.IdRuns;

final class RepairTest {
    /** Small pages and chunks, so that few events go through all of them. */
    static final RepairLimits SMALL =
            new RepairLimits(
                    3,
                    4,
                    5,
                    Duration.ofMillis(100),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(3),
                    10,
                    2,
                    1 << 20,
                    Duration.ofMillis(100),
                    Duration.ofSeconds(1),
                    3,
                    2,
                    3,
                    new IdRuns.Limits(2, 2));

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

    @Test
    void theRegistryIsToldInWhichStateTheRowsAre() {
        world.lost(1);
        repair();
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(world.registry.rowsIn).contains(FakeRegistry.STATE);
    }

    @Test
    void anIncarnationThatHadLostNothingNamesNoState() {
        world.published(1);
        repair();
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(world.registry.rowsIn).isEmpty();
    }

    /** The first rows are on a lost disk: only when all are in one state is that state named. */
    @Test
    void rowsThatWentToTwoStatesAreHandedOverOnceMore() {
        for (int n = 1; n <= 6; n++) {
            world.lost(n);
        }
        UUID next = new UUID(8, 8);
        world.stateLostAfterRows(2, next);
        repair();
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(world.registry.rowsIn).contains(next);
        assertThat(world.journal).hasSize(6);
        assertThat(status.alarms()).isEmpty();
    }

    @Test
    void rowsInAStateThatIsNotRegisteredRepairNothing() {
        world.lost(1);
        world.registry.registered = Optional.of(new UUID(8, 8));
        repair();
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.OPEN);
        assertThat(world.registry.refusedMarks).isPositive();
        world.state = new UUID(8, 8);
        world.loop.advance(Duration.ofSeconds(10));
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
    }

    /**
     * Its rows were in a lost state; one was finished, one was not, the boundary passed a third.
     */
    @Test
    void aReopenedIncarnationIsRepairedOnceMore() {
        EventId finished = world.lost(1);
        EventId waiting = world.lost(2);
        EventId passed = world.lost(0);
        repair();
        assertThat(world.journalIds()).containsExactlyInAnyOrder(finished, waiting, passed);
        world.journal.clear();
        world.registry.hold(finished, token(500, LIVE));
        world.output.publish(finished, token(500, LIVE), 1);
        world.registry.boundaryMicros = waiting.micros();
        world.registry.hold(finished, token(500, LIVE));
        world.registry.reopen(DEAD, FakeRegistry.STATE, 1);
        world.state = new UUID(8, 8);
        world.registry.registered = Optional.of(world.state);

        world.loop.advance(Duration.ofSeconds(10));

        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(world.journalIds()).containsExactly(waiting);
        assertThat(world.registry.rowsIn).contains(world.state);
        assertThat(world.ledger)
                .extracting(LedgerEntry::id)
                .contains(passed)
                .doesNotContain(waiting);
        assertThat(world.ledger)
                .filteredOn(entry -> passed.equals(entry.id()))
                .singleElement()
                .satisfies(
                        entry -> {
                            assertThat(entry.reason()).isEqualTo(IncarnationRepair.TOO_OLD);
                            assertThat(entry.content()).contains(token(0, DEAD).toString());
                        });
    }

    /** Its disk may be lost: then nobody knows what it had read. */
    @Test
    void whileTheRegisteredStateIsNotInSightNothingIsWrittenOff() {
        world.registry.hold(id(2), token(2, DEAD)); // in no log
        world.checkpoint = null;
        repair();
        world.loop.advance(RepairWorld.GIVE_UP_AFTER.multipliedBy(3));
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.OPEN);

        UUID another = new UUID(8, 8);
        world.registry.registered = Optional.of(another);
        world.state = another;
        world.checkpoint = new Checkpoint(1, List.of());
        world.loop.advance(RepairWorld.GIVE_UP_AFTER.multipliedBy(3));
        assertThat(world.ledger).extracting(LedgerEntry::id).containsExactly(id(2));
    }

    /** A file that it had read may be away, and the new state has never met it. */
    @Test
    void whatIsNotFoundAfterAStateWasLostIsNotWrittenOff() {
        world.lost(1);
        EventId away = id(2);
        repair();
        world.registry.hold(away, token(2, DEAD)); // in no log
        world.registry.reopen(DEAD, FakeRegistry.STATE, 5_000_000);

        world.loop.advance(RepairWorld.GIVE_UP_AFTER.multipliedBy(3));

        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.OPEN);
        assertThat(world.ledger).isEmpty();
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
            while (world.stateOf(DEAD) != IncarnationState.REPAIRED) {
                world.loop.advance(Duration.ofMillis(100));
            }
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
        assertThat(status.failing()).isZero();
        assertThat(status.troubled())
                .containsExactly(new TroubledRepair(DEAD, true, status.alarms().get(0)));
        assertThat(status.idle()).as("nothing is left that can be done").isTrue();
    }

    @Test
    void aPublishedFileWithEventsOlderThanTheRetentionIsNotMissed() {
        world.published(1);
        world.output.breakFiles(DEAD, "1-1-1.jsonl is missing");
        world.retention = Optional.of(Duration.ofSeconds(1));
        EventId lost = world.lost(2);
        repair();
        assertThat(status.alarms()).isEmpty();
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
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
        assertThat(status.troubled()).isEmpty();
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
        world.logs.hideForPolls(3);
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

    /** So many records of each of the three logs were done when this was written. */
    private List<CheckpointHistory> reached(long atMillis, int records) {
        List<FilePosition> positions = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            positions.add(world.logs.position("log-" + i, records));
        }
        return List.of(
                CheckpointHistory.EMPTY.with(new CheckpointHistory.Entry(atMillis, positions)));
    }

    private EventId lostAt(int n, long second) {
        EventId id = new EventId(second * 1_000_000, n, 7, 1);
        world.registry.hold(id, token(n, DEAD));
        world.logs.append("log-" + n % 3, id);
        return id;
    }

    @Test
    void readingBeginsAtTheCheckpointOfBeforeTheOldestLostEvent() {
        for (int n = 1; n <= 300; n++) {
            world.held(n, LIVE);
        }
        Set<EventId> lost = Set.of(lostAt(1, 1_000), lostAt(2, 1_100));
        world.history = reached(900_000, 100);
        repair();
        assertThat(world.journalIds()).isEqualTo(lost);
        assertThat(world.logs.opened()).isEqualTo(1);
        assertThat(world.logs.openedLater()).isEqualTo(1);
        assertThat(world.logs.polled()).isLessThan(5);
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
    }

    /** Clocks may be wrong: the checkpoint had passed the event although it is of before. */
    @Test
    void whatIsNotFoundFromThereIsLookedForEverywhereBeforeItIsWrittenOff() {
        EventId early = lostAt(1, 1_000);
        for (int n = 1; n <= 300; n++) {
            world.held(n, LIVE);
        }
        EventId late = lostAt(3, 1_100);
        EventId inNoLog = new EventId(1_050_000_000L, 9, 9, 9);
        world.registry.hold(inNoLog, token(9, DEAD));
        world.history = reached(900_000, 90);
        repair();
        assertThat(world.journalIds()).isEqualTo(Set.of(early, late));
        assertThat(world.logs.opened()).isEqualTo(2);
        assertThat(world.logs.openedLater()).isEqualTo(1);
        assertThat(world.ledger).extracting(LedgerEntry::id).containsExactly(inNoLog);
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
    }

    @Test
    void aCheckpointThatIsNoOlderThanTheOldestIsNotUsed() {
        EventId lost = lostAt(1, 1_000);
        world.history = reached(1_000_000 - ReadingStart.SLACK_MILLIS + 1, 1);
        repair();
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(world.logs.openedLater()).isZero();
    }

    @Test
    void anIdThatTwoFilesHaveIsAnAlarm() {
        EventId id = world.published(1);
        world.output.publish(id, token(2, DEAD), 1);
        repair();
        assertThat(status.alarms()).singleElement().asString().contains(id.toString());
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.OPEN);
        assertThat(world.journal).isEmpty();
    }

    @Test
    void aLedgerThatFailsForOneRepairIsNotTakenForDurableByAnother() {
        world.registry.hold(id(30), token(30, DEAD));
        world.anotherFailsNext = true;
        repair();
        assertThat(world.anotherFailsNext).isFalse();
        assertThat(world.ledger).extracting(LedgerEntry::id).containsExactly(id(30));
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
    }

    /** Its disk, its scratch; nothing is concluded from what could not be compared. */
    @Test
    void aFullDiskOnlyDelaysTheRepair() throws IOException {
        Set<EventId> lost = new HashSet<>();
        for (int n = 1; n <= 30; n++) {
            world.published(n);
            lost.add(world.lost(n + 100));
        }
        world.files.setCapacityBytes(100);
        repair();
        assertThat(world.journal).isEmpty();
        assertThat(status.alarms()).singleElement().asString().contains("has failed", "1-1");
        assertThat(world.files.list("/scratch")).isEmpty();
        world.files.setCapacityBytes(Long.MAX_VALUE);
        world.loop.advance(Duration.ofSeconds(10));
        assertThat(world.journalIds()).isEqualTo(lost);
        assertThat(world.stateOf(DEAD)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(world.files.list("/scratch")).isEmpty();
    }

    @Test
    void aFewIncarnationsAreRepairedAtOnceAndAllInTheEnd() {
        world.registry.fencesHang = true;
        List<Incarnation> dead = new ArrayList<>();
        for (int slot = 2; slot <= 7; slot++) {
            Incarnation incarnation = new Incarnation(slot, 1);
            dead.add(incarnation);
            world.registry.add(incarnation, "east/joiner-" + slot, true, "out-1");
            world.held(slot, incarnation);
        }
        world.start(SMALL, changed -> status = changed);
        world.loop.advance(Duration.ofSeconds(3));
        assertThat(world.registry.fences).as("begun").isEqualTo(SMALL.repairsAtOnce());
        assertThat(status.pending()).isEqualTo(7);
        assertThat(status.idle()).isFalse();
        world.registry.fencesHang = false;
        world.restart();
        repair();
        dead.forEach(one -> assertThat(world.stateOf(one)).isEqualTo(IncarnationState.REPAIRED));
        assertThat(world.journal).hasSize(6);
        assertThat(status.idle()).isTrue();
    }

    /** One whose fence takes long: what dies later is found and repaired beside it. */
    @Test
    void aSlowRepairDoesNotHoldUpOneThatIsNeededLater() {
        world.lost(1);
        world.registry.fencesHang = true;
        world.start(SMALL, changed -> status = changed);
        world.loop.advance(Duration.ofSeconds(3));
        world.registry.fencesHang = false;
        Incarnation later = new Incarnation(2, 1);
        world.registry.add(later, "east/joiner-2", true, "out-1");
        EventId lost = world.held(5, later);
        world.loop.advance(Duration.ofSeconds(3));
        assertThat(world.stateOf(later)).isEqualTo(IncarnationState.REPAIRED);
        assertThat(world.journalIds()).containsExactly(lost);
        assertThat(status.pending()).isEqualTo(1);
        assertThat(status.idle()).isFalse();
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
                .anyMatch(
                        s ->
                                s.stopped() == 1
                                        && s.failing() == 1
                                        && !s.troubled().get(0).stopped()
                                        && s.alarms().toString().contains("disk away"));
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
