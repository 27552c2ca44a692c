package photon.idregistry.server.boundary;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.time.Duration;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.id.UserKey;
import photon.core.loop.ManualLoop;
import photon.core.rpc.HostPort;
import photon.core.time.ClockState;
import photon.core.time.IntervalClock;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.Stamps;
import photon.idregistry.server.control.Reconciler;
import photon.idregistry.server.groups.FakeLog;
import photon.idregistry.server.groups.Group;
import photon.idregistry.server.groups.GroupMaker;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.server.groups.ServerPeers;
import photon.idregistry.server.groups.Stamping;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.BoundaryStatus;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FirstRoster;
import photon.proto.v1.Incarnation;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.PassedTime;
import photon.proto.v1.PipelineSettings;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.ReshardDecision;
import photon.proto.v1.ServerClock;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.ShardRef;
import photon.proto.v1.Stamp;
import photon.proto.v1.TellClockRequest;
import photon.proto.v1.TellClockResponse;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;
import photon.registry.client.AnsweringTransport;

/** One server of three moves the boundaries of what it leads. */
class BoundaryAdvancerTest {
    private static final UUID PIPELINE = new UUID(3, 4);
    private static final ShardRef FIRST = RegistryProtos.shardRef(PIPELINE, new Shard(1, 0));
    private static final ShardRef SECOND = RegistryProtos.shardRef(PIPELINE, new Shard(1, 1));
    private static final long NOW = 1_700_000_000_000_000L;
    private static final long HOUR = 3_600_000_000L;
    private static final byte PASSED_TIME =
            ControlEntries.passedTime(PassedTime.getDefaultInstance())[0];
    private static final HostPort SELF = HostPort.parse("a:1");
    private static final HostPort OTHER = HostPort.parse("b:1");
    private static final HostPort THIRD = HostPort.parse("c:1");

    private final ManualLoop loop = new ManualLoop();
    private final FakeLog control = new FakeLog(new ControlState());
    private final Map<ShardRef, FakeLog> made = new HashMap<>();

    /** How far each server's clock is from the time; null: it does not answer. */
    private final Map<HostPort, @Nullable Long> offsets = new HashMap<>();

    private final Map<HostPort, Boolean> synchronised = new HashMap<>();
    private final AnsweringTransport transport = new AnsweringTransport(loop, this::answer);
    private @Nullable BoundaryAdvancer advancer;

    private long micros() {
        return NOW + loop.nanoTime() / 1_000;
    }

    private final class OwnMachine implements IntervalClock {
        @Override
        public Interval now() {
            long micros = micros() + Objects.requireNonNull(offsets.get(SELF));
            return new Interval(micros, micros);
        }

        @Override
        public ClockState state() {
            boolean known = synchronised.getOrDefault(SELF, true);
            return new ClockState(
                    ClockState.Source.CONFIGURED, known, 0, known ? "" : "it is alone");
        }
    }

    private @Nullable Object answer(HostPort server, Object request) {
        assertThat(request).isInstanceOf(TellClockRequest.class);
        Long offset = offsets.get(server);
        if (offset == null) {
            return null;
        }
        boolean known = synchronised.getOrDefault(server, true);
        return TellClockResponse.newBuilder()
                .setServer(server.toString())
                .setClock(
                        ServerClock.newBuilder()
                                .setEarliestMicros(micros() + offset)
                                .setLatestMicros(micros() + offset)
                                .setSynchronised(known)
                                .setTrouble(known ? "" : "it is alone"))
                .build();
    }

    @BeforeEach
    void start() {
        for (HostPort server : List.of(SELF, OTHER, THIRD)) {
            offsets.put(server, 0L);
        }
        ServedGroups groups =
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
                        made.put(ref, new FakeLog(new ShardState()));
                        return CompletableFuture.completedFuture(null);
                    }

