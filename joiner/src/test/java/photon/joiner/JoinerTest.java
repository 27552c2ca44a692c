package photon.joiner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import photon.adapter.Adapter;
import photon.adapter.SourceEvent;
import photon.core.config.PipelineConfig;
import photon.core.crash.CrashPoint;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.core.id.Packed;
import photon.core.rpc.HostPort;
import photon.core.security.SecurityConfig;
import photon.joiner.rules.UnmatchedRule;
import photon.proto.v1.InquireTokensRequest;
import photon.proto.v1.InquireTokensResponse;
import photon.proto.v1.InquireTokensResponse.Known;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinResult.Status;
import photon.registry.api.RegistryClient;

class JoinerTest {
    private static final Incarnation OWN = new Incarnation(7, 1);
    private static final CommitToken ELSEWHERE = new CommitToken(9, 3, 1);
    private static final CommitToken LOST = new CommitToken(5, 1, 77);

    private final JoinerBench bench = new JoinerBench().run();

    @Test
    void anEventIsJoinedOnceItsRecordIsSynced() {
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
        assertThat(bench.files.synced).hasSize(1);
        assertThat(bench.files.synced.get(0).id()).isEqualTo(Events.id(1));
        assertThat(bench.files.synced.get(0).token())
                .isEqualTo(bench.registry.held.get(Events.id(1)));
        assertThat(bench.files.synced.get(0).contentHash()).hasSize(32);
        assertThat(bench.files.synced.get(0).joined().get(0).bytes().toStringUtf8())
                .isEqualTo(
                        "{\"id\": \"click-1\", \"primaryId\": \"page-1\", \"timestampMicros\":"
                                + " 1700000000000001, \"foreign\": {\"n\":1}, \"primary\":"
                                + " {\"page\":true}}");
        assertThat(bench.crashPoints)
                .containsExactly(
                        CrashPoint.COMMIT_SENT,
                        CrashPoint.COMMIT_ACCEPTED,
                        CrashPoint.WORK_LOG_WRITTEN,
                        CrashPoint.WORK_LOG_FLUSHED,
                        CrashPoint.ANSWERED);
    }

    /** Public, as adapters of users are. */
    public static final class RefusesEven implements Adapter {
        @Override
        public void join(SourceEvent foreign, SourceEvent primary, Result result) {
            if (foreign.timestampMicros() % 2 == 0) {
                throw new IllegalStateException("a bug of mine");
            }
            result.skip("odd");
        }
    }

    @Test
    void anAdapterThatFailsAtMostEventsDeadLettersNoMoreThanAWindowOfThem() {
        JoinerBench failing =
                new JoinerBench(
                                JoinerBench.settings(
                                        RefusesEven.class.getName(), JoinerBench.limits(100, 50)),
                                1,
                                false)
                        .run();
        for (int n = 2; n <= 400; n += 2) {
            assertThat(failing.join(n))
                    .as("event %s", n)
                    .isEqualTo(n < 400 ? Status.RETRY_EVENT : Status.RETRY_ALL);
        }
        assertThat(failing.joiner.status().adapterBraked()).isTrue();
        assertThat(failing.joiner.status().adapterFailures()).isEqualTo(200);
        assertThat(failing.join(402)).isEqualTo(Status.RETRY_ALL);
        for (int n = 1; n < 60; n += 2) {
            assertThat(failing.join(n)).as("what does not fail ends").isEqualTo(Status.SKIPPED);
        }
        assertThat(failing.joiner.status().adapterBraked()).isFalse();
        assertThat(failing.join(404)).isEqualTo(Status.RETRY_EVENT);
    }

    /** What it emits is two lines for every other event. */
    public static final class EmitsLines implements Adapter {
        @Override
        public void join(SourceEvent foreign, SourceEvent primary, Result result) {
            result.emit((foreign.timestampMicros() % 2 == 0 ? "a\nb" : "c").getBytes(UTF_8));
        }
    }

