package photon.registry.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.loop.ManualLoop;
import photon.core.rpc.HostPort;
import photon.proto.v1.CancelOutcome;
import photon.proto.v1.CancelRequest;
import photon.proto.v1.CancelResponse;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.DescribePipelineRequest;
import photon.proto.v1.DescribePipelineResponse;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.Outcome;
import photon.proto.v1.Pipeline;
import photon.proto.v1.Progress;
import photon.proto.v1.RemoveOutcome;
import photon.proto.v1.RemoveRequest;
import photon.proto.v1.RemoveResponse;
import photon.proto.v1.ShardLeader;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryClient.CancelResult;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.CommitListener;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.api.RegistryClient.Found;
import photon.registry.api.RegistryClient.RemoveResult;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.RegistryUnavailableException;
import photon.registry.api.ShardMap;

/** What the client sends, and what it makes of each answer. */
final class RegistryClientTest {
    private static final UUID PIPELINE = new UUID(1, 2);
    private static final HostPort NEAR = new HostPort("near", 1);
    private static final HostPort MIDDLE = new HostPort("middle", 2);
    private static final HostPort FAR = new HostPort("far", 3);
    private static final Duration LONG = Duration.ofSeconds(2);

    private final ManualLoop loop = new ManualLoop();
    private final FakeRegistryTransport wire = new FakeRegistryTransport(loop);
    private final RegistryConnection connection =
            new RegistryConnection(
                    loop, wire, List.of(NEAR, MIDDLE, FAR), "ads", new SplittableRandom(1));
    private final Heard heard = new Heard();
    private RegistryClient client;

    /** What the listener was told. */
    private static final class Heard implements CommitListener {
        final List<String> lines = new ArrayList<>();
        final List<Commit> commits = new ArrayList<>();

        @Override
        public void answered(
                Commit commit,
                CommitResult result,
                @Nullable CommitToken holder,
                boolean askedAgain) {
            commits.add(commit);
            lines.add(
                    "%s %s%s%s"
                            .formatted(
                                    commit.token().sequence(),
                                    result.name().toLowerCase(Locale.ROOT),
                                    holder == null ? "" : " by " + holder,
                                    askedAgain ? " again" : ""));
        }
    }

    @BeforeEach
    void describe() {
        client = describedWith(ShardMap.initial(1));
        wire.sent.clear();
    }

