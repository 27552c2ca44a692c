package photon.idregistry.server.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.id.UserKey;
import photon.core.loop.ManualLoop;
import photon.core.rpc.HostPort;
import photon.core.time.IntervalClock;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.ReshardView;
import photon.idregistry.server.data.CommitHandler;
import photon.idregistry.server.data.FenceHandler;
import photon.idregistry.server.data.LookupHandler;
import photon.idregistry.server.data.RemoveHandler;
import photon.idregistry.server.data.ScanHandler;
import photon.idregistry.server.groups.FakeLog;
import photon.idregistry.server.groups.Group;
import photon.idregistry.server.groups.GroupMaker;
import photon.idregistry.server.groups.Readers;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.server.groups.ServerPeers;
import photon.idregistry.server.groups.ShardGroup;
import photon.idregistry.server.groups.Stamping;
import photon.idregistry.server.reshard.OverdueReshards;
import photon.idregistry.server.reshard.PrepareHandler;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DropEpochRequest;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.FenceRequest;
import photon.proto.v1.FenceResponse;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.Outcome;
import photon.proto.v1.PrepareEpochRequest;
import photon.proto.v1.Progress;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RemoveOutcome;
import photon.proto.v1.RemoveRequest;
import photon.proto.v1.RemoveResponse;
import photon.proto.v1.ReshardDecision;
import photon.proto.v1.ScanRequest;
import photon.proto.v1.ScanResponse;
import photon.proto.v1.ShardBoundary;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;
import photon.registry.client.FakeRegistryTransport;

/** A server follows what the control group decides. */
class ReconcilerTest {
    private static final UUID PIPELINE = new UUID(3, 4);
    private static final Duration EVERY = Duration.ofMillis(100);
    private static final ShardRef FIRST = RegistryProtos.shardRef(PIPELINE, new Shard(1, 0));
    private static final ShardRef SECOND = RegistryProtos.shardRef(PIPELINE, new Shard(1, 1));

    private static final Stamping STAMPING = new Stamping(() -> new IntervalClock.Interval(5, 6));

    private final ManualLoop loop = new ManualLoop();
    private final FakeLog control = new FakeLog(new ControlState());
    private final Map<ShardRef, FakeLog> made = new HashMap<>();
    private final FakeRegistryTransport transport = new FakeRegistryTransport(loop);
    private int failuresLeft;
    private ServedGroups groups;

    @BeforeEach
    void start() {
        groups =
                new ServedGroups(
                        loop,
                        BatchLimits.DEFAULTS,
                        FakeLog.group(control, ControlState.class, "", null));
        GroupMaker maker =
                new GroupMaker() {
                    @Override
                    public @Nullable Group<ShardState> find(ShardRef ref) {
                        FakeLog log = made.get(ref);
                        return log == null ? null : FakeLog.group(log, ShardState.class, "", null);
                    }

                    @Override
                    public CompletableFuture<?> make(ShardRef ref) {
                        if (failuresLeft > 0) {
                            failuresLeft--;
                            return CompletableFuture.failedFuture(
                                    new IllegalStateException("not now"));
                        }
                        made.put(ref, new FakeLog(new ShardState()));
                        return CompletableFuture.completedFuture(null);
                    }

                    @Override
                    public CompletableFuture<?> remove(ShardRef ref) {
                        if (failuresLeft > 0) {
                            failuresLeft--;
                            return CompletableFuture.failedFuture(
                                    new IllegalStateException("not now"));
                        }
                        made.remove(ref);
                        return CompletableFuture.completedFuture(null);
                    }
                };
        ServerPeers peers =
                new ServerPeers(
                        List.of(HostPort.parse("a:1"), HostPort.parse("b:1")),
                        transport,
                        new SplittableRandom(1));
        new Reconciler(loop, groups, maker, peers, STAMPING, EVERY).start();
    }

    private void open() {
        control.submit(
                ControlEntries.openPipeline(
                        OpenPipelineRequest.newBuilder()
                                .setName("p")
                                .setUuid(RegistryProtos.bytes(PIPELINE))
                                .setShards(2)
                                .build()));
    }