    @Test
    void whatCannotBeWrittenCountsAsAFailureOfTheAdapter() {
        JoinerBench failing =
                new JoinerBench(
                                JoinerBench.settings(
                                        EmitsLines.class.getName(), JoinerBench.limits(100, 50)),
                                1,
                                false)
                        .run();
        for (int n = 2; n <= 400; n += 2) {
            assertThat(failing.join(n))
                    .as("event %s", n)
                    .isEqualTo(n < 400 ? Status.REJECTED : Status.RETRY_ALL);
        }
        assertThat(failing.joiner.status().adapterBraked()).isTrue();
        assertThat(failing.join(401)).as("what can be written").isEqualTo(Status.JOINED);
    }

    /** To an output of its own for each event, every hundredth to many, others to the main one. */
    public static final class NamesManyOutputs implements Adapter {
        @Override
        public void join(SourceEvent foreign, SourceEvent primary, Result result) {
            long n = foreign.timestampMicros() % 1_000;
            for (long i = 0; i < (n % 100 == 0 ? 65 : 1); i++) {
                result.emit(n > 500 ? "" : "o-" + n + "-" + i, "c".getBytes(UTF_8));
            }
        }
    }

    @Test
    void anIncarnationWritesToSoManyOutputsAtMost() {
        JoinerBench naming =
                new JoinerBench(
                                JoinerBench.settings(
                                        NamesManyOutputs.class.getName(),
                                        JoinerBench.limits(100, 50)),
                                1,
                                false)
                        .run();
        assertThat(naming.join(100)).isEqualTo(Status.REJECTED);
        for (int n = 1; n <= 64; n++) {
            assertThat(naming.join(n)).as("event %s", n).isEqualTo(Status.JOINED);
        }
        assertThat(naming.join(65)).isEqualTo(Status.REJECTED);
        assertThat(naming.join(501)).as("the main output").isEqualTo(Status.JOINED);
        naming.registry.held.put(Events.id(66), LOST);
        assertThat(naming.join(66, LOST)).as("had room once").isEqualTo(Status.JOINED);
    }

    /** However quiet the pipeline is, and however long it lasts: no event is dead-lettered. */
    @Test
    void anAdapterThatIsAwayIsNoEventsFault() {
        HostPort nobody = new HostPort("127.0.0.1", 1);
        PipelineConfig.Adapter away =
                new PipelineConfig.Adapter(
                        PipelineConfig.Adapter.REMOTE,
                        List.of(),
                        Optional.of(
                                PipelineConfig.Remote.at(List.of(nobody), SecurityConfig.DEFAULT)),
                        Map.of(),
                        Duration.ofSeconds(5),
                        50,
                        200);
        JoinerBench quiet =
                new JoinerBench(
                                JoinerBench.settings(
                                        away,
                                        JoinerBench.limits(100, 50),
                                        16L << 20,
                                        UnmatchedRule.never()),
                                1,
                                false)
                        .run();
        assertThat(quiet.join(1)).isEqualTo(Status.RETRY_ALL);
        assertThat(quiet.answers.values())
                .singleElement()
                .satisfies(r -> assertThat(r.getReason()).contains("is away: "));
        assertThat(quiet.joiner.status().adapterFailures()).isEqualTo(1);
    }

    @Test
    void aBatchCostsOneLookupOneCommitOneSyncAndOneMessage() {
        List<JoinItem> items = new ArrayList<>();
        for (int n = 1; n <= 40; n++) {
            items.add(Events.item(n, n, null));
        }
        bench.send(items);
        bench.run();
        assertThat(bench.answers.values()).allMatch(r -> r.getStatus() == Status.JOINED);
        assertThat(bench.answers).hasSize(40);
        assertThat(bench.eventStore.requests).isEqualTo(1);
        assertThat(bench.registry.commitBatches).isEqualTo(1);
        assertThat(bench.files.syncs).isEqualTo(1);
        assertThat(bench.messages).hasSize(1);
    }