    private RegistryClient describedWith(ShardMap map) {
        CompletableFuture<RegistryClient> registry = connection.registry();
        assertThat(wire.only().as(DescribePipelineRequest.class).getName()).isEqualTo("ads");
        wire.only().answer(described(map));
        return registry.join();
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

    @Test
    void aPipelineThatAServerDoesNotKnowYetIsAskedOfTheNext() {
        RegistryConnection other =
                new RegistryConnection(
                        loop, wire, List.of(NEAR, FAR), "new", new SplittableRandom(1));
        CompletableFuture<RegistryClient> registry = other.registry();
        wire.only().answer(DescribePipelineResponse.getDefaultInstance());
        assertThat(wire.unanswered()).as("a pause first").isEmpty();
        loop.advance(LONG);
        assertThat(wire.only().server).isEqualTo(FAR);
        wire.only().lose();
        loop.advance(LONG);
        wire.only().answer(described(ShardMap.initial(3)));
        assertThat(registry.join().shards()).hasSize(3);
        assertThat(other.registry()).isSameAs(registry);
    }

    @Test
    void commitsThatCameTogetherAreOneRequest() {
        assertThat(client.latestMicros()).isEqualTo(Long.MAX_VALUE);
        commit(1);
        commit(2, 3);
        loop.runUntilIdle();
        CommitRequest request = wire.only().as(CommitRequest.class);
        assertThat(Packed.ids(request.getIds())).containsExactly(id(1), id(2), id(3));
        assertThat(Packed.tokens(request.getTokens()))
                .containsExactly(token(1), token(2), token(3));
        assertThat(request.getShard())
                .isEqualTo(RegistryProtos.shardRef(PIPELINE, new Shard(1, 0)));
        wire.only()
                .answer(
                        decided(Outcome.ACCEPTED, Outcome.TAKEN, Outcome.ID_IN_FUTURE)
                                .setHolders(Packed.tokens(List.of(token(77))))
                                .setLatestMicros(2)
                                .build());
        assertThat(heard.lines)
                .containsExactly("1 accepted", "2 taken by 5-5-77", "3 id_in_future");
        assertThat(client.latestMicros()).isEqualTo(2);
    }

    /** One shard may be without a leader: the others' ids do not wait for its. */
    @Test
    void eachIdOfABatchIsToldWhenItsShardHasAnswered() {
        ShardMap map = ShardMap.initial(2);
        client = reconnectedWith(map);
        commit(1, 2, 3, 4, 5, 6, 7, 8);
        loop.runUntilIdle();
        assertThat(wire.unanswered()).hasSize(2);
        CommitRequest second = wire.unanswered().get(1).as(CommitRequest.class);
        List<EventId> ids = Packed.ids(second.getIds());
        Outcome[] outcomes = new Outcome[ids.size()];
        java.util.Arrays.fill(outcomes, Outcome.ACCEPTED);
        wire.unanswered().get(1).answer(decided(outcomes).build());
        assertThat(heard.commits).extracting(Commit::id).containsExactlyElementsOf(ids);
        wire.only().lose();
        loop.advance(LONG);
        CommitRequest again = wire.only().as(CommitRequest.class);
        assertThat(Packed.tokens(again.getTokens()))
                .extracting(CommitToken::sequence)
                .containsExactlyElementsOf(
                        Packed.ids(again.getIds()).stream().map(EventId::micros).toList());
        acceptOldest();
        assertThat(heard.commits).hasSize(8);
        assertThat(heard.lines.get(7)).endsWith(" accepted again");
    }

    @Test
    void requestsAreBoundedInSizeAndInFlight() {
        for (int i = 0; i < 6_000; i++) {
            commit(i);
        }
        loop.runUntilIdle();
        assertThat(wire.unanswered())
                .hasSize(ShardCommitQueue.Limits.DEFAULTS.requestsInFlightMax());
        assertThat(wire.unanswered())
                .allSatisfy(
                        sent ->
                                assertThat(sent.as(CommitRequest.class).getIds().size())
                                        .isEqualTo(
                                                ShardCommitQueue.Limits.DEFAULTS.idsPerRequestMax()
                                                        * EventId.BYTES));
        acceptOldest();
        assertThat(wire.unanswered())
                .hasSize(ShardCommitQueue.Limits.DEFAULTS.requestsInFlightMax());
        while (!wire.unanswered().isEmpty()) {
            acceptOldest();
        }
        assertThat(heard.lines).hasSize(6_000);
        assertThat(wire.sent).as("6 requests, none of them twice").hasSize(6);
    }

    @Test
    void aServerWithoutRoomIsSentSmallerRequests() {
        for (int i = 0; i < 100; i++) {
            commit(i);
        }
        loop.runUntilIdle();
        wire.only().answer(progress(Progress.RESOURCE_EXHAUSTED, ""));
        loop.advance(LONG);
        assertThat(wire.unanswered()).hasSize(2);
        acceptOldest();
        acceptOldest();
        assertThat(heard.lines).hasSize(100);
        assertThat(heard.commits).extracting(c -> c.token().sequence()).isSorted();
    }

    @Test
    void unknownNeverSurfacesAndTheTokenStaysTheSame() {
        commit(1);
        loop.runUntilIdle();
        wire.only().lose();
        loop.advance(LONG);
        wire.only().answer(progress(Progress.UNKNOWN, ""));
        loop.advance(LONG);
        assertThat(heard.lines).isEmpty();
        wire.only().answer(decided(Outcome.ACCEPTED).build());
        assertThat(heard.lines).containsExactly("1 accepted again");
        assertThat(wire.sent).hasSize(3);
        assertThat(wire.sent)
                .allSatisfy(
                        sent -> {
                            CommitRequest request = sent.as(CommitRequest.class);
                            assertThat(Packed.tokens(request.getTokens()))
                                    .containsExactly(token(1));
                        });
    }

    @Test
    void whatWasRefusedOnArrivalIsNotAskedAgainInThatSense() {
        commit(1);
        loop.runUntilIdle();
        wire.only().answer(progress(Progress.RESOURCE_EXHAUSTED, ""));
        assertThat(wire.unanswered()).as("a pause first").isEmpty();
        loop.advance(LONG);
        wire.only().answer(progress(Progress.NO_SUCH_SHARD, ""));
        loop.advance(LONG);
        assertThat(wire.only().server).isEqualTo(MIDDLE);
        wire.only().answer(decided(Outcome.EPOCH_PREPARED).build());
        loop.advance(LONG);
        wire.only().answer(decided(Outcome.ID_TOO_OLD).build());
        // No copy of it can have been accepted, so it is no lost outcome.
        assertThat(heard.lines).containsExactly("1 id_too_old");
    }

    @Test
    void aCopyThatWasNotAnsweredIsRememberedThroughRefusals() {
        commit(1);
        loop.runUntilIdle();
        wire.only().lose();
        loop.advance(LONG);
        wire.only().answer(progress(Progress.NOT_LEADER, FAR.toString()));
        wire.only().answer(decided(Outcome.ID_TOO_OLD).build());
        assertThat(heard.lines).containsExactly("1 id_too_old again");
    }

    @Test
    void aHintIsFollowedAtOnceAndTheLeaderIsRemembered() {
        commit(1);
        loop.runUntilIdle();
        assertThat(wire.only().server).isEqualTo(NEAR);
        wire.only().answer(progress(Progress.NOT_LEADER, FAR.toString()));
        assertThat(wire.only().server).isEqualTo(FAR);
        wire.only().answer(decided(Outcome.ACCEPTED).build());
        commit(2);
        loop.runUntilIdle();
        assertThat(wire.only().server).isEqualTo(FAR);
    }

    /** Else whoever asks for a client again and again sends all others back to a dead leader. */
    @Test
    void anOldDescriptionDoesNotOverruleWhatTheServersHaveSaidSince() {
        DescribePipelineResponse told =
                described(ShardMap.initial(1)).toBuilder()
                        .addLeaders(
                                ShardLeader.newBuilder()
                                        .setShard(
                                                RegistryProtos.shardRef(PIPELINE, new Shard(1, 0)))
                                        .setLeader(FAR.toString()))
                        .build();
        connection.registry(new PipelineDescription(told));
        commit(1);
        loop.runUntilIdle();
        assertThat(wire.only().server).isEqualTo(FAR);
        wire.only().lose();
        loop.advance(LONG);
        HostPort leader = wire.only().server;
        assertThat(leader).isNotEqualTo(FAR);
        wire.only().answer(decided(Outcome.ACCEPTED).build());

        connection.registry(new PipelineDescription(told));
        commit(2);
        loop.runUntilIdle();
        assertThat(wire.only().server).isEqualTo(leader);
    }

    @Test
    void withoutAHintEveryServerIsAskedInTurn() {
        commit(1);
        loop.runUntilIdle();
        List<HostPort> asked = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            asked.add(wire.only().server);
            wire.only().answer(progress(Progress.NOT_LEADER, i == 3 ? "no address" : ""));
            assertThat(wire.unanswered()).isEmpty();
            loop.advance(LONG);
        }
        assertThat(asked).containsExactly(NEAR, MIDDLE, FAR, NEAR, MIDDLE, FAR);
    }

