package photon.idregistry.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.loop.ManualLoop;
import photon.idregistry.api.RegistryClient.Shard;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.ReshardView;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardMap;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.ReshardDecision;
import photon.proto.v1.ShardRef;

/** A server follows what the control group decides. */
class ReconcilerTest {
    private static final UUID PIPELINE = new UUID(3, 4);
    private static final Duration EVERY = Duration.ofMillis(100);
    private static final ShardRef FIRST = ControlState.shardRef(PIPELINE, new Shard(1, 0));
    private static final ShardRef SECOND = ControlState.shardRef(PIPELINE, new Shard(1, 1));

    private final ManualLoop loop = new ManualLoop();
    private final FakeLog control = new FakeLog(new ControlState());
    private final Map<ShardRef, FakeLog> made = new HashMap<>();
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
                };
        new Reconciler(loop, groups, maker, EVERY).start();
    }

    private void open() {
        control.submit(
                ControlEntries.openPipeline(
                        OpenPipelineRequest.newBuilder()
                                .setName("p")
                                .setUuid(ControlState.bytes(PIPELINE))
                                .setShards(2)
                                .build()));
    }

    private void register(int nonce) {
        control.submit(
                ControlEntries.register(
                        RegisterRequest.newBuilder()
                                .setPipeline(ControlState.bytes(PIPELINE))
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
                                .setPipeline(ControlState.bytes(PIPELINE))
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

    private void commit(long attempt) {
        control.submit(
                ControlEntries.decideReshard(
                        DecideReshardRequest.newBuilder()
                                .setPipeline(ControlState.bytes(PIPELINE))
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
        ShardRef added = ControlState.shardRef(PIPELINE, new Shard(2, 0));
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
}