    @Test
    void eachStageOfAJoinedEventIsMeasured() {
        bench.eventStore.mode = () -> MemoryEventStore.Mode.HOLD;
        bench.send(1);
        bench.run();
        bench.main.advance(Duration.ofMillis(70));
        bench.eventStore.held.remove().run();
        bench.run();
        assertThat(bench.joiner.stages().keySet())
                .containsExactly("primary", "adapter", "commit", "work_log");
        assertThat(bench.joiner.stages().values()).allSatisfy(d -> assertThat(d).hasSize(1));
        assertThat(longest("primary")).isBetween(70_000L, 75_000L);
        assertThat(longest("work_log")).isLessThan(70_000L);
    }

    private long longest(String stage) {
        return requireNonNull(bench.joiner.stages().get(stage)).lastKey();
    }

    @Test
    void lookupsTellTheEventStoreWhatWasHeardOfTheBoundary() {
        bench.join(1);
        assertThat(bench.eventStore.boundaryMicros).isEmpty();
        bench.registry.boundaryMicros = 5;
        bench.join(2);
        assertThat(bench.eventStore.boundaryMicros).hasValue(5);
    }

    @Test
    void anIdThatAnotherIncarnationHoldsIsJoinedElsewhereAndCountsAsWasted() {
        bench.registry.held.put(Events.id(1), ELSEWHERE);
        assertThat(bench.join(1)).isEqualTo(Status.JOINED_ELSEWHERE);
        assertThat(bench.files.appended).isEmpty();
        assertThat(bench.joiner.status().wastedAttempts()).isEqualTo(1);
        assertThat(bench.joiner.status().inFlight()).isZero();
    }

    @Test
    void aTwinWaitsForTheAttemptThatHoldsTheIdAndIsAnsweredAsItIs() {
        bench.registry.decideAtOnce = false;
        long first = bench.send(1);
        long second = bench.send(1);
        bench.run();
        // The later one is decided first, so that the holder is still in flight.
        RegistryClient.Commit holder = bench.registry.waiting.getFirst().commit();
        bench.registry.apply(holder);
        bench.registry.decide(bench.registry.waiting.removeLast(), false);
        bench.run();
        assertThat(bench.statusOf(second)).isNull();
        bench.registry.decideAll(true);
        bench.run();
        assertThat(bench.statusOf(first)).isEqualTo(Status.JOINED);
        assertThat(bench.statusOf(second)).isEqualTo(Status.JOINED);
        assertThat(bench.files.synced).hasSize(1);
        assertThat(bench.joiner.status().joined()).as("it was joined once").isEqualTo(1);
        assertThat(bench.joiner.status().wastedAttempts()).isZero();
    }

    /** While the registry decides nothing, all that is joined is kept. */
    @Test
    void largePrimaryEventsCountAgainstTheMemoryThatAJoinerMayTake() {
        bench.registry.decideAtOnce = false;
        bench.eventStore.jsonBytes = 4 << 20;
        for (int n = 1; n <= 30; n++) {
            bench.send(n);
        }
        bench.run();
        assertThat(bench.joiner.status().admittedBytes()).isBetween(56L << 20, 64L << 20);
        assertThat(bench.answers.values())
                .hasSizeGreaterThanOrEqualTo(14)
                .allMatch(r -> r.getStatus() == Status.RESOURCE_EXHAUSTED);
        bench.registry.decideAll(false);
        bench.run();
        assertThat(bench.answers).hasSize(30);
        assertThat(bench.joiner.status().admittedBytes()).isZero();
    }