    /** An election takes a second; what the client sleeps behind it, commits wait. */
    @Test
    void aShardWithoutALeaderIsAskedAgainSoonHoweverLongThatLasts() {
        commit(1);
        loop.runUntilIdle();
        for (int i = 0; i < 20; i++) {
            wire.only().answer(progress(Progress.NOT_LEADER, ""));
            loop.advance(Duration.ofMillis(320));
            wire.only().lose();
            loop.advance(Duration.ofMillis(320));
        }
        assertThat(wire.unanswered()).hasSize(1);
    }

    @Test
    void aServerWithoutRoomIsAskedLessAndLess() {
        commit(1);
        loop.runUntilIdle();
        for (int i = 0; i < 7; i++) {
            wire.only().answer(progress(Progress.RESOURCE_EXHAUSTED, ""));
            loop.advance(LONG);
        }
        wire.only().answer(progress(Progress.RESOURCE_EXHAUSTED, ""));
        loop.advance(Duration.ofMillis(600));
        assertThat(wire.unanswered()).isEmpty();
        loop.advance(LONG);
        assertThat(wire.unanswered()).hasSize(1);
    }

    @Test
    void serversThatPointAtEachOtherAreNotFollowedForEver() {
        commit(1);
        loop.runUntilIdle();
        int hops = 0;
        while (!wire.unanswered().isEmpty() && hops < 100) {
            HostPort other = wire.only().server.equals(NEAR) ? FAR : NEAR;
            wire.only().answer(progress(Progress.NOT_LEADER, other.toString()));
            hops++;
        }
        assertThat(hops).isLessThan(10);
    }

