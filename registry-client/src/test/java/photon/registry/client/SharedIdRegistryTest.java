package photon.registry.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.loop.ManualLoop;
import photon.core.rpc.HostPort;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.DescribePipelineRequest;
import photon.proto.v1.DescribePipelineResponse;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.Outcome;
import photon.proto.v1.Pipeline;
import photon.proto.v1.Progress;
import photon.proto.v1.ScanRequest;
import photon.proto.v1.ScanResponse;
import photon.registry.api.CommitBatch;
import photon.registry.api.CommitOutcome;
import photon.registry.api.CommitOutcome.Decided;
import photon.registry.api.CommitOutcome.NotSubmitted;
import photon.registry.api.CommitOutcome.NotSubmitted.Why;
import photon.registry.api.CommitOutcome.Unknown;
import photon.registry.api.CommitOutcomes;
import photon.registry.api.IdBatch;
import photon.registry.api.IdRegistry.Freshness;
import photon.registry.api.IdRegistry.Options;
import photon.registry.api.IdRegistry.Scan;
import photon.registry.api.IdRegistry.WhenFull;
import photon.registry.api.LookupAnswers;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.api.RegistryClient.Found;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.RegistryUnavailableException;
import photon.registry.api.ShardMap;

/** What a client for many threads sends, and what its calls come to. */
final class SharedIdRegistryTest {
    private static final UUID PIPELINE = new UUID(1, 2);
    private static final HostPort NEAR = new HostPort("near", 1);
    private static final HostPort FAR = new HostPort("far", 3);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualLoop loop = new ManualLoop();
    private final FakeRegistryTransport wire = new FakeRegistryTransport(loop);
    private final RegistryConnection connection =
            new RegistryConnection(loop, wire, List.of(NEAR, FAR), "ads", new SplittableRandom(1));
    private SharedIdRegistry registry;

    @BeforeEach
    void oneShard() {
        registry = with(1, Options.DEFAULTS);
    }

    private SharedIdRegistry with(int shards, Options options) {
        CompletableFuture<PipelineDescription> known = connection.describe();
        wire.only().answer(described(ShardMap.initial(shards)));
        return (SharedIdRegistry) connection.shared(known.join(), options);
    }

    private static DescribePipelineResponse described(ShardMap map) {
        return DescribePipelineResponse.newBuilder()
                .setPipeline(
                        Pipeline.newBuilder()
                                .setName("ads")
                                .setUuid(RegistryProtos.bytes(PIPELINE))
                                .setMap(map.toProto()))
                .build();
    }

    private static EventId id(long number) {
        return new EventId(number, 0, 0, 1);
    }

    private static CommitToken token(long number) {
        return new CommitToken(5, 5, number);
    }

    private CompletableFuture<CommitOutcome> commit(long number, Duration timeout) {
        return registry.commit(id(number), token(number), timeout);
    }

    private CompletableFuture<CommitOutcomes> commit(long from, long to, Duration timeout) {
        CommitBatch.Builder batch = CommitBatch.builder(1);
        for (long number = from; number < to; number++) {
            batch.add(id(number), token(number));
        }
        return registry.commit(batch.build(), timeout);
    }