    @Test
    void aTwinOfAnAcceptedAttemptWaitsForTheFlush() {
        JoinerBench two =
                new JoinerBench(
                        JoinerBench.settings("merge", JoinerBench.limits(100, 50)), 1, true);
        serve(two);
        long first = two.send(1);
        two.run();
        long second = two.send(1);
        two.run();
        assertThat(two.statusOf(first)).isNull();
        assertThat(two.statusOf(second)).isNull();
        two.output.runUntilIdle();
        two.run();
        assertThat(two.statusOf(first)).isEqualTo(Status.JOINED);
        assertThat(two.statusOf(second)).isEqualTo(Status.JOINED);
        assertThat(two.files.synced).hasSize(1);
    }

    @Test
    void anIdThatThisIncarnationHasFlushedIsJoined() {
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
        assertThat(bench.join(1)).isEqualTo(Status.JOINED);
        assertThat(bench.files.synced).hasSize(1);
        assertThat(bench.joiner.status().joined()).as("it was joined once").isEqualTo(1);
    }

    @Test
    void anIdHeldByATokenThatWasSettledWithoutARecordEndsTheIncarnation() {
        bench.registry.held.put(Events.id(1), ELSEWHERE);
        assertThat(bench.join(1)).isEqualTo(Status.JOINED_ELSEWHERE);
        // What must not be: its one copy was answered.
        bench.registry.held.put(Events.id(1), CommitToken.of(OWN, 1));
        assertThat(bench.join(1)).isEqualTo(Status.ABANDONED);
        assertThat(bench.registry.fencedByCall).containsExactly(OWN);
        bench.main.advance(Duration.ofSeconds(1));
        assertThat(bench.story)
                .containsExactly("serving 7-1", "ended 7-1 LOST_WRITE 1", "serving 7-2");
        assertThat(bench.files.appended).isEmpty();
    }

    @Test
    void tooOldIsDefiniteOnAFirstTryOnly() {
        bench.registry.decideAtOnce = false;
        long first = bench.send(1);
        long again = bench.send(2);
        bench.run();
        bench.registry.boundaryMicros = Events.START_MICROS + 10;
        bench.registry.decide(bench.registry.waiting.remove(), false);
        bench.registry.decide(bench.registry.waiting.remove(), true);
        bench.run();
        assertThat(List.of(first, again))
                .extracting(bench::statusOf)
                .containsExactlyInAnyOrder(Status.ID_TOO_OLD, Status.OUTCOME_LOST);
        assertThat(bench.reasonOf(first)).startsWith("below the registry's boundary, by ");
        assertThat(bench.files.appended).isEmpty();
    }

    @Test
    void whatMayBeCommittedAlreadyIsAskedOfTheRegistryHoweverNearTheBoundary() {
        bench.registry.boundaryMicros =
                Events.id(1).micros() - Duration.ofMinutes(1).toNanos() / 1000;
        long number = bench.nextNumber();
        bench.send(List.of(Events.item(number, 1, null).toBuilder().setAttemptOpen(true).build()));
        bench.run();
        assertThat(bench.statusOf(number)).isEqualTo(Status.JOINED);
    }

    @Test
    void aFirstTryNearTheBoundaryIsNotCommitted() {
        bench.registry.boundaryMicros =
                Events.id(1).micros() - Duration.ofMinutes(9).toNanos() / 1000;
        assertThat(bench.join(1)).isEqualTo(Status.ID_TOO_OLD);
        assertThat(bench.reasonOf(bench.lastNumber()))
                .isEqualTo(
                        "too near the registry's boundary: 9 min above it, expected 10 min above");
        assertThat(bench.registry.commitBatches).isZero();
        assertThat(bench.joiner.status().inFlight()).isZero();
        bench.registry.held.put(Events.id(1), LOST);
        assertThat(bench.join(1, LOST)).isEqualTo(Status.JOINED);
    }

    @Test
    void anIdInTheFutureIsAnsweredAsSuch() {
        bench.registry.futureMicros = 5;
        assertThat(bench.join(1)).isEqualTo(Status.ID_IN_FUTURE);
    }