    @Test
    void wrongShardBringsTheNewMapAndTheCommitGoesToItsShard() {
        commit(1);
        loop.runUntilIdle();
        ShardMap next =
                new ShardMap(
                        2,
                        List.of(
                                new ShardMap.Epoch(1, Long.MIN_VALUE, 1),
                                new ShardMap.Epoch(2, 1, 1)));
        wire.only().answer(decided(Outcome.WRONG_SHARD).setMap(next.toProto()).build());
        loop.advance(LONG);
        CommitRequest request = wire.only().as(CommitRequest.class);
        assertThat(request.getShard())
                .isEqualTo(RegistryProtos.shardRef(PIPELINE, new Shard(2, 0)));
        assertThat(Packed.tokens(request.getTokens())).containsExactly(token(1));
        wire.only().answer(decided(Outcome.ACCEPTED).build());
        assertThat(heard.lines).containsExactly("1 accepted");
        assertThat(client.shards()).hasSize(2);
        // An older map than ours is not adopted.
        commit(2);
        loop.runUntilIdle();
        ByteString older = ShardMap.initial(5).toProto().toByteString();
        wire.only().answer(decided(Outcome.WRONG_SHARD).setMap(parsed(older)).build());
        assertThat(client.shardOf(id(2))).isEqualTo(new Shard(2, 0));
    }

    /** It is told of a new map by nobody else. */
    @Test
    void aLookupAtAReplicaWithAnotherMapHasTheMapRenewedOnceAWhile() {
        ShardMap next = ShardMap.initial(1).withEpoch(1, 1);
        for (int i = 0; i < 2; i++) {
            CompletableFuture<List<Found>> found = client.lookupLocal(List.of(id(1)));
            wire.unanswered().stream()
                    .filter(sent -> sent.request instanceof LookupRequest)
                    .findFirst()
                    .orElseThrow()
                    .answer(
                            LookupResponse.newBuilder()
                                    .setProgress(Progress.DECIDED)
                                    .setFound(ByteString.copyFrom(new byte[] {3}))
                                    .build());
            assertThat(found.join()).containsExactly(new Found(Found.State.ABSENT, null));
        }
        assertThat(wire.only().as(DescribePipelineRequest.class).getName()).isEqualTo("ads");
        wire.only().answer(described(next));
        assertThat(client.shardOf(id(1))).isEqualTo(new Shard(2, 0));
    }