    private void register(int nonce) {
        control.submit(
                ControlEntries.register(
                        RegisterRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                .setSlotName("east/joiner-0")
                                .setNonce(ByteString.copyFrom(new byte[] {(byte) nonce}))
                                .build()));
    }

    private void looks(int times) {
        for (int i = 0; i < times; i++) {
            loop.advance(EVERY);
        }
    }

    private FakeLog log(ShardRef ref) {
        return Objects.requireNonNull(made.get(ref));
    }

    private ShardState state(ShardRef ref) {
        return (ShardState) log(ref).state;
    }

    @Test
    void theGroupsOfAPipelineAreMadeAndInstalled() {
        looks(2);
        assertThat(made).isEmpty();
        failuresLeft = 1;
        open();
        looks(5);
        assertThat(made).containsOnlyKeys(FIRST, SECOND);
        assertThat(state(FIRST).self()).isEqualTo(new Shard(1, 0));
        assertThat(state(SECOND).self()).isEqualTo(new Shard(1, 1));
        assertThat(groups.shard(FIRST)).isNotNull();
    }

    @Test
    void aFenceReachesTheShardsThatHaveAQuorumAndTheOthersLater() {
        open();
        register(1);
        looks(5);
        assertThat(state(FIRST).fenceTable()).containsEntry(1, 1);

        log(SECOND).leads = false;
        register(2);
        looks(5);
        assertThat(state(FIRST).fenceTable()).containsEntry(1, 2);
        assertThat(state(SECOND).fenceTable()).containsEntry(1, 1);

        log(SECOND).leads = true;
        looks(3);
        assertThat(state(SECOND).fenceTable()).containsEntry(1, 2);
    }

    @Test
    void whatStandsIsNotProposedAgainNotEvenWhenTheAnswerWasLost() {
        open();
        looks(3);
        log(FIRST).losesAnswers = true;
        register(1);
        register(2);
        looks(10);
        // Install and one fence, which was applied although nobody said so.
        assertThat(log(FIRST).entries).hasSize(2);
        assertThat(state(FIRST).fenceTable()).containsEntry(1, 2);
    }

    private long begin(int nonce, long startMicros) {
        control.submit(
                ControlEntries.beginReshard(
                        BeginReshardRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                .setBaseVersion(1)
                                .setShards(1)
                                .setStartMicros(startMicros)
                                .setNonce(ByteString.copyFrom(new byte[] {(byte) nonce}))
                                .build()));
        return reshards().lastNumber();
    }

    private ReshardView reshards() {
        return ((ControlState) control.state).describe("p").orElseThrow().reshards();
    }

    /** The shard's own answer to the one prepare that waits for one. */
    private void answerPrepare(ShardRef ref) {
        FakeRegistryTransport.Sent asked =
                transport.unanswered().stream()
                        .filter(sent -> sent.as(PrepareEpochRequest.class).getShard().equals(ref))
                        .reduce(
                                (one, other) -> {
                                    throw new AssertionError("asked twice");
                                })
                        .orElseThrow();
        new PrepareHandler(groups).handle(asked.as(PrepareEpochRequest.class), asked::answer);
    }

    @Test
    void theControlGroupsLeaderLeadsAnAttemptThatAnybodyBegan() {
        open();
        looks(3);
        long attempt = begin(1, 700);
        looks(1);
        answerPrepare(FIRST);
        looks(5);
        assertThat(reshards().open()).as("the other is not prepared").containsExactly(attempt);
        answerPrepare(SECOND);
        looks(3);
        ShardRef added = RegistryProtos.shardRef(PIPELINE, new Shard(2, 0));
        for (ShardRef ref : List.of(FIRST, SECOND, added)) {
            assertThat(state(ref).map()).isEqualTo(ShardMap.initial(2).withEpoch(700, 1));
            assertThat(state(ref).preparedAttempts()).isEmpty();
        }
        assertThat(lastAudited())
                .isEqualTo("AUDIT_RESHARD_COMMITTED by registry a:1, attempt 1: map version 2");
    }

    /** Who did what. */
    private String lastAudited() {
        List<AuditRecord> all = ((ControlState) control.state).audit();
        AuditRecord last = all.get(all.size() - 1);
        return last.getKind() + " by " + last.getStamp().getActor() + ", " + last.getDetail();
    }