    @Test
    void aRepairItemLooksUpThenRemovesThenCommitsAnew() {
        bench.registry.calls.clear();
        bench.registry.held.put(Events.id(1), LOST);
        assertThat(bench.join(1, LOST)).isEqualTo(Status.JOINED);
        assertThat(bench.registry.calls).containsExactly("remove 5-1-77", "commit 7-1-1");
        assertThat(bench.registry.held).containsEntry(Events.id(1), CommitToken.of(OWN, 1));
    }

    @Test
    void aRepairItemWithoutItsPrimaryEventRemovesNothing() {
        bench.registry.held.put(Events.id(1), LOST);
        bench.eventStore.missing.add(Events.primaryKey(1));
        assertThat(bench.join(1, LOST)).isEqualTo(Status.WAITING_FOR_PRIMARY);
        assertThat(bench.registry.held).containsEntry(Events.id(1), LOST);
    }

    @Test
    void aRepairItemWhoseTokenIsNotFencedIsTriedAgain() {
        CommitToken live = CommitToken.of(OWN, 50);
        bench.registry.held.put(Events.id(1), live);
        assertThat(bench.join(1, live)).isEqualTo(Status.RETRY_EVENT);
        assertThat(bench.registry.held).containsEntry(Events.id(1), live);
        assertThat(bench.registry.commitBatches).isZero();
    }

    @Test
    void aRepairItemBelowTheBoundaryIsLost() {
        bench.registry.held.put(Events.id(1), LOST);
        bench.registry.boundaryMicros = Events.START_MICROS + 10;
        assertThat(bench.join(1, LOST)).isEqualTo(Status.OUTCOME_LOST);
        assertThat(bench.registry.held).containsEntry(Events.id(1), LOST);
    }

    @Test
    void eventStoreTroubleIsEverybodys() {
        for (MemoryEventStore.Mode mode :
                List.of(
                        MemoryEventStore.Mode.BREAK,
                        MemoryEventStore.Mode.REFUSE,
                        MemoryEventStore.Mode.SHORT)) {
            bench.eventStore.mode = () -> mode;
            assertThat(bench.join(1)).as(mode.name()).isEqualTo(Status.RETRY_ALL);
        }
        assertThat(bench.joiner.status().admitted()).isZero();
        assertThat(bench.joiner.status().admittedBytes()).isZero();
    }

    @Test
    void whatIsNotAdmittedIsRefusedAtOnce() {
        bench.eventStore.mode = () -> MemoryEventStore.Mode.HOLD;
        for (int n = 1; n <= 103; n++) {
            bench.send(n);
        }
        bench.run();
        assertThat(bench.answers).hasSize(3);
        assertThat(bench.answers.values())
                .allMatch(r -> r.getStatus() == Status.RESOURCE_EXHAUSTED);
        assertThat(bench.joiner.status().admitted()).isEqualTo(100);
        bench.eventStore.mode = () -> MemoryEventStore.Mode.ANSWER;
        bench.eventStore.answerHeld();
        bench.run();
        assertThat(bench.answers).hasSize(103);
        assertThat(bench.joiner.status().admitted()).isZero();
    }

    @Test
    void theCapCountsFromCommitSentToOutputFlushed() {
        JoinerBench two =
                new JoinerBench(JoinerBench.settings("merge", JoinerBench.limits(100, 5)), 1, true);
        serve(two);
        for (int n = 1; n <= 60; n++) {
            two.send(n);
        }
        two.run();
        // All accepted by the registry, nothing flushed: both shards are at their cap.
        assertThat(two.registry.held).hasSize(10);
        assertThat(two.joiner.status().inFlight()).isEqualTo(10);
        two.output.runUntilIdle();
        two.run();
        assertThat(two.files.synced).hasSize(10);
        assertThat(two.registry.held).hasSize(20);
        for (int i = 0; i < 20; i++) {
            two.output.runUntilIdle();
            two.run();
        }
        assertThat(two.answers).hasSize(60);
        assertThat(two.joiner.status().inFlight()).isZero();
    }