    /** A server that is behind still knows one that was dropped, whose map has a higher version. */
    @Test
    void theMapOfAnotherPipelineOfThatNameIsNotTaken() {
        client.lookupLocal(List.of(id(1)));
        wire.only()
                .answer(
                        LookupResponse.newBuilder()
                                .setProgress(Progress.DECIDED)
                                .setFound(ByteString.copyFrom(new byte[] {3}))
                                .build());
        DescribePipelineResponse.Builder dropped =
                described(ShardMap.initial(1).withEpoch(1, 4).withEpoch(2, 4)).toBuilder();
        dropped.getPipelineBuilder().setUuid(RegistryProtos.bytes(new UUID(8, 8)));
        HostPort behind = wire.only().server;
        wire.only().answer(dropped.build());
        assertThat(client.shardOf(id(5))).isEqualTo(new Shard(1, 0));
        loop.advance(LONG);
        assertThat(wire.only().server).isNotEqualTo(behind);
        wire.only().answer(described(ShardMap.initial(1).withEpoch(1, 1)));
        assertThat(client.shardOf(id(5))).isEqualTo(new Shard(2, 0));
    }

    private static photon.proto.v1.ShardMap parsed(ByteString bytes) {
        try {
            return photon.proto.v1.ShardMap.parseFrom(bytes);
        } catch (com.google.protobuf.InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theBoundaryIsTheHighestThatWasHeard() {
        assertThat(client.boundaryMicros()).isEqualTo(Long.MIN_VALUE);
        commit(1);
        loop.runUntilIdle();
        wire.only().answer(progress(Progress.NOT_LEADER, FAR.toString()));
        assertThat(client.boundaryMicros()).as("no boundary in a refusal").isNegative();
        wire.only().answer(decided(Outcome.ACCEPTED).setBoundaryMicros(70).build());
        commit(2);
        loop.runUntilIdle();
        wire.only().answer(decided(Outcome.ACCEPTED).setBoundaryMicros(60).build());
        assertThat(client.boundaryMicros()).isEqualTo(70);
    }

    @Test
    void lookupsAreSplitByShardAndPutBackInOrder() {
        RegistryClient two = reconnectedWith(ShardMap.initial(2));
        List<EventId> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(id(i));
        }
        CompletableFuture<List<Found>> found = two.lookupLocal(ids);
        assertThat(wire.unanswered()).hasSize(2);
        assertThat(found).isNotDone();
        List<FakeRegistryTransport.Sent> parts = wire.unanswered();
        parts.get(1).answer(evenOnesHeld(parts.get(1).as(LookupRequest.class)));
        parts.get(0).answer(evenOnesHeld(parts.get(0).as(LookupRequest.class)));
        List<Found> answers = found.join();
        for (int i = 0; i < 20; i++) {
            Found expected =
                    i % 2 == 0
                            ? new Found(Found.State.HELD, token(i))
                            : new Found(Found.State.ABSENT, null);
            assertThat(answers.get(i)).isEqualTo(expected);
        }
        assertThat(two.lookupLocal(List.of())).isNotDone();
    }

    @Test
    void aLookupSaysHowFreshItMustBe() {
        client.lookupLocal(List.of(id(1)));
        assertThat(wire.only().as(LookupRequest.class).getLinearizable()).isFalse();
        wire.only().answer(evenOnesHeld(wire.only().as(LookupRequest.class)));
        CompletableFuture<List<Found>> found = client.lookupLinearizable(List.of(id(2)));
        assertThat(wire.only().as(LookupRequest.class).getLinearizable()).isTrue();
        wire.only().answer(evenOnesHeld(wire.only().as(LookupRequest.class)));
        assertThat(found.join()).containsExactly(new Found(Found.State.HELD, token(2)));
    }

    private static LookupResponse evenOnesHeld(LookupRequest request) {
        List<EventId> ids = Packed.ids(request.getIds());
        byte[] found = new byte[ids.size()];
        List<CommitToken> holders = new ArrayList<>();
        for (int i = 0; i < found.length; i++) {
            if (ids.get(i).micros() % 2 == 0) {
                found[i] = 1;
                holders.add(token((int) ids.get(i).micros()));
            }
        }
        return LookupResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setFound(ByteString.copyFrom(found))
                .setHolders(Packed.tokens(holders))
                .setBoundaryMicros(Long.MIN_VALUE)
                .build();
    }

    private RegistryClient reconnectedWith(ShardMap map) {
        CompletableFuture<RegistryClient> registry =
                new RegistryConnection(
                                loop, wire, List.of(NEAR, FAR), "ads", new SplittableRandom(2))
                        .registry();
        wire.only().answer(described(map));
        return registry.join();
    }

    @Test
    void aServerThatDoesNotAnswerLookupsIsPassedOverForAWhile() {
        CompletableFuture<List<Found>> found = client.lookupLocal(List.of(id(1)));
        assertThat(wire.only().server).isEqualTo(NEAR);
        wire.only().lose();
        assertThat(wire.only().server).isEqualTo(MIDDLE);
        wire.only().answer(evenOnesHeld(wire.only().as(LookupRequest.class)));
        assertThat(found.join()).containsExactly(new Found(Found.State.ABSENT, null));
        client.lookupLocal(List.of(id(1)));
        assertThat(wire.only().server).isEqualTo(MIDDLE);
        wire.only().answer(evenOnesHeld(wire.only().as(LookupRequest.class)));
        loop.advance(Duration.ofSeconds(5));
        client.lookupLocal(List.of(id(1)));
        assertThat(wire.only().server).isEqualTo(NEAR);
    }

    @Test
    void aLookupThatNobodyAnswersFailsSoon() {
        CompletableFuture<List<Found>> found = client.lookupLocal(List.of(id(1)));
        for (int i = 0; i < 20 && !found.isDone(); i++) {
            wire.unanswered().forEach(FakeRegistryTransport.Sent::lose);
            loop.advance(Duration.ofMillis(500));
        }
        assertThatThrownBy(found::join).hasCauseInstanceOf(RegistryUnavailableException.class);
    }

    @Test
    void removesAreAskedUntilTheyAreDefinite() {
        CompletableFuture<List<RemoveResult>> removed =
                client.remove(List.of(new Commit(id(1), token(1)), new Commit(id(2), token(2))));
        wire.only().lose();
        loop.advance(LONG);
        wire.only()
                .answer(
                        RemoveResponse.newBuilder()
                                .setProgress(Progress.NOT_LEADER)
                                .setLeader(FAR.toString())
                                .build());
        assertThat(wire.only().server).isEqualTo(FAR);
        assertThat(wire.sent)
                .allSatisfy(
                        sent ->
                                assertThat(Packed.tokens(sent.as(RemoveRequest.class).getTokens()))
                                        .containsExactly(token(1), token(2)));
        wire.only().answer(removed(RemoveOutcome.NOT_FENCED, RemoveOutcome.REMOVE_WRONG_SHARD));
        // The second one is another shard's: the new map first, then that shard.
        ShardMap next =
                new ShardMap(
                        2,
                        List.of(
                                new ShardMap.Epoch(1, Long.MIN_VALUE, 1),
                                new ShardMap.Epoch(2, 2, 1)));
        wire.only().answer(described(next));
        loop.advance(LONG);
        assertThat(wire.only().as(RemoveRequest.class).getShard().getEpoch()).isEqualTo(2);
        wire.only().answer(removed(RemoveOutcome.REMOVED));
        assertThat(removed.join()).containsExactly(RemoveResult.NOT_FENCED, RemoveResult.REMOVED);
    }

    private static RemoveResponse removed(RemoveOutcome... outcomes) {
        byte[] bytes = new byte[outcomes.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) outcomes[i].getNumber();
        }
        return RemoveResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setOutcomes(ByteString.copyFrom(bytes))
                .build();
    }