                    @Override
                    public CompletableFuture<?> remove(ShardRef ref) {
                        made.remove(ref);
                        return CompletableFuture.completedFuture(null);
                    }
                };
        ServerPeers peers =
                new ServerPeers(
                        List.of(SELF, OTHER, THIRD),
                        Map.of("r0", SELF, "r1", OTHER, "r2", THIRD),
                        transport,
                        new SplittableRandom(1));
        OwnMachine machine = new OwnMachine();
        new Reconciler(loop, groups, maker, peers, new Stamping(machine), Duration.ofMillis(100))
                .start();
        advancer = new BoundaryAdvancer(loop, groups, machine, peers);
        advancer.start();
    }

    private void open(long retentionMicros) {
        control.submit(
                ControlEntries.openPipeline(
                        OpenPipelineRequest.newBuilder()
                                .setName("p")
                                .setUuid(RegistryProtos.bytes(PIPELINE))
                                .setShards(2)
                                .setSettings(
                                        PipelineSettings.newBuilder()
                                                .setRetentionMicros(retentionMicros))
                                .build()));
    }

    private void pass(Duration length) {
        for (long passed = 0; passed < length.toMillis(); passed += 100) {
            loop.advance(Duration.ofMillis(100));
        }
    }

    private FakeLog log(ShardRef ref) {
        return Objects.requireNonNull(made.get(ref));
    }

    private long boundary(ShardRef ref) {
        return ((ShardState) log(ref).state).boundaryMicros();
    }

    private long boundaryEntries(ShardRef ref) {
        byte kind = ShardEntries.advanceBoundary(1)[0];
        return log(ref).entries.stream().filter(entry -> entry[0] == kind).count();
    }

    private void assertFollows(ShardRef ref, long retentionMicros) {
        assertThat(boundary(ref))
                .isBetween(
                        micros()
                                - retentionMicros
                                - BoundaryAdvancer.ASK_EVERY.toNanos() / 1_000
                                - 1_000_000,
                        micros() - retentionMicros);
    }

    private String trouble() {
        return Objects.requireNonNull(advancer)
                .status()
                .map(BoundaryStatus::getTrouble)
                .orElse("no status");
    }

    @Test
    void withoutARetentionNothingMovesAndNobodyIsAsked() {
        open(0);
        pass(Duration.ofMinutes(2));
        assertThat(boundary(FIRST)).isEqualTo(Long.MIN_VALUE);
        assertThat(transport.asked()).isZero();
        assertThat(Objects.requireNonNull(advancer).status()).isEmpty();
    }

    @Test
    void aNewPipelinesBoundaryStandsAtOnceAndFollowsTheTime() {
        open(HOUR);
        pass(Duration.ofSeconds(2));
        assertFollows(FIRST, HOUR);
        assertFollows(SECOND, HOUR);
        pass(Duration.ofMinutes(10));
        assertFollows(FIRST, HOUR);
        // An entry a question, no more: each is synced by every replica.
        assertThat(boundaryEntries(FIRST)).isBetween(38L, 45L);
        assertThat(transport.asked()).isBetween(2 * 38L, 2 * 45L);
        assertThat(trouble()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"a:1,1", "a:1,-1", "b:1,1", "b:1,-1", "c:1,1", "c:1,-1"})
    void noSingleClockMovesIt(String server, int hours) {
        offsets.put(HostPort.parse(server), hours * HOUR);
        open(HOUR);
        pass(Duration.ofMinutes(2));
        assertFollows(FIRST, HOUR);
        offsets.put(HostPort.parse(server), -hours * HOUR);
        pass(Duration.ofMinutes(2));
        assertFollows(FIRST, HOUR);
    }

    @Test
    void itNeverGoesBackAndGoesOnWhenTheTimeHasComeToIt() {
        open(HOUR);
        offsets.put(OTHER, HOUR);
        offsets.put(THIRD, HOUR);
        pass(Duration.ofMinutes(1));
        long leapt = boundary(FIRST);
        assertThat(leapt).isGreaterThan(micros() - 60_000_000);
        offsets.put(OTHER, 0L);
        offsets.put(THIRD, 0L);
        long entries = boundaryEntries(FIRST);
        pass(Duration.ofMinutes(59));
        assertThat(boundary(FIRST)).isEqualTo(leapt);
        assertThat(boundaryEntries(FIRST)).isEqualTo(entries);
        pass(Duration.ofMinutes(3));
        assertFollows(FIRST, HOUR);
    }

    @Test
    void aClockThatKnowsThatItIsWrongHasNoVote() {
        synchronised.put(OTHER, false);
        offsets.put(OTHER, HOUR);
        open(HOUR);
        pass(Duration.ofMinutes(1));
        assertFollows(FIRST, HOUR);
        assertThat(trouble()).isEmpty();
    }

    @Test
    void withTooFewVotesItStandsStillSaysWhyAndGoesOn() {
        open(HOUR);
        pass(Duration.ofMinutes(1));
        synchronised.put(SELF, false);
        synchronised.put(OTHER, false);
        pass(BoundaryAdvancer.ASK_EVERY.plusSeconds(1));
        long stands = boundary(FIRST);
        assertThat(trouble()).as("not at the first breath").isEmpty();
        pass(Duration.ofMinutes(5));
        assertThat(boundary(FIRST)).isEqualTo(stands);
        assertThat(trouble())
                .isEqualTo(
                        "1 of 3 clocks are known to be synchronised, 2 are needed: a:1 is not"
                                + " synchronised (it is alone); b:1 is not synchronised (it is"
                                + " alone)");
        synchronised.clear();
        pass(BoundaryAdvancer.ASK_EVERY.plusSeconds(1));
        assertFollows(FIRST, HOUR);
        assertThat(trouble()).isEmpty();
    }

    @Test
    void serversThatDoNotAnswerHaveNoVoteAfterAWhile() {
        open(HOUR);
        pass(Duration.ofMinutes(1));
        offsets.put(THIRD, null);
        pass(Duration.ofMinutes(5));
        assertFollows(FIRST, HOUR);
        offsets.put(OTHER, null);
        pass(BoundaryAdvancer.VOTE_LIFE.plusSeconds(16));
        long stands = boundary(FIRST);
        pass(BoundaryAdvancer.ALARM_AFTER);
        assertThat(boundary(FIRST)).isEqualTo(stands);
        assertThat(trouble()).startsWith("1 of 3 clocks").contains("b:1 has not told its clock");
    }

    @Test
    void onlyTheLeaderMovesItAndANewOneGoesOn() {
        open(HOUR);
        pass(Duration.ofSeconds(2));
        log(SECOND).leads = false;
        long stands = boundary(SECOND);
        pass(Duration.ofMinutes(5));
        assertThat(boundary(SECOND)).isEqualTo(stands);
        assertFollows(FIRST, HOUR);
        log(SECOND).leads = true;
        pass(BoundaryAdvancer.ASK_EVERY.plusSeconds(1));
        assertFollows(SECOND, HOUR);
    }

    @Test
    void anAnswerThatIsLostIsNoReasonToStop() {
        open(HOUR);
        pass(Duration.ofSeconds(2));
        log(FIRST).losesAnswers = true;
        pass(Duration.ofMinutes(5));
        assertFollows(FIRST, HOUR);
    }

    @Test
    void shardsOfANewMapFollowToo() {
        open(HOUR);
        pass(Duration.ofSeconds(2));
        control.submit(
                ControlEntries.beginReshard(
                        BeginReshardRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                .setBaseVersion(1)
                                .setShards(1)
                                .setStartMicros(NOW)
                                .setNonce(ByteString.copyFrom(new byte[] {1}))
                                .build()));
        for (ShardRef ref : List.of(FIRST, SECOND)) {
            log(ref).submit(ShardEntries.prepare(1, 1, NOW));
        }
        control.submit(
                ControlEntries.decideReshard(
                        DecideReshardRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                .setAttempt(1)
                                .setDecision(ReshardDecision.COMMIT)
                                .addPrepared(FIRST)
                                .addPrepared(SECOND)
                                .build()));
        pass(Duration.ofMinutes(1));
        assertFollows(RegistryProtos.shardRef(PIPELINE, new Shard(2, 0)), HOUR);
        assertFollows(FIRST, HOUR);
    }

    @Test
    void manyOldIdsAreDroppedInStepsOneRightBehindTheOther() {
        FakeLog log = new FakeLog(new ShardState());
        made.put(FIRST, log);
        log.submit(ShardEntries.install(ShardMap.initial(1), new Shard(1, 0), Map.of()));
        int cells = 5_000;
        for (int i = 0; i < cells; i++) {
            EventId id = EventId.ofUser(i * 10_000_000L, UserKey.of(List.of("id" + i)));
            log.submit(
                    ShardEntries.commit(
                            Packed.ids(List.of(id)),
                            Packed.tokens(List.of(new CommitToken(1, 1, i)))));
        }
        ShardState state = (ShardState) log.state;
        assertThat(state.ids().count()).isEqualTo(cells);
        open(HOUR);
        pass(Duration.ofSeconds(2));
        assertFollows(FIRST, HOUR);
        assertThat(state.ids().count()).isZero();
        assertThat(boundaryEntries(FIRST)).isBetween(10L, 11L);
        long before = Long.MIN_VALUE;
        for (byte[] entry : log.entries) {
            if (entry[0] == ShardEntries.advanceBoundary(1)[0]) {
                long to = ByteBuffer.wrap(entry).getLong(1);
                assertThat(to).isGreaterThan(before);
                assertThat(before < 0 || to > 51_000_000_000L || to - before <= 5_120_000_000L)
                        .isTrue();
                before = to;
            }
        }
    }

    private void register(String slot, String nonce) {
        control.submit(
                Stamps.stamped(
                        Stamp.newBuilder().setEarliestMicros(micros()).build(),
                        ControlEntries.register(
                                RegisterRequest.newBuilder()
                                        .setPipeline(RegistryProtos.bytes(PIPELINE))
                                        .setSlotName(slot)
                                        .setNonce(ByteString.copyFromUtf8(nonce))
                                        .build())));
    }

    private List<String> heldBack() {
        return Objects.requireNonNull(advancer).status().orElseThrow().getHeldBackList();
    }

    @Test
    void itWaitsForAnIncarnationThatIsNotRepairedHoweverLong() {
        open(HOUR);
        pass(Duration.ofSeconds(2));
        register("east/joiner-0", "first");
        pass(Duration.ofMinutes(50));
        long stands = boundary(FIRST);
        assertThat(stands).isLessThan(micros() - HOUR - 49 * 60_000_000L);
        assertThat(heldBack()).as("a repair takes a while").isEmpty();
        pass(Duration.ofMinutes(80));
        assertThat(boundary(FIRST)).isEqualTo(stands);
        assertThat(boundary(SECOND)).isEqualTo(stands);
        assertThat(heldBack())
                .singleElement()
                .asString()
                .startsWith(
                        "boundary of pipeline p is held back by 2 h: incarnation 1/1 of east/joiner-0 is not repaired (last heard of at 2023-11-14T22:13:2");
        Incarnation dead = Incarnation.newBuilder().setSlot(1).setGeneration(1).build();
        control.submit(
                ControlEntries.fenceIncarnation(
                        FenceIncarnationRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                .setIncarnation(dead)
                                .build()));
        pass(Duration.ofMinutes(1));
        assertThat(boundary(FIRST)).isEqualTo(stands);
        assertThat(heldBack()).singleElement().asString().endsWith("is not repaired (fenced)");
        control.submit(
                ControlEntries.setState(
                        SetIncarnationStateRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                .setIncarnation(dead)
                                .setState(IncarnationState.REPAIRED)
                                .build()));
        pass(BoundaryAdvancer.ASK_EVERY.plusSeconds(1));
        assertFollows(FIRST, HOUR);
        assertFollows(SECOND, HOUR);
        assertThat(heldBack()).isEmpty();
    }

    @Test
    void onlyTheControlGroupsLeaderTellsTheTimeAndShardsFollowWhatItDecided() {
        open(HOUR);
        control.leads = false;
        pass(Duration.ofMinutes(1));
        assertThat(boundary(FIRST)).isEqualTo(Long.MIN_VALUE);
        control.leads = true;
        pass(Duration.ofSeconds(3));
        assertFollows(FIRST, HOUR);
        long told = control.entries.stream().filter(entry -> entry[0] == PASSED_TIME).count();
        pass(Duration.ofMinutes(10));
        assertThat(control.entries.stream().filter(entry -> entry[0] == PASSED_TIME).count() - told)
                .as("a question, an entry")
                .isBetween(38L, 45L);
    }

    @Test
    void onceStoppedItDoesNothing() {
        open(HOUR);
        pass(Duration.ofSeconds(2));
        Objects.requireNonNull(advancer).stop();
        long stands = boundary(FIRST);
        pass(Duration.ofMinutes(2));
        assertThat(boundary(FIRST)).isEqualTo(stands);
    }

    @Test
    void onlyMembersAreCountedAndEachIsEvenWhereNobodyKnowsWhereItIs() {
        roster("r0", "r1");
        open(HOUR);
        offsets.put(THIRD, 2 * HOUR);
        pass(Duration.ofMinutes(1));
        assertFollows(FIRST, HOUR);
        offsets.put(OTHER, null);
        pass(Duration.ofMinutes(3));
        assertThat(trouble())
                .startsWith("1 of 2 clocks are known to be synchronised, 2 are needed");
    }

    @Test
    void aMemberThatNobodyKnowsIsCounted() {
        roster("r0", "r9", "r8");
        open(HOUR);
        pass(Duration.ofMinutes(1));
        assertThat(boundary(FIRST)).isEqualTo(Long.MIN_VALUE);
        assertThat(trouble())
                .isEqualTo(
                        "1 of 3 clocks are known to be synchronised, 2 are needed: r8 has not told"
                                + " its clock; r9 has not told its clock");
    }

    private void roster(String... servers) {
        control.submit(
                ControlEntries.firstRoster(
                        FirstRoster.newBuilder().addAllServers(List.of(servers)).build()));
    }
}