    @Test
    void anotherLeaderGoesOnWhereTheOldOneEndedAndTheOldOneStops() {
        open();
        looks(3);
        begin(1, 700);
        looks(1);
        answerPrepare(FIRST);
        control.leads = false;
        looks(1);
        transport.unanswered().forEach(FakeRegistryTransport.Sent::lose);
        looks(20);
        assertThat(transport.unanswered()).as("it does not lead, and asks nobody").isEmpty();
        control.leads = true;
        looks(1);
        answerPrepare(SECOND);
        answerPrepare(FIRST);
        looks(1);
        assertThat(reshards().open()).isEmpty();
        assertThat(map().version()).isEqualTo(2);
    }

    @Test
    void aDecisionWhoseAnswerWasLostIsFoundInTheLog() {
        open();
        looks(3);
        begin(1, 700);
        looks(1);
        control.losesAnswers = true;
        answerPrepare(FIRST);
        answerPrepare(SECOND);
        looks(5);
        assertThat(map().version()).isEqualTo(2);
        assertThat(state(FIRST).map()).isEqualTo(map());
    }

    @Test
    void aShardThatCannotBePreparedEndsTheAttempt() {
        open();
        looks(3);
        log(SECOND).submit(ShardEntries.commit(ids(900), tokens()));
        begin(1, 700);
        looks(1);
        answerPrepare(FIRST);
        answerPrepare(SECOND);
        looks(3);
        assertThat(reshards().open()).isEmpty();
        assertThat(map().version()).isEqualTo(1);
        assertThat(state(FIRST).preparedAttempts()).isEmpty();
    }

    private static ByteString ids(long micros) {
        for (int n = 0; ; n++) {
            EventId id = EventId.ofUser(micros, UserKey.of(List.of("k" + n)));
            if (ShardMap.initial(2).owner(id).number() == 1) {
                return Packed.ids(List.of(id));
            }
        }
    }

    private static ByteString tokens() {
        return Packed.tokens(List.of(new CommitToken(1, 1, 1)));
    }

    private ShardMap map() {
        return ((ControlState) control.state).describe("p").orElseThrow().map();
    }

    private void moveBoundary(ShardRef ref, long micros) {
        log(ref).submit(ShardEntries.advanceBoundary(micros));
    }

    @Test
    void anEpochIsDroppedOnceEveryBoundaryHasPassedItAndNobodyWaitsForItAnyMore() {
        open();
        looks(3);
        begin(1, 700);
        looks(1);
        answerPrepare(FIRST);
        answerPrepare(SECOND);
        looks(3);
        ShardRef next = RegistryProtos.shardRef(PIPELINE, new Shard(2, 0));
        moveBoundary(FIRST, 700);
        moveBoundary(SECOND, 699);
        moveBoundary(next, 700);
        looks(30);
        assertThat(map().epochs()).as("an id of 699 is not too old").hasSize(2);
        moveBoundary(SECOND, 700);
        moveBoundary(next, 650);
        control.leads = false;
        looks(30);
        assertThat(map().epochs()).as("this server does not lead").hasSize(2);
        control.leads = true;
        failuresLeft = 1;
        looks(30);
        assertThat(map()).isEqualTo(ShardMap.initial(2).withEpoch(700, 1).withoutFirstEpoch());
        assertThat(made).containsOnlyKeys(next);
        assertThat(state(next).map()).isEqualTo(map());
        assertThat(groups.shards()).containsOnlyKeys(next);
        assertThat(lastAudited())
                .isEqualTo("AUDIT_EPOCH_DROPPED by registry a:1, epoch 1: map version 3");
        nobodyWaits(next);
    }