    @Test
    void cancelsAreAskedUntilThereIsAnAnswerByTheNewestMap() {
        CompletableFuture<List<CancelResult>> cancelled =
                client.cancel(
                        List.of(
                                new Commit(id(1), token(1)),
                                new Commit(id(2), token(2)),
                                new Commit(id(3), token(3))));
        wire.only().lose();
        loop.advance(LONG);
        wire.only().answer(CancelResponse.newBuilder().setProgress(Progress.UNKNOWN).build());
        loop.advance(LONG);
        assertThat(wire.sent)
                .hasSize(3)
                .allSatisfy(
                        sent ->
                                assertThat(Packed.tokens(sent.as(CancelRequest.class).getTokens()))
                                        .containsExactly(token(1), token(2), token(3)));
        wire.only()
                .answer(
                        cancelled(
                                CancelOutcome.CANCEL_HELD,
                                CancelOutcome.CANCEL_WRONG_SHARD,
                                CancelOutcome.CANCEL_EPOCH_PREPARED));
        ShardMap next =
                new ShardMap(
                        2,
                        List.of(
                                new ShardMap.Epoch(1, Long.MIN_VALUE, 1),
                                new ShardMap.Epoch(2, 2, 1)));
        wire.only().answer(described(next));
        loop.advance(LONG);
        CancelRequest again = wire.only().as(CancelRequest.class);
        assertThat(again.getShard().getEpoch()).isEqualTo(2);
        assertThat(Packed.tokens(again.getTokens())).containsExactly(token(2), token(3));
        wire.only().answer(cancelled(CancelOutcome.CANCEL_DONE, CancelOutcome.CANCEL_FULL));
        assertThat(cancelled.join())
                .containsExactly(
                        CancelResult.HELD, CancelResult.CANCELLED, CancelResult.CANCEL_FULL);
    }

