package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.dispatcher.rules.FrontierGate;
import photon.dispatcher.rules.RetryPolicy;
import photon.dispatcher.rules.Stagger;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinResult.Status;
import photon.storage.files.MemoryFileStore;
import photon.storage.journal.JournalRow;
import photon.storage.ledger.LedgerEntry;
import photon.storage.tail.LogOutage;

class FlowTest {
    private World world;

    @BeforeEach
    void make() throws IOException {
        world = new World(7);
    }

    static LogEvent event(String id) {
        ByteString key = ByteString.copyFromUtf8(id);
        return new LogEvent(
                new EventId(1, 2, id.hashCode(), -1), key, id, key, id, ByteString.EMPTY);
    }

    private void repair(String id, CommitToken lostToken) {
        boolean[] durable = {false};
        world.flow.addRepairRows(
                List.of(new RepairRow(event(id), lostToken)), () -> durable[0] = true);
        world.loop.runUntilIdle();
        assertThat(durable[0]).isTrue();
    }

    @Test
    void everyEventIsJoinedAndTheOffsetPassesIt() throws IOException {
        List<String> ids = world.click("a", 500);
        world.advance(3_000);
        assertThat(world.joiner.joined).containsAll(ids);
        assertThat(world.joiner.received).hasSize(500);
        assertThat(world.checkpoint().get("/logs/a.jsonl"))
                .isEqualTo(world.endOf("/logs/a.jsonl", 499));
        assertThat(world.status().caughtUp()).isTrue();
        assertThat(world.status().inFlight()).isZero();
        assertThat(world.status().joined()).isEqualTo(500);
        assertThat(world.status().eventsRead()).isEqualTo(500);
    }

    @Test
    void itKnowsSinceWhenTheLogsCannotBeRead() throws IOException {
        world.advance(60_000);
        assertThat(world.flow.health().readingNanos()).as("idle").isEmpty();
        assertThat(world.status().caughtUp()).isTrue();
        world.files.setHook(
                (operation, path) -> {
                    if (operation == MemoryFileStore.Operation.LIST) {
                        throw new IOException("no such host");
                    }
                });
        long before = world.loop.nanoTime();
        world.advance(30_000);
        assertThat(world.flow.health().readingNanos().orElseThrow())
                .isBetween(before, before + 1_000_000_000L);
        assertThat(world.flow.health().trouble()).contains("no such host");
        assertThat(world.status().caughtUp()).isFalse();
        world.files.setHook((operation, path) -> {});
        world.advance(LogOutage.RETRY_MAX.toMillis() + 1_000);
        assertThat(world.status().caughtUp()).isTrue();
        assertThat(world.flow.health().readingNanos()).isEmpty();
        assertThat(world.flow.health().trouble()).isEmpty();
    }

    @Test
    void aRestartGoesOnWhereItWas() throws IOException {
        world.click("a", 20);
        world.advance(1_000);
        world.stop();
        world.start();
        List<String> more = world.click("b", 20);
        world.advance(1_000);
        assertThat(world.joiner.received)
                .extracting(item -> FakeJoiner.event(item).idText())
                .containsExactlyInAnyOrderElementsOf(more);
    }

    @Test
    void recordsWithoutAnIdentityGoToTheLedgerAndFilteredOnesNowhere() throws IOException {
        try (World.Log log = world.log("a")) {
            log.line("{\"type\":\"view\",\"id\":\"x\"}");
            log.line("{\"type\":\"click\",\"t\":5,\"of\":\"p\"}");
            log.line("not json");
            log.click();
        }
        world.advance(2_000);
        assertThat(world.entries())
                .extracting(LedgerEntry::kind)
                .containsExactly(LedgerEntry.Kind.BAD_RECORD, LedgerEntry.Kind.BAD_RECORD);
        assertThat(world.entries().get(0).file()).isEqualTo("/logs/a.jsonl");
        assertThat(world.entries().get(0).offset()).isEqualTo(25);
        assertThat(world.status().badRecords()).isEqualTo(2);
        assertThat(world.joiner.joined).hasSize(1);
        assertThat(world.checkpoint().get("/logs/a.jsonl"))
                .isEqualTo(world.endOf("/logs/a.jsonl", 0));
    }