    private void nobodyWaits(ShardRef next) {
        ByteString older = ids(500);
        List<FenceResponse> fenced = new ArrayList<>();
        new FenceHandler(groups)
                .handle(
                        FenceRequest.newBuilder()
                                .setShard(FIRST)
                                .setSlot(1)
                                .setLowestLiveGeneration(2)
                                .build(),
                        fenced::add);
        assertThat(fenced).singleElement().matches(a -> a.getProgress() == Progress.DECIDED);
        List<ScanResponse> scanned = new ArrayList<>();
        new ScanHandler(groups, Readers.atOnce())
                .handle(
                        ScanRequest.newBuilder().setShard(FIRST).setMinIndex(1_000).build(),
                        scanned::add);
        assertThat(scanned)
                .singleElement()
                .matches(a -> a.getProgress() == Progress.DECIDED && a.getIds().isEmpty());
        List<LookupResponse> found = new ArrayList<>();
        new LookupHandler(groups, Readers.atOnce())
                .handle(
                        LookupRequest.newBuilder()
                                .setShard(SECOND)
                                .setLinearizable(true)
                                .setIds(older.concat(ids(800)))
                                .build(),
                        found::add);
        assertThat(found.get(0).getFound().toByteArray()).containsExactly(2, 3);
        List<RemoveResponse> removed = new ArrayList<>();
        new RemoveHandler(groups, 100, STAMPING)
                .handle(
                        RemoveRequest.newBuilder()
                                .setShard(SECOND)
                                .setIds(older)
                                .setTokens(tokens())
                                .build(),
                        removed::add);
        assertThat(removed.get(0).getOutcomes().byteAt(0))
                .isEqualTo((byte) RemoveOutcome.REMOVE_TOO_OLD_VALUE);
        List<CommitResponse> committed = new ArrayList<>();
        new CommitHandler(groups, () -> new IntervalClock.Interval(0, 0), EVERY)
                .opened(committed::add)
                .received(
                        CommitRequest.newBuilder()
                                .setRequest(5)
                                .setShard(SECOND)
                                .setIds(older)
                                .setTokens(tokens())
                                .build());
        assertThat(committed.get(0).getRequest()).isEqualTo(5);
        assertThat(committed.get(0).getOutcomes().byteAt(0))
                .as("decided in a log, as ever")
                .isEqualTo((byte) Outcome.WRONG_SHARD_VALUE);
        assertThat(ShardMap.of(committed.get(0).getMap())).isEqualTo(map());
        byte[] anew = ShardEntries.commit(older, tokens());
        CompletableFuture<byte[]> result = log(next).submit(anew);
        assertThat(ShardResults.commit(result.join()).outcomes().byteAt(0))
                .isEqualTo((byte) Outcome.ID_TOO_OLD_VALUE);
    }

    private void commit(long attempt) {
        control.submit(
                ControlEntries.decideReshard(
                        DecideReshardRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                .setAttempt(attempt)
                                .setDecision(ReshardDecision.COMMIT)
                                .addPrepared(FIRST)
                                .addPrepared(SECOND)
                                .build()));
    }

    @Test
    void aDecidedMapReachesOldGroupsAndNewOnesThatNobodyTold() {
        open();
        looks(3);
        long attempt = begin(1, 700);
        for (ShardRef ref : List.of(FIRST, SECOND)) {
            log(ref).submit(ShardEntries.prepare(attempt, 1, 700));
        }
        register(1);
        register(2);
        commit(attempt);
        looks(5);
        ShardRef added = RegistryProtos.shardRef(PIPELINE, new Shard(2, 0));
        assertThat(made).containsOnlyKeys(FIRST, SECOND, added);
        for (ShardRef ref : List.of(FIRST, SECOND, added)) {
            assertThat(state(ref).map()).isEqualTo(ShardMap.initial(2).withEpoch(700, 1));
            assertThat(state(ref).preparedAttempts()).isEmpty();
            assertThat(state(ref).fenceTable()).containsEntry(1, 2);
        }
        assertThat(log(added).entries).as("the fences came with the map").hasSize(1);
    }

    @Test
    void anAttemptThatNobodyDecidesIsAbortedAfterAWhileAndItsShardsGoOn() {
        open();
        looks(3);
        long attempt = begin(1, 700);
        log(FIRST).submit(ShardEntries.prepare(attempt, 1, 700));
        looks(100);
        control.leads = false;
        loop.advance(OverdueReshards.OPEN_MAX);
        looks(2);
        assertThat(reshards().open()).as("this server does not lead").containsExactly(attempt);
        assertThat(state(FIRST).preparedAttempts()).containsExactly(attempt);
        control.leads = true;
        looks(3);
        assertThat(reshards().open()).isEmpty();
        assertThat(state(FIRST).preparedAttempts()).isEmpty();
        // A copy of the prepare that was delayed changes nothing; one where it is new is undone.
        log(FIRST).submit(ShardEntries.prepare(attempt, 1, 700));
        assertThat(state(FIRST).preparedAttempts()).isEmpty();
        log(SECOND).submit(ShardEntries.prepare(attempt, 1, 700));
        assertThat(state(SECOND).preparedAttempts()).containsExactly(attempt);
        looks(2);
        assertThat(state(SECOND).preparedAttempts()).isEmpty();
    }