    @Test
    void aCancelInADroppedPipelineIsFenced() {
        CompletableFuture<List<CancelResult>> cancelled =
                client.cancel(List.of(new Commit(id(1), token(1))));
        wire.only().answer(CancelResponse.newBuilder().setProgress(Progress.PIPELINE_GONE).build());
        assertThat(cancelled.join()).containsExactly(CancelResult.FENCED);
    }

    private static CancelResponse cancelled(CancelOutcome... outcomes) {
        byte[] bytes = new byte[outcomes.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) outcomes[i].getNumber();
        }
        return CancelResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setOutcomes(ByteString.copyFrom(bytes))
                .build();
    }

    @Test
    void aClosedClientTellsNobodyAnything() {
        commit(1);
        loop.runUntilIdle();
        FakeRegistryTransport.Sent sent = wire.only();
        CompletableFuture<List<Found>> found = client.lookupLocal(List.of(id(1)));
        client.close();
        client.close();
        sent.answer(decided(Outcome.ACCEPTED).build());
        loop.advance(Duration.ofSeconds(10));
        assertThat(heard.lines).isEmpty();
        assertThat(found).isNotDone();
        assertThat(wire.sent).hasSize(2);
    }

    private void commit(int... numbers) {
        List<Commit> batch = new ArrayList<>();
        for (int number : numbers) {
            batch.add(new Commit(id(number), token(number)));
        }
        client.commit(batch, heard);
    }

    private void acceptOldest() {
        FakeRegistryTransport.Sent oldest = wire.unanswered().get(0);
        int count = oldest.as(CommitRequest.class).getIds().size() / EventId.BYTES;
        Outcome[] outcomes = new Outcome[count];
        java.util.Arrays.fill(outcomes, Outcome.ACCEPTED);
        oldest.answer(decided(outcomes).build());
    }

    private static CommitResponse.Builder decided(Outcome... outcomes) {
        byte[] bytes = new byte[outcomes.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) outcomes[i].getNumber();
        }
        return CommitResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setOutcomes(ByteString.copyFrom(bytes))
                .setBoundaryMicros(Long.MIN_VALUE);
    }

    private static CommitResponse progress(Progress progress, String leader) {
        return CommitResponse.newBuilder().setProgress(progress).setLeader(leader).build();
    }

    private static EventId id(int number) {
        return new EventId(number, 0, 0, 1);
    }

    private static CommitToken token(int number) {
        return new CommitToken(5, 5, number);
    }
}