    @Test
    void anEventThatWaitsForItsPrimaryIsARowUntilItIsJoined() throws IOException {
        boolean[] primaryIsThere = {false};
        world.joiner.answers =
                item -> primaryIsThere[0] ? Status.JOINED : Status.WAITING_FOR_PRIMARY;
        List<String> ids = world.click("a", 30);
        world.advance(60_000);
        assertThat(world.rows()).hasSize(30);
        assertThat(world.rows())
                .allSatisfy(row -> assertThat(row.attempts()).as("no error").isZero());
        assertThat(world.status().waitingRows()).isEqualTo(30);
        assertThat(world.checkpoint().get("/logs/a.jsonl")).isGreaterThan(0);
        primaryIsThere[0] = true;
        world.advance(3_000);
        assertThat(world.joiner.joined).containsAll(ids);
        assertThat(world.rows()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"WAITING_FOR_PRIMARY", "ID_IN_FUTURE", "RETRY_EVENT", "RETRY_ALL"})
    void aClockThatRanAheadForAWhileLeavesNoRowWaiting(Status answer) throws IOException {
        world.limits = World.limits(1_000, 64, 1_000_000);
        world.start();
        world.joiner.answers = item -> answer;
        List<String> ids = world.click("a", 20);
        repair("lost", new CommitToken(3, 4, 5));
        world.advance(1_000);
        world.wallOffMillis = 3_600_000;
        world.advance(20_000);
        assertThat(world.rows()).isNotEmpty();
        world.wallOffMillis = 0;
        world.joiner.answers = item -> Status.JOINED;
        world.advance(10_000);
        assertThat(world.joiner.joined).containsAll(ids).contains("lost");
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600_000, -3_600_000})
    void aLifeWhoseClockWasWrongLeavesTheNextOneNoRowWaiting(long offMillis) throws IOException {
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        world.wallOffMillis = Math.max(0, offMillis);
        world.start();
        List<String> ids = world.click("a", 20);
        world.advance(20_000);
        assertThat(world.rows()).hasSize(20);
        world.stop();
        world.wallOffMillis = Math.min(0, offMillis);
        world.start();
        world.joiner.answers = item -> Status.JOINED;
        world.advance(5_000);
        assertThat(world.joiner.joined).containsAll(ids);
        assertThat(world.rows()).isEmpty();
    }

    @Test
    void anEventsOwnTroubleEndsInTheDeadLettersAfterItsRetries() throws IOException {
        world.joiner.answers = item -> Status.RETRY_EVENT;
        world.click("a", 1);
        world.advance(60_000);
        assertThat(world.joiner.received).hasSize(1 + world.limits.retriesMax());
        assertThat(world.entries())
                .singleElement()
                .satisfies(
                        entry -> {
                            assertThat(entry.kind()).isEqualTo(LedgerEntry.Kind.DEAD_LETTER);
                            assertThat(entry.content()).contains("\"click\"");
                        });
        assertThat(world.rows()).isEmpty();
    }

    @Test
    void aTroubleOfEverybodysSlowsTheSenderAndCountsAgainstNobody() throws IOException {
        world.joiner.answers = item -> Status.RETRY_ALL;
        List<String> ids = world.click("a", 40);
        world.advance(60_000);
        assertThat(world.joiner.received.size()).as("not one retry loop each").isLessThan(40 * 60);
        assertThat(world.entries()).isEmpty();
        assertThat(world.rows()).allSatisfy(row -> assertThat(row.attempts()).isZero());
        world.joiner.answers = item -> Status.JOINED;
        world.advance(20_000);
        assertThat(world.joiner.joined).containsAll(ids);
    }

    @Test
    void whatTheRegistryKnowsIsNotSent() throws IOException {
        world.click("a", 10);
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        world.advance(1_000);
        assertThat(world.rows()).hasSize(10);
        world.rows().forEach(row -> world.registry.known.add(row.key().id()));
        int sent = world.joiner.received.size();
        world.advance(10_000);
        assertThat(world.joiner.received).hasSizeLessThanOrEqualTo(sent + 10);
        assertThat(world.rows()).isEmpty();
        assertThat(world.status().alreadyJoined()).isEqualTo(10);
    }

    @Test
    void withoutAnAnswerFromTheRegistryEventsGoOn() throws IOException {
        world.registry.available = false;
        List<String> ids = world.click("a", 10);
        world.advance(1_000);
        assertThat(world.joiner.joined).containsAll(ids);
    }

    @Test
    void aLookupThatFailsInAnUnknownWayIsABugAndNoSilence() throws IOException {
        world.registry.bug = true;
        world.click("a", 1);
        assertThatThrownBy(() -> world.advance(1_000)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void largeEventsAreReadNoFasterThanTheyGoOn() throws IOException {
        world.joiner.answers = item -> Status.RETRY_ALL;
        try (World.Log log = world.log("a")) {
            String filling = "x".repeat(200 << 10);
            for (int i = 0; i < 80; i++) {
                log.line(
                        "{\"type\":\"click\",\"id\":\"c%d\",\"of\":\"p\",\"t\":5,\"f\":\"%s\"}"
                                .formatted(i, filling));
            }
        }
        world.advance(1_000);
        assertThat(world.status().eventsRead()).isBetween(8L, 60L);
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        world.advance(20_000);
        assertThat(world.status().eventsRead()).isEqualTo(80);
        // Rows that are taken back are bounded in the same way.
        world.joiner.answers = item -> Status.RETRY_ALL;
        world.advance(1_000);
        assertThat(world.status().processingRows()).isBetween(1, 60);
        world.joiner.answers = item -> Status.JOINED;
        world.advance(60_000);
        assertThat(world.joiner.joined).hasSize(80);
    }

    @Test
    void anEventAheadOfTimeWaitsAndIsNothingUnsettled() throws IOException {
        world.joiner.answers = item -> Status.ID_IN_FUTURE;
        world.click("a", 3);
        world.advance(3_000);
        assertThat(world.rows()).hasSize(3);
        assertThat(world.status().unsettled()).isZero();
        world.joiner.answers = item -> Status.JOINED;
        world.advance(5_000);
        assertThat(world.joiner.joined).hasSize(3);
    }

    @Test
    void aRepairRowIsDurableBeforeTheAnswerAndSentWithoutALookup() throws IOException {
        CommitToken lost = new CommitToken(3, 4, 5);
        world.registry.known.add(event("lost").id());
        world.joiner.answers = item -> Status.RETRY_EVENT;
        repair("lost", lost);
        repair("lost", lost);
        world.files.crashLosingAllUnsynced();
        assertThat(world.rows())
                .extracting(JournalRow::key)
                .containsExactly(new JournalRow.Key(event("lost").id(), lost));
        world.joiner.answers = item -> Status.JOINED;
        world.start();
        world.advance(1_000);
        assertThat(world.joiner.joined).contains("lost");
        assertThat(world.registry.asked).isEmpty();
        assertThat(world.joiner.received.get(0).getLostToken().size()).isEqualTo(CommitToken.BYTES);
        assertThat(world.rows()).isEmpty();
    }

    @Test
    void anEventWithAnUnansweredAttemptIsSentAgainWithoutALookup() throws IOException {
        boolean[] cut = {false};
        world.joiner.answers =
                item -> {
                    if (!cut[0]) {
                        cut[0] = true;
                        world.loop.execute(world.joiner::breakSession);
                    }
                    return Status.WAITING_FOR_PRIMARY;
                };
        world.click("a", 5);
        world.advance(1_000);
        assertThat(world.rows()).hasSize(5).allMatch(JournalRow::attemptOpen);
        // The registry holds them now: by that very attempt, perhaps.
        world.rows().forEach(row -> world.registry.known.add(row.key().id()));
        world.joiner.answers = item -> Status.JOINED;
        world.advance(5_000);
        assertThat(world.joiner.joined).hasSize(5);
    }

    /** In another life too, and however often it is turned away for good in between. */
    @Test
    void anAbandonedAttemptsRowStaysOpenAndUnsettled() throws IOException {
        world.joiner.answers = item -> Status.ABANDONED;
        world.click("a", 3);
        world.advance(60_000);
        assertThat(world.rows()).hasSize(3).allMatch(JournalRow::attemptOpen);
        assertThat(world.status().unsettled()).isEqualTo(3);
        world.stop();
        // The registry holds them now: by that very attempt, perhaps.
        world.rows().forEach(row -> world.registry.known.add(row.key().id()));
        world.registry.asked.clear();
        world.joiner.answers = item -> Status.ID_IN_FUTURE;
        world.start();
        world.advance(10_000);
        assertThat(world.rows()).hasSize(3).allMatch(JournalRow::attemptOpen);
        world.joiner.answers = item -> Status.JOINED;
        world.advance(10_000);
        assertThat(world.joiner.joined).hasSize(3);
        assertThat(world.registry.asked).isEmpty();
    }

    @Test
    void anAbandonedAttemptStaysOpen() throws IOException {
        world.joiner.answers = item -> Status.ABANDONED;
        world.click("a", 1);
        world.advance(100);
        world.registry.known.addAll(new HashSet<>(world.registry.asked));
        world.joiner.answers = item -> Status.JOINED;
        world.advance(5_000);
        assertThat(world.joiner.joined).hasSize(1);
    }

    @Test
    void theNewestEventThatWasJoinedForAnotherDatacenterIsTold() throws IOException {
        world.stop();
        world.datacenters = List.of("east", "west");
        world.start();
        Stagger ours = new Stagger("east", world.datacenters, World.STAGGER);
        world.click("a", 100);
        world.advance(1_500);
        assertThat(world.status().joined()).isPositive();
        assertThat(world.status().newestJoinedForOthersMicros()).isZero();

        world.advance(5_000);
        assertThat(world.status().joined()).isEqualTo(100);
        long newest =
                world.joiner.received.stream()
                        .map(item -> FakeJoiner.event(item).id())
                        .filter(id -> !ours.prefersUs(id))
                        .mapToLong(EventId::micros)
                        .max()
                        .orElseThrow();
        assertThat(world.status().newestJoinedForOthersMicros()).isEqualTo(newest);
    }

    @Test
    void anotherDatacentersEventIsHeldWithoutARowAndDroppedWhenThatOneHasJoinedIt()
            throws IOException {
        world.stop();
        world.datacenters = List.of("east", "west");
        world.start();
        world.click("a", 100);
        world.advance(1_500);
        int held = world.status().held();
        assertThat(held).isBetween(25, 75);
        assertThat(world.joiner.received).hasSize(100 - held);
        assertThat(world.rows()).isEmpty();
        assertThat(world.forgotten()).isEmpty();
        assertThat(world.checkpoint().getOrDefault("/logs/a.jsonl", 0L))
                .as("the offset does not pass what is held")
                .isLessThan(world.endOf("/logs/a.jsonl", 99));
        Stagger ours = new Stagger("east", world.datacenters, World.STAGGER);
        assertThat(world.registry.asked).allMatch(ours::prefersUs);

        world.registry.everythingIsKnown = true;
        world.advance(2_000);
        assertThat(world.joiner.received).hasSize(100 - held);
        assertThat(world.status().held()).isZero();
        assertThat(world.status().alreadyJoined()).isEqualTo(held);
        assertThat(world.checkpoint().get("/logs/a.jsonl"))
                .isEqualTo(world.endOf("/logs/a.jsonl", 99));
    }

    @Test
    void whatIsHeldIsTakenOverWhenTheOtherDatacenterDoesNotJoinIt() throws IOException {
        world.stop();
        world.datacenters = List.of("east", "west");
        world.start();
        List<String> ids = world.click("a", 100);
        world.advance(3_000);
        assertThat(world.joiner.joined).containsAll(ids);
    }

    @Test
    void noEventIsSentBeforeACheckpointNamesItsFile() throws IOException {
        world.stop();
        world.diskMillisMax = 100;
        world.start();
        List<Boolean> named = new ArrayList<>();
        world.joiner.answers =
                item -> {
                    named.add(isNamed(item));
                    return Status.JOINED;
                };
        world.click("a", 10);
        world.advance(1_000);
        world.click("b", 10);
        world.advance(2_000);
        assertThat(named).hasSize(20).containsOnly(true);
    }

    private boolean isNamed(JoinItem item) {
        String id = FakeJoiner.event(item).idText();
        try {
            return world.checkpoint().keySet().stream()
                    .flatMap(path -> world.written.getOrDefault(path, List.of()).stream())
                    .anyMatch(written -> written.id().equals(id));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatTheEventStoreCannotHaveReadWaitsWithoutARowAndWithoutTheOffsetPassingIt()
            throws IOException {
        behind(world.micros() - 1);
        List<String> ids = world.click("a", 100);
        world.advance(FrontierGate.WAIT_MAX.toMillis() - 1_000);
        assertThat(world.status().gated()).isEqualTo(100);
        assertThat(world.status().unsettled()).isEqualTo(100);
        assertThat(world.joiner.received).isEmpty();
        assertThat(world.checkpoint().getOrDefault("/logs/a.jsonl", 0L)).isZero();

        world.eventStore.unreadMicros = FrontierGate.OPEN;
        world.advance(2 * FrontierWatch.ASK_EVERY.toMillis());
        assertThat(world.joiner.joined).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(world.status().gated()).isZero();
    }

    @Test
    void theEventStoreIsAskedOnlyAsLongAsItIsBehind() throws IOException {
        behind(0);
        world.advance(1_000);
        assertThat(world.eventStore.asked).isGreaterThan(10);
        world.eventStore.unreadMicros = FrontierGate.OPEN;
        world.advance(1_000);
        int asked = world.eventStore.asked;
        world.click("a", 10);
        world.advance(10_000);
        assertThat(world.eventStore.asked).isEqualTo(asked);

        // An answer that says so begins it again.
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        world.eventStore.unreadMicros = 0;
        world.click("b", 1);
        world.advance(1_000);
        world.joiner.received.clear();
        world.click("c", 1);
        world.advance(1_000);
        assertThat(world.status().gated()).isEqualTo(1);
    }

    @Test
    void anEventStoreThatComesNoFurtherStopsNobodyForLong() throws IOException {
        behind(0);
        List<String> ids = world.click("a", 3_000);
        for (int i = 0; i < 40; i++) {
            world.advance(1_000);
            assertThat(world.status().gated()).isLessThanOrEqualTo(2 * Intake.POLL_RECORDS_MAX);
        }
        assertThat(world.joiner.joined).containsAll(ids);
    }

    @Test
    void anEventStoreThatDoesNotAnswerKeepsNothingWaiting() throws IOException {
        world.eventStore.broken = true;
        world.stop();
        world.start();
        List<String> ids = world.click("a", 10);
        world.advance(500);
        assertThat(world.joiner.joined).containsAll(ids);
    }

    /** A dispatcher starts whose event store has not read what is of this time or later. */
    private void behind(long unreadMicros) throws IOException {
        world.stop();
        world.eventStore.unreadMicros = unreadMicros;
        world.start();
    }

    @Test
    void whatIsBelowTheBoundaryIsSkippedAndBooked() throws IOException {
        world.registry.boundaryMicros = Long.MAX_VALUE;
        world.click("a", 3);
        world.advance(1_000);
        assertThat(world.joiner.received).isEmpty();
        assertThat(world.entries())
                .hasSize(3)
                .allSatisfy(
                        entry -> {
                            assertThat(entry.kind()).isEqualTo(LedgerEntry.Kind.SKIPPED);
                            assertThat(entry.reason()).isEqualTo(RetryPolicy.TOO_OLD);
                        });
        assertThat(world.status().tooLate()).isEqualTo(3);
    }

    /** As each event whose primary event never comes, where the pipeline has a retention. */
    @Test
    void whatHasWaitedForItsPrimaryEventInVainHasNotComeTooLate() throws IOException {
        for (String reason : List.of("", "the event store has not read everything")) {
            world.stop();
            world.start();
            world.joiner.reason = reason;
            world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
            world.click("a" + reason.length(), 3);
            world.advance(10_000);
            world.registry.boundaryMicros = Long.MAX_VALUE;
            world.advance(10_000);
            assertThat(world.rows()).isEmpty();
            assertThat(world.status().skipped()).as("rows of %s", reason).isEqualTo(3);
            assertThat(world.status().tooLate()).isZero();
        }
    }

    @Test
    void whatSomethingElseHeldUpUntilItWasTooOldIsTooLate() throws IOException {
        world.joiner.answers = item -> Status.RETRY_ALL;
        world.click("a", 3);
        world.advance(60_000);
        assertThat(world.rows()).hasSize(3);
        world.registry.boundaryMicros = Long.MAX_VALUE;
        world.advance(120_000);
        assertThat(world.rows()).isEmpty();
        assertThat(world.status().tooLate()).isEqualTo(3);
    }

    @Test
    void nothingGrowsBeyondItsBoundWhileTheJoinerIsSilent() throws IOException {
        world.stop();
        world.datacenters = List.of("east", "west");
        world.limits = World.limits(300, 64, 5);
        world.start();
        world.joiner.delay = java.time.Duration.ofDays(1);
        world.click("a", 10_000);
        for (int i = 0; i < 100; i++) {
            world.advance(100);
            assertThat(world.status().held()).isLessThanOrEqualTo(300);
            assertThat(world.status().inFlight())
                    .isLessThanOrEqualTo(64 + 2 * Intake.POLL_RECORDS_MAX);
        }
        assertThat(world.joiner.unansweredAMaximum).isLessThanOrEqualTo(64);
        assertThat(world.status().eventsRead()).isLessThan(10_000);
        assertThat(world.checkpoint().getOrDefault("/logs/a.jsonl", 0L)).isZero();
    }

    @Test
    void questionsAndMessagesCarryHundredsOfEvents() throws IOException {
        world.stop();
        world.limits = World.limits(1_000, 8_192, 5);
        world.start();
        world.click("a", 4_000);
        world.advance(2_000);
        assertThat(world.joiner.joined).hasSize(4_000);
        assertThat(world.registry.questions).isLessThan(40);
        assertThat(world.joiner.itemsAMaximum).isGreaterThan(200);
    }

    @Test
    void allWaitingRowsAreTriedOnceMoreOnDemand() throws IOException {
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        world.click("a", 50);
        world.advance(30_000);
        int before = world.joiner.received.size();
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        world.flow.retryAllWaiting(done);
        for (int i = 0; i < 20 && !done.isDone(); i++) {
            world.advance(50);
        }
        assertThat(done).isCompleted();
        assertThat(world.joiner.received.size()).isGreaterThanOrEqualTo(before + 50);
        assertThat(world.rows()).hasSize(50);
        CompletableFuture<@Nullable Void> again = new CompletableFuture<>();
        world.flow.retryAllWaiting(again);
        world.joiner.answers = item -> Status.JOINED;
        world.advance(1_000);
        assertThat(again).isCompleted();
        assertThat(world.rows()).isEmpty();
    }

    @Test
    void aDispatcherWhoseCheckpointSomebodyElseClaimedStops() throws IOException {
        StateFiles.open(world.files, World.STATE);
        world.click("a", 5);
        world.advance(2_000);
        assertThat(world.failed).isTrue();
    }

    @Test
    void aStalledOwnerDoesNotSayThatARepairRowIsDurable() throws IOException {
        StateFiles.open(world.files, World.STATE);
        boolean[] durable = {false};
        world.flow.addRepairRows(
                List.of(new RepairRow(event("lost"), new CommitToken(3, 4, 5))),
                () -> durable[0] = true);
        world.loop.runUntilIdle();
        assertThat(durable[0]).as("the new owner does not know it").isFalse();
        assertThat(world.failed).isTrue();
    }

    @Test
    void aDispatcherThatLostItsStateEndsAtOnceWhenItIsClosed() throws IOException {
        world.joiner.answers = item -> Status.WAITING_FOR_PRIMARY;
        world.files.setCapacityBytes(world.files.usedBytes() + 20_000);
        world.click("a", 100);
        world.advance(3_000);
        assertThat(world.failed).as("the disk is full").isTrue();
        world.stop();
        world.files.setCapacityBytes(Long.MAX_VALUE);
        world.files.endHandles();
        assertThat(world.forgotten()).isEmpty();
        world.joiner.answers = item -> Status.JOINED;
        world.start();
        world.advance(5_000);
        assertThat(world.joiner.joined).containsAll(world.allIds);
    }
}