    private void drop() {
        control.submit(
                ControlEntries.dropPipeline(
                        DropPipelineRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                .build()));
    }

    @Test
    void theGroupsOfADroppedPipelineAreRemovedAndNobodyIsServedFromThem() {
        open();
        looks(5);
        FakeLog first = log(FIRST);
        int entries = first.entries.size();
        failuresLeft = 1;
        drop();
        looks(1);
        assertThat(groups.shards()).isEmpty();
        assertThat(groups.absent(FIRST)).isEqualTo(Progress.PIPELINE_GONE);
        looks(3);
        assertThat(made).as("also the one that could not be removed at once").isEmpty();
        looks(5);
        assertThat(made).as("nor made again").isEmpty();
        assertThat(first.entries).as("nothing was proposed").hasSize(entries);
    }

    @Test
    void aGroupWithReadsUnderWayIsRemovedAfterThem() {
        open();
        looks(5);
        List<Runnable> reading = new ArrayList<>();
        Readers later = Readers.in(reading::add, loop, 10);
        ShardGroup shard = Objects.requireNonNull(groups.shard(FIRST));
        int[] answers = {0};
        assertThat(shard.reads().read(later, () -> 1, n -> answers[0]++)).isTrue();
        drop();
        looks(5);
        assertThat(made).containsOnlyKeys(FIRST);
        assertThat(shard.reads().read(later, () -> 1, n -> answers[0]++))
                .as("none is begun")
                .isFalse();
        reading.forEach(Runnable::run);
        looks(3);
        assertThat(made).isEmpty();
        assertThat(answers[0]).isEqualTo(1);
    }

    @Test
    void aServerThatWasDownRemovesWhatCameBackWithIt() {
        open();
        drop();
        // Its disk has them, whatever this life has seen.
        made.put(FIRST, new FakeLog(new ShardState()));
        made.put(SECOND, new FakeLog(new ShardState()));
        looks(5);
        assertThat(made).isEmpty();
    }

    @Test
    void withADroppedPipelineGoGroupsOfItsEpochsThatWereDroppedBefore() {
        open();
        commit(begin(1, 700));
        ShardRef next = RegistryProtos.shardRef(PIPELINE, new Shard(2, 0));
        DropEpochRequest.Builder request =
                DropEpochRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(PIPELINE))
                        .setEpoch(1);
        for (ShardRef ref : List.of(FIRST, SECOND, next)) {
            request.addBoundaries(ShardBoundary.newBuilder().setShard(ref).setBoundaryMicros(700));
        }
        control.submit(ControlEntries.dropEpoch(request.build()));
        assertThat(map().firstEpoch().number()).isEqualTo(2);
        drop();
        // This server was down all the time.
        for (ShardRef ref : List.of(FIRST, SECOND, next)) {
            made.put(ref, new FakeLog(new ShardState()));
        }
        looks(5);
        assertThat(made).isEmpty();
    }

    @Test
    void nothingIsMadeByAStateThatIsPerhapsOld() {
        control.caughtUp = false;
        open();
        looks(5);
        assertThat(made).as("it may be dropped by now").isEmpty();
        // What is there is served all the same.
        made.put(FIRST, new FakeLog(new ShardState()));
        looks(1);
        assertThat(groups.shard(FIRST)).isNotNull();
        control.caughtUp = true;
        looks(5);
        assertThat(made).containsOnlyKeys(FIRST, SECOND);
    }

    /** A group that began with it may have no majority before it was there once. */
    @Test
    void aServerThatLeavesMakesTheGroupsThatBeganWithIt() {
        control.retired = true;
        open();
        looks(5);
        assertThat(made).containsOnlyKeys(FIRST, SECOND);
    }
}