    @Test
    void aMalformedItemIsRejectedAndHarmsNobody() {
        JoinItem item = Events.item(1, 1, null);
        bench.send(
                List.of(
                        item.toBuilder()
                                .setEvent(
                                        item.getEvent().toBuilder()
                                                .setId(ByteString.copyFromUtf8("short")))
                                .build(),
                        item.toBuilder()
                                .setNumber(2)
                                .setLostToken(ByteString.copyFrom(new byte[16]))
                                .build(),
                        Events.item(3, 3, null)));
        bench.run();
        assertThat(bench.statusOf(1)).isEqualTo(Status.REJECTED);
        assertThat(bench.statusOf(2)).isEqualTo(Status.REJECTED);
        assertThat(bench.statusOf(3)).isEqualTo(Status.JOINED);
    }

    @Test
    void whatTheOutputCannotHoldIsRejectedBeforeTheCommit() {
        for (String fields : List.of("{\n}", "{\"x\":\"" + "y".repeat(16 << 20) + "\"}")) {
            JoinItem item = Events.item(fields.length(), 1, null);
            bench.send(
                    List.of(
                            item.toBuilder()
                                    .setEvent(
                                            item.getEvent().toBuilder()
                                                    .setJson(ByteString.copyFromUtf8(fields)))
                                    .build()));
            bench.run();
            assertThat(bench.statusOf(fields.length())).isEqualTo(Status.REJECTED);
        }
        assertThat(bench.registry.commitBatches).isZero();
    }

    @Test
    void inquiriesTellWhatBecameOfTokens() {
        bench.join(1);
        bench.registry.held.put(Events.id(2), ELSEWHERE);
        bench.join(2);
        bench.registry.decideAtOnce = false;
        bench.send(3);
        bench.run();
        List<Known> known = new ArrayList<>();
        bench.joiner
                .inquiry()
                .handle(
                        InquireTokensRequest.newBuilder()
                                .setTokens(
                                        Packed.tokens(
                                                List.of(
                                                        CommitToken.of(OWN, 1),
                                                        CommitToken.of(OWN, 2),
                                                        CommitToken.of(OWN, 3),
                                                        CommitToken.of(OWN, 4),
                                                        ELSEWHERE)))
                                .build(),
                        (InquireTokensResponse r) -> known.addAll(r.getKnownList()));
        assertThat(known)
                .containsExactly(
                        Known.FLUSHED,
                        Known.NOT_HERE,
                        Known.IN_FLIGHT,
                        Known.NOT_HERE,
                        Known.NOT_HERE);
    }

    @Test
    void workLogsArePublishedByTimeAndNoneIsMadeWithoutARecord() {
        bench.main.advance(Duration.ofSeconds(30));
        assertThat(bench.files.logsCreated).isZero();
        bench.join(1);
        assertThat(bench.joiner.status().unpublishedRecords()).isEqualTo(1);
        assertThat(bench.files.published).isEmpty();
        bench.main.advance(Duration.ofSeconds(2));
        assertThat(bench.files.published).hasSize(1);
        assertThat(bench.joiner.status().unpublishedRecords()).isZero();
        bench.main.advance(Duration.ofSeconds(60));
        assertThat(bench.files.logsCreated).isEqualTo(1);
    }

    @Test
    void aClosedSessionHearsNothingButItsEventsGoOn() {
        bench.registry.decideAtOnce = false;
        bench.send(1);
        bench.run();
        bench.session.closed();
        bench.registry.decideAll(false);
        bench.run();
        assertThat(bench.answers).isEmpty();
        assertThat(bench.files.synced).hasSize(1);
        assertThat(bench.joiner.status().admitted()).isZero();
    }

    static void serve(JoinerBench bench) {
        bench.run();
        bench.output.runUntilIdle();
        bench.run();
    }
}