    private static CommitResponse.Builder decided(Outcome... outcomes) {
        byte[] bytes = new byte[outcomes.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) outcomes[i].getNumber();
        }
        return CommitResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setOutcomes(ByteString.copyFrom(bytes))
                .setBoundaryMicros(0);
    }

    private static CommitResponse allAccepted(CommitRequest request) {
        Outcome[] all = new Outcome[request.getIds().size() / EventId.BYTES];
        java.util.Arrays.fill(all, Outcome.ACCEPTED);
        return decided(all).build();
    }

    private static CommitResponse only(Progress progress) {
        return CommitResponse.newBuilder().setProgress(progress).build();
    }

    private static Decided answer(CommitResult result) {
        return new Decided(result, null, false);
    }

    private FakeRegistryTransport.Sent sent() {
        loop.runUntilIdle();
        return wire.only();
    }

    @Test
    void callsOfManyThreadsAreOneRequest() {
        CompletableFuture<CommitOutcome> one = commit(1, MINUTE);
        CompletableFuture<CommitOutcomes> three = commit(2, 5, MINUTE);
        CompletableFuture<CommitOutcome> last = commit(5, MINUTE);
        assertThat(registry.outstandingIds()).isEqualTo(5);
        CommitRequest request = sent().as(CommitRequest.class);
        assertThat(Packed.ids(request.getIds())).containsExactly(id(1), id(2), id(3), id(4), id(5));
        assertThat(Packed.tokens(request.getTokens()))
                .containsExactly(token(1), token(2), token(3), token(4), token(5));
        wire.only()
                .answer(
                        decided(
                                        Outcome.TAKEN,
                                        Outcome.ACCEPTED,
                                        Outcome.TAKEN,
                                        Outcome.FENCED,
                                        Outcome.ID_TOO_OLD)
                                .setHolders(Packed.tokens(List.of(token(71), token(73))))
                                .setBoundaryMicros(17)
                                .build());
        assertThat(one).isCompletedWithValue(new Decided(CommitResult.TAKEN, token(71), false));
        assertThat(last).isCompletedWithValue(answer(CommitResult.ID_TOO_OLD));
        CommitOutcomes outcomes = three.join();
        assertThat(outcomes.get(0)).isEqualTo(answer(CommitResult.ACCEPTED));
        assertThat(outcomes.get(1)).isEqualTo(new Decided(CommitResult.TAKEN, token(73), false));
        assertThat(outcomes.get(2)).isEqualTo(answer(CommitResult.FENCED));
        assertThat(outcomes.accepted()).isEqualTo(1);
        assertThat(outcomes.isAccepted(0)).isTrue();
        assertThat(registry.outstandingIds()).isZero();
        assertThat(registry.boundaryMicros()).isEqualTo(17);
    }

    @Test
    void aBatchIsDividedByShardAndBySize() {
        registry = with(2, Options.DEFAULTS.withRequests(10, 8));
        CompletableFuture<CommitOutcomes> batch = commit(0, 50, MINUTE);
        loop.runUntilIdle();
        ShardMap map = ShardMap.initial(2);
        List<EventId> seen = new ArrayList<>();
        while (!wire.unanswered().isEmpty()) {
            FakeRegistryTransport.Sent sent = wire.unanswered().get(0);
            CommitRequest request = sent.as(CommitRequest.class);
            List<EventId> ids = Packed.ids(request.getIds());
            assertThat(ids).hasSizeBetween(1, 10);
            for (EventId id : ids) {
                assertThat(map.owner(id).number()).isEqualTo(request.getShard().getShard());
            }
            assertThat(Packed.tokens(request.getTokens()))
                    .extracting(CommitToken::sequence)
                    .containsExactlyElementsOf(ids.stream().map(EventId::micros).toList());
            seen.addAll(ids);
            assertThat(batch).isNotDone();
            sent.answer(allAccepted(request));
        }
        assertThat(seen).hasSize(50).doesNotHaveDuplicates();
        assertThat(batch.join().accepted()).isEqualTo(50);
        assertThat(registry.outstandingIds()).isZero();
    }

    @Test
    void whatWasNotSentByItsDeadlineIsSurelyNotSubmittedAndWhatWasIsUnknown() {
        registry = with(1, Options.DEFAULTS.withRequests(10, 1));
        CompletableFuture<CommitOutcome> sent = commit(1, SECOND);
        FakeRegistryTransport.Sent request = sent();
        CompletableFuture<CommitOutcome> waiting = commit(2, SECOND);
        CompletableFuture<CommitOutcomes> batch = commit(3, 5, SECOND);
        CompletableFuture<CommitOutcome> patient = commit(5, MINUTE);
        loop.advance(SECOND.minus(Duration.ofMillis(20)));
        assertThat(sent).isNotDone();
        loop.advance(Duration.ofMillis(40));
        assertThat(sent).isCompletedWithValue(new Unknown());
        assertThat(waiting).isCompletedWithValue(new NotSubmitted(Why.DEADLINE));
        assertThat(batch.join().notSubmitted()).isEqualTo(2);
        assertThat(patient).isNotDone();
        assertThat(registry.outstandingIds())
                .as("what is under way takes up room until that has ended")
                .isEqualTo(2);
        request.answer(decided(Outcome.ACCEPTED).build());
        assertThat(sent).isCompletedWithValue(new Unknown());
        assertThat(Packed.ids(sent().as(CommitRequest.class).getIds())).containsExactly(id(5));
        assertThat(registry.outstandingIds()).isEqualTo(1);
    }

    @Test
    void aBatchThatWasSentInPartIsUnknownInPart() {
        registry = with(1, Options.DEFAULTS.withRequests(2, 1));
        CompletableFuture<CommitOutcomes> batch = commit(0, 5, SECOND);
        sent().answer(decided(Outcome.ACCEPTED, Outcome.FENCED).build());
        FakeRegistryTransport.Sent second = sent();
        loop.advance(SECOND.plusMillis(20));
        CommitOutcomes outcomes = batch.join();
        assertThat(outcomes.get(0)).isEqualTo(answer(CommitResult.ACCEPTED));
        assertThat(outcomes.get(1)).isEqualTo(answer(CommitResult.FENCED));
        assertThat(outcomes.get(2)).isEqualTo(new Unknown());
        assertThat(outcomes.get(3)).isEqualTo(new Unknown());
        assertThat(outcomes.get(4)).isEqualTo(new NotSubmitted(Why.DEADLINE));
        assertThat(outcomes.unknown()).isEqualTo(2);
        second.answer(decided(Outcome.ACCEPTED, Outcome.ACCEPTED).build());
        assertThat(batch.join()).isSameAs(outcomes);
        assertThat(outcomes.get(2)).isEqualTo(new Unknown());
        assertThat(registry.outstandingIds()).isZero();
        assertThat(wire.unanswered()).isEmpty();
    }

    @Test
    void aRefusalLeavesNothingBehindAndALossMay() {
        CompletableFuture<CommitOutcome> refused = commit(1, SECOND);
        CompletableFuture<CommitOutcomes> refusedBatch = commit(2, 4, SECOND);
        sent().answer(only(Progress.RESOURCE_EXHAUSTED));
        loop.advance(Duration.ofMillis(1));
        FakeRegistryTransport.Sent none = wire.unanswered().isEmpty() ? null : wire.only();
        assertThat(none).as("a pause first").isNull();
        CompletableFuture<CommitOutcome> quick = commit(7, Duration.ofMillis(1));
        while (!refused.isDone()) {
            loop.advance(Duration.ofMillis(1));
            wire.unanswered().forEach(sent -> sent.answer(only(Progress.NOT_LEADER)));
        }
        assertThat(refused).isCompletedWithValue(new NotSubmitted(Why.DEADLINE));
        assertThat(refusedBatch.join().notSubmitted()).isEqualTo(2);
        assertThat(quick).isCompletedWithValue(new NotSubmitted(Why.DEADLINE));

        CompletableFuture<CommitOutcome> lost = commit(5, SECOND);
        loop.advance(Duration.ofMillis(500));
        boolean first = true;
        while (!lost.isDone()) {
            for (FakeRegistryTransport.Sent sent : wire.unanswered()) {
                if (first) {
                    sent.lose();
                } else {
                    sent.answer(only(Progress.NOT_LEADER));
                }
                first = false;
            }
            loop.advance(Duration.ofMillis(1));
        }
        assertThat(first).isFalse();
        assertThat(lost).isCompletedWithValue(new Unknown());
    }

    @Test
    void whatWasLostIsAskedAgainWithTheSameTokenAndSaysSo() {
        CompletableFuture<CommitOutcome> one = commit(1, MINUTE);
        CompletableFuture<CommitOutcomes> two = commit(2, 4, MINUTE);
        sent().lose();
        loop.advance(SECOND);
        CommitRequest again = sent().as(CommitRequest.class);
        assertThat(Packed.tokens(again.getTokens())).containsExactly(token(1), token(2), token(3));
        wire.only()
                .answer(
                        decided(Outcome.ID_TOO_OLD, Outcome.ACCEPTED, Outcome.TAKEN)
                                .setHolders(Packed.tokens(List.of(token(9))))
                                .build());
        assertThat(one).isCompletedWithValue(new Decided(CommitResult.ID_TOO_OLD, null, true));
        assertThat(two.join().get(0)).isEqualTo(new Decided(CommitResult.ACCEPTED, null, true));
        assertThat(two.join().get(1)).isEqualTo(new Decided(CommitResult.TAKEN, token(9), true));
    }

    @Test
    void withoutRoomACallIsRefusedAtOnceAndTakesNothing() {
        registry = with(1, Options.DEFAULTS.with(4, WhenFull.REFUSE));
        CompletableFuture<CommitOutcomes> three = commit(0, 3, MINUTE);
        assertThat(commit(3, 5, MINUTE).join().notSubmitted()).isEqualTo(2);
        CompletableFuture<CommitOutcome> fits = commit(5, MINUTE);
        assertThat(commit(6, MINUTE)).isCompletedWithValue(new NotSubmitted(Why.NO_ROOM));
        CommitRequest request = sent().as(CommitRequest.class);
        assertThat(Packed.ids(request.getIds())).containsExactly(id(0), id(1), id(2), id(5));
        // Whoever hears of an answer finds the room of it.
        CompletableFuture<CommitOutcome> next = fits.thenCompose(outcome -> commit(7, MINUTE));
        wire.only().answer(allAccepted(request));
        assertThat(three.join().accepted()).isEqualTo(3);
        assertThat(fits.join().isAccepted()).isTrue();
        sent().answer(decided(Outcome.ACCEPTED).build());
        assertThat(next.join().isAccepted()).isTrue();
        assertThatThrownBy(() -> commit(0, 5, MINUTE))
                .hasMessageContaining("Expected a batch of at most 4 ids, but got 5");
    }

    @Test
    void theBoundIsOfAllShardsTogether() {
        registry = with(2, Options.DEFAULTS.with(20, WhenFull.REFUSE));
        CompletableFuture<CommitOutcomes> all = commit(0, 20, MINUTE);
        assertThat(commit(20, MINUTE)).isCompletedWithValue(new NotSubmitted(Why.NO_ROOM));
        loop.runUntilIdle();
        CommitRequest one = wire.unanswered().get(0).as(CommitRequest.class);
        wire.unanswered().get(0).answer(allAccepted(one));
        assertThat(registry.outstandingIds()).isEqualTo(20 - Packed.ids(one.getIds()).size());
        assertThat(all).isNotDone();
        assertThat(commit(20, MINUTE)).isNotDone();
    }

    @Test
    void theRoomOfALookupIsFreeWhenItHasEnded() {
        registry = with(1, new Options(10, WhenFull.REFUSE, 10, 1, 2, Duration.ofSeconds(10)));
        IdBatch two = IdBatch.of(List.of(id(1), id(2)));
        CompletableFuture<LookupAnswers> late = registry.lookup(two, Freshness.LOCAL, SECOND);
        assertThatThrownBy(registry.lookup(two, Freshness.LOCAL, SECOND)::join)
                .hasMessageContaining("Too many lookups are outstanding");
        assertThat(registry.lookup(IdBatch.of(List.of()), Freshness.LOCAL, SECOND).join().size())
                .isZero();
        loop.advance(SECOND.plusMillis(20));
        assertThat(late).isCompletedExceptionally();
        assertThat(registry.lookup(two, Freshness.LOCAL, SECOND)).isNotDone();
    }

    @Test
    void aLookupInADroppedPipelineFailsAtOnce() {
        CompletableFuture<LookupAnswers> answers =
                registry.lookup(IdBatch.of(List.of(id(1))), Freshness.LINEARIZABLE, MINUTE);
        sent().answer(LookupResponse.newBuilder().setProgress(Progress.PIPELINE_GONE).build());
        assertThatThrownBy(answers::join)
                .hasCauseInstanceOf(RegistryUnavailableException.class)
                .hasMessageContaining("The registry has dropped the pipeline");
    }

    @Test
    void whatANewerMapGivesToOtherShardsGoesThere() {
        CompletableFuture<CommitOutcomes> batch = commit(98, 102, MINUTE);
        CompletableFuture<CommitOutcome> one = commit(105, MINUTE);
        ShardMap newer = ShardMap.initial(1).withEpoch(100, 2);
        sent().answer(
                        decided(
                                        Outcome.ACCEPTED,
                                        Outcome.ACCEPTED,
                                        Outcome.WRONG_SHARD,
                                        Outcome.EPOCH_PREPARED,
                                        Outcome.WRONG_SHARD)
                                .setMap(newer.toProto())
                                .build());
        loop.advance(SECOND);
        List<EventId> moved = new ArrayList<>();
        for (FakeRegistryTransport.Sent sent : wire.unanswered()) {
            CommitRequest request = sent.as(CommitRequest.class);
            for (EventId id : Packed.ids(request.getIds())) {
                Shard owner = newer.owner(id);
                assertThat(RegistryProtos.shardRef(PIPELINE, owner)).isEqualTo(request.getShard());
                moved.add(id);
            }
            sent.answer(allAccepted(request));
        }
        assertThat(moved).containsExactlyInAnyOrder(id(100), id(101), id(105));
        assertThat(batch.join().accepted()).isEqualTo(4);
        assertThat(batch.join().get(2)).isEqualTo(answer(CommitResult.ACCEPTED));
        assertThat(one).isCompletedWithValue(answer(CommitResult.ACCEPTED));
        assertThat(registry.outstandingIds()).isZero();
    }

    @Test
    void aCloseDrainsAndThenSaysOfEachCallWhatIsKnown() {
        registry = with(1, Options.DEFAULTS.withRequests(1, 2));
        CompletableFuture<CommitOutcome> answered = commit(1, MINUTE);
        CompletableFuture<CommitOutcome> sent = commit(2, MINUTE);
        CompletableFuture<CommitOutcome> waiting = commit(3, MINUTE);
        CompletableFuture<CommitOutcomes> batch = commit(4, 6, MINUTE);
        CompletableFuture<LookupAnswers> lookup =
                registry.lookup(IdBatch.of(List.of(id(1))), Freshness.LOCAL, MINUTE);
        loop.runUntilIdle();
        CompletableFuture<Void> closing = registry.closing(SECOND);
        assertThat(commit(9, MINUTE)).isCompletedWithValue(new NotSubmitted(Why.CLOSED));
        assertThat(commit(9, 11, MINUTE).join().notSubmitted()).isEqualTo(2);
        loop.advance(Duration.ofMillis(500));
        assertThat(closing).isNotDone();
        wire.unanswered().stream()
                .filter(one -> one.request instanceof CommitRequest)
                .findFirst()
                .orElseThrow()
                .answer(decided(Outcome.ACCEPTED).build());
        assertThat(answered).isCompletedWithValue(answer(CommitResult.ACCEPTED));
        loop.advance(SECOND);
        assertThat(closing).isCompleted();
        assertThat(sent).isCompletedWithValue(new Unknown());
        // The answer has let it go.
        assertThat(waiting).isCompletedWithValue(new Unknown());
        assertThat(batch.join().notSubmitted()).isEqualTo(2);
        assertThat(batch.join().get(0)).isEqualTo(new NotSubmitted(Why.CLOSED));
        assertThatThrownBy(lookup::join).hasCauseInstanceOf(RegistryUnavailableException.class);
        assertThat(registry.closing(SECOND)).isCompleted();
    }

    @Test
    void whoWaitsForRoomAtACloseIsNotLetIn() throws Exception {
        registry = with(1, Options.DEFAULTS.with(2, WhenFull.WAIT).withRequests(1, 2));
        CompletableFuture<CommitOutcome> first = commit(1, MINUTE);
        CompletableFuture<CommitOutcome> second = commit(2, MINUTE);
        loop.runUntilIdle();
        CompletableFuture<CommitOutcome> third = new CompletableFuture<>();
        Thread waits = new Thread(() -> third.complete(commit(3, MINUTE).join()));
        waits.setDaemon(true);
        waits.start();
        while (waits.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        CompletableFuture<Void> closed = registry.closing(MINUTE);
        loop.runUntilIdle();
        wire.unanswered().get(0).answer(decided(Outcome.ACCEPTED).build());
        assertThat(third.get(60, TimeUnit.SECONDS)).isEqualTo(new NotSubmitted(Why.CLOSED));
        assertThat(first).isCompletedWithValue(answer(CommitResult.ACCEPTED));
        assertThat(closed).isNotDone();
        wire.only().answer(decided(Outcome.ACCEPTED).build());
        loop.runUntilIdle();
        assertThat(second).isCompletedWithValue(answer(CommitResult.ACCEPTED));
        assertThat(closed).isCompleted();
    }

    @Test
    void theLongestDeadlineIsNoShortOne() {
        CompletableFuture<CommitOutcome> commit = commit(1, Duration.ofSeconds(Long.MAX_VALUE));
        loop.advance(Duration.ofHours(1));
        assertThat(commit).isNotDone();
    }

    @Test
    void aCloseWithNothingOutstandingEndsAtOnce() {
        CompletableFuture<CommitOutcome> last = commit(1, MINUTE);
        CompletableFuture<Void> closing = registry.closing(MINUTE);
        FakeRegistryTransport.Sent sent = sent();
        assertThat(closing).isNotDone();
        sent.answer(decided(Outcome.ACCEPTED).build());
        assertThat(last.join().isAccepted()).isTrue();
        assertThat(closing).isCompleted();
    }

    /** The last answer of those before comes when the close is known, and the call is not. */
    @Test
    void aCallThatWasTakenInBeforeTheCloseIsDrainedToo() {
        CompletableFuture<CommitOutcome> before = commit(1, MINUTE);
        sent().answerBehindOthers(decided(Outcome.ACCEPTED).build());
        CompletableFuture<CommitOutcome> last = commit(2, MINUTE);
        CompletableFuture<Void> closing = registry.closing(MINUTE);
        loop.runUntilIdle();
        assertThat(before.join().isAccepted()).isTrue();
        assertThat(closing).isNotDone();
        sent().answer(decided(Outcome.ACCEPTED).build());
        assertThat(last.join().isAccepted()).isTrue();
        assertThat(closing).isCompleted();
    }

    /** Every other one is unmatched. */
    private static CommitToken holderOf(long i) {
        return i % 6 == 1 ? token(i).asUnmatched() : token(i);
    }

    @Test
    void aLookupIsAskedOfTheNearestThatAnswersAndPutTogether() {
        registry = with(2, Options.DEFAULTS);
        List<EventId> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(id(i));
        }
        CompletableFuture<LookupAnswers> answers =
                registry.lookup(IdBatch.of(ids), Freshness.LOCAL, MINUTE);
        loop.runUntilIdle();
        assertThat(wire.unanswered()).hasSize(2);
        wire.unanswered().get(0).lose();
        while (!wire.unanswered().isEmpty()) {
            FakeRegistryTransport.Sent sent = wire.unanswered().get(0);
            LookupRequest request = sent.as(LookupRequest.class);
            assertThat(request.getLinearizable()).isFalse();
            List<EventId> asked = Packed.ids(request.getIds());
            byte[] found = new byte[asked.size()];
            List<CommitToken> holders = new ArrayList<>();
            for (int i = 0; i < found.length; i++) {
                found[i] = (byte) (asked.get(i).micros() % 3);
                if (found[i] == 1) {
                    holders.add(holderOf(asked.get(i).micros()));
                }
            }
            sent.answer(
                    LookupResponse.newBuilder()
                            .setProgress(Progress.DECIDED)
                            .setFound(ByteString.copyFrom(found))
                            .setHolders(Packed.tokens(holders))
                            .build());
        }
        assertThat(wire.sent.stream().filter(s -> s.server.equals(FAR)).count()).isEqualTo(1);
        LookupAnswers all = answers.join();
        assertThat(all.size()).isEqualTo(20);
        assertThat(all.held()).isEqualTo(7);
        for (int i = 0; i < 20; i++) {
            assertThat(all.state(i))
                    .isEqualTo(
                            List.of(Found.State.ABSENT, Found.State.HELD, Found.State.TOO_OLD)
                                    .get(i % 3));
            assertThat(all.holder(i)).isEqualTo(i % 3 == 1 ? holderOf(i) : null);
            assertThat(all.isUnmatched(i)).isEqualTo(i % 6 == 1);
        }
    }

    @Test
    void aLinearizableLookupDoesNotTakeAnotherShardsWordForIt() {
        CompletableFuture<LookupAnswers> answers =
                registry.lookup(
                        IdBatch.of(List.of(id(99), id(100))), Freshness.LINEARIZABLE, MINUTE);
        assertThat(sent().as(LookupRequest.class).getLinearizable()).isTrue();
        wire.only()
                .answer(
                        LookupResponse.newBuilder()
                                .setProgress(Progress.DECIDED)
                                .setFound(ByteString.copyFrom(new byte[] {0, 3}))
                                .build());
        ShardMap newer = ShardMap.initial(1).withEpoch(100, 1);
        wire.only().as(DescribePipelineRequest.class);
        wire.only().answer(described(newer));
        assertThat(answers).isNotDone();
        loop.advance(SECOND);
        LookupRequest moved = sent().as(LookupRequest.class);
        assertThat(moved.getShard().getEpoch()).isEqualTo(2);
        assertThat(Packed.ids(moved.getIds())).containsExactly(id(100));
        wire.only()
                .answer(
                        LookupResponse.newBuilder()
                                .setProgress(Progress.DECIDED)
                                .setFound(ByteString.copyFrom(new byte[] {1}))
                                .setHolders(Packed.tokens(List.of(token(4))))
                                .build());
        assertThat(answers.join().holder(1)).isEqualTo(token(4));
        assertThat(answers.join().state(0)).isEqualTo(Found.State.ABSENT);
    }

    @Test
    void aLookupThatNobodyAnswersFailsByItsDeadline() {
        CompletableFuture<LookupAnswers> answers =
                registry.lookup(IdBatch.of(List.of(id(1))), Freshness.LOCAL, SECOND);
        loop.advance(SECOND.plusMillis(20));
        assertThatThrownBy(answers::join)
                .hasCauseInstanceOf(RegistryUnavailableException.class)
                .hasMessageContaining("No registry server answered a lookup in time");
    }

    private static ScanResponse page(long index, boolean more, long... numbers) {
        List<EventId> ids = new ArrayList<>();
        List<CommitToken> tokens = new ArrayList<>();
        for (long number : numbers) {
            ids.add(id(number));
            tokens.add(token(number));
        }
        return ScanResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setIds(Packed.ids(ids))
                .setTokens(Packed.tokens(tokens))
                .setMore(more)
                .setIndex(index)
                .build();
    }

    @Test
    void aScanReadsShardAfterShardOnePageAheadAndNeverFromAnOlderReplica() {
        registry = with(2, Options.DEFAULTS);
        List<EventId> read = new ArrayList<>();
        List<CompletableFuture<Boolean>> turns = new ArrayList<>();
        CompletableFuture<Long> count =
                registry.scan(
                        Scan.ofTime(5, 50),
                        page -> {
                            for (int i = 0; i < page.size(); i++) {
                                read.add(page.ids().get(i));
                                assertThat(page.token(i))
                                        .isEqualTo(token(page.ids().get(i).micros()));
                            }
                            turns.add(new CompletableFuture<>());
                            return turns.get(turns.size() - 1);
                        },
                        SECOND);
        sent().answer(described(ShardMap.initial(2)));
        ScanRequest first = sent().as(ScanRequest.class);
        assertThat(first.getLinearizable()).isTrue();
        assertThat(first.hasIncarnation()).isFalse();
        assertThat(first.getFromMicros()).isEqualTo(5);
        assertThat(first.getToMicros()).isEqualTo(50);
        assertThat(first.getMinIndex()).isZero();
        wire.only().answer(page(40, true, 6, 7));
        ScanRequest second = sent().as(ScanRequest.class);
        assertThat(Packed.ids(second.getAfter())).containsExactly(id(7));
        assertThat(second.getMinIndex()).isEqualTo(40);
        wire.only().answer(page(41, false, 8));
        assertThat(read).as("the reader has not taken the first page").hasSize(2);
        turns.get(0).complete(true);
        loop.runUntilIdle();
        assertThat(read).hasSize(3);
        assertThat(wire.unanswered()).isEmpty();
        turns.get(1).complete(true);
        ScanRequest other = sent().as(ScanRequest.class);
        assertThat(other.getShard().getShard()).isEqualTo(1);
        assertThat(other.getMinIndex()).isZero();
        wire.only().answer(page(3, false));
        assertThat(count).isCompletedWithValue(3L);
    }

    /** A server that has found nothing for a while says how far it has looked. */
    @Test
    void aScanGoesOnWhereAServerHasStoppedLooking() {
        List<EventId> read = new ArrayList<>();
        CompletableFuture<Long> count =
                registry.scan(
                        Scan.ofIncarnation(token(1).incarnation()),
                        page -> {
                            for (int i = 0; i < page.size(); i++) {
                                read.add(page.ids().get(i));
                            }
                            return CompletableFuture.completedFuture(true);
                        },
                        SECOND);
        sent().answer(described(ShardMap.initial(1)));
        assertThat(sent().as(ScanRequest.class).getMayBePartial()).isTrue();
        wire.only()
                .answer(
                        ScanResponse.newBuilder()
                                .setProgress(Progress.DECIDED)
                                .setIndex(5)
                                .setResumeAfter(Packed.ids(List.of(id(4))))
                                .build());
        ScanRequest further = sent().as(ScanRequest.class);
        assertThat(Packed.ids(further.getAfter())).containsExactly(id(4));
        assertThat(further.getMinIndex()).isEqualTo(5);
        wire.only().answer(page(6, false, 6, 7));
        loop.runUntilIdle();
        assertThat(count).isCompletedWithValue(2L);
        assertThat(read).containsExactly(id(6), id(7));
    }

    @Test
    void aScanEndsWhenItsReaderHasEnoughOrFails() {
        for (boolean fails : new boolean[] {false, true}) {
            CompletableFuture<Long> count =
                    registry.scan(
                            Scan.ofIncarnation(token(1).incarnation()),
                            page ->
                                    fails
                                            ? CompletableFuture.failedFuture(
                                                    new IllegalStateException("full"))
                                            : CompletableFuture.completedFuture(false),
                            SECOND);
            sent().answer(described(ShardMap.initial(1)));
            ScanRequest asked = sent().as(ScanRequest.class);
            assertThat(asked.getIncarnation().getSlot()).isEqualTo(5);
            assertThat(asked.getLife())
                    .as("it reads what is held, of a registry that was restored too")
                    .isEqualTo(Integer.MAX_VALUE);
            wire.only().answer(page(1, true, 6, 7));
            if (fails) {
                assertThatThrownBy(count::join).hasRootCauseMessage("full");
            } else {
                assertThat(count).isCompletedWithValue(2L);
            }
            wire.only().lose();
            loop.advance(MINUTE);
            assertThat(wire.unanswered()).as("nobody asks any more").isEmpty();
        }
    }

    @Test
    void aScanThatNobodyAnswersFails() {
        CompletableFuture<Long> count =
                registry.scan(
                        Scan.ofTime(5, 50),
                        page -> CompletableFuture.completedFuture(true),
                        SECOND);
        loop.advance(SECOND.plusMillis(20));
        assertThatThrownBy(count::join).hasCauseInstanceOf(RegistryUnavailableException.class);
        wire.unanswered().forEach(FakeRegistryTransport.Sent::lose);
        loop.advance(MINUTE);
        assertThat(wire.unanswered()).as("nobody asks any more").isEmpty();
    }
}
