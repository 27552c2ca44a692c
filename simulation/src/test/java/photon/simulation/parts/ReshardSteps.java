package photon.simulation.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.UserKey;
import photon.core.loop.EventLoop;
import photon.core.rpc.HostPort;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.control.PipelineView;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.ReshardState;
import photon.proto.v1.SetPipelineRequest;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ReshardClient.End;
import photon.registry.api.ReshardClient.Reshard;
import photon.registry.api.ReshardClient.Result;
import photon.registry.client.RegistryConnection;
import photon.simulation.kernel.HostClock;
import photon.simulation.kernel.Life;
import photon.simulation.kernel.Timeline;
import photon.simulation.kernel.Trace;
import photon.simulation.network.Network;
import photon.simulation.raft.Reach;
import photon.simulation.raft.SimulatedCluster;

/**
 * One reshard of two shards to three under the load of two clients that commit the same ids, whose
 * every step can be met with something. Later the boundary passes the old epoch, which is dropped.
 */
final class ReshardSteps {
    static final int SHARDS = 2;
    static final int NEW_SHARDS = 3;
    private static final int IDS = 120;
    private static final Duration ID_EVERY = Duration.ofMillis(250);
    private static final Duration BEGIN_AFTER = Duration.ofSeconds(8);
    private static final Duration START_AFTER = Duration.ofSeconds(3);
    private static final Duration BOUNDARY_AFTER = Duration.ofSeconds(110);

    /** More than a server's clock is off. */
    private static final long CLOCK_ERROR_MICROS = 100_000;

    private static final Duration LENGTH = Duration.ofSeconds(200);
    private static final UUID PIPELINE = new UUID(1, 2);

    /** Small, so that they are met. */
    private static final BatchLimits LIMITS = new BatchLimits(64, 3, 512);

    private static final List<HostPort> SERVERS =
            List.of(
                    new HostPort("registry-0", 1),
                    new HostPort("registry-1", 1),
                    new HostPort("registry-2", 1));

    /** What has just come about for good, in this order. */
    enum Moment {
        BEGUN,
        FIRST_PREPARED,
        ALL_PREPARED,
        DECIDED,
        FIRST_OLD_INSTALLED,
        FIRST_NEW_INSTALLED,
        ALL_INSTALLED,
        DROPPED,
        FIRST_REMOVED
    }

    final Timeline timeline;
    final SimulatedCluster cluster;
    final Map<String, RegistryHost> hosts = new TreeMap<>();
    final Life operator;
    final Life client;
    final List<String> violations = new ArrayList<>();
    private final Network network;
    private final Trace trace = new Trace(true);
    private final Moment moment;
    private final Consumer<ReshardSteps> then;
    private final Map<Integer, List<String>> results = new TreeMap<>();
    private final Life bystander;
    private final EventLoop bystandersLoop;
    private @Nullable RegistryConnection bystanders;
    private boolean met;

    /** Some server has taken an old group away. */
    private boolean removed;

    private long beganNanos;
    @Nullable Result cancelled;
    @Nullable CommitResult tooOld;

    /** What the one who began it hears, if he lives. */
    @Nullable Result heard;

    /**
     * @param moment when {@code then} runs, once
     */
    ReshardSteps(long seed, Moment moment, Consumer<ReshardSteps> then) {
        this.moment = moment;
        this.then = then;
        timeline = new Timeline(seed, trace);
        network = new Network(timeline);
        cluster = new SimulatedCluster(timeline, Reach.over(network), SERVERS, violations::add);
        for (HostPort server : SERVERS) {
            RegistryHost host =
                    new RegistryHost(
                            timeline, network, cluster, server, SERVERS, LIMITS, this::met);
            hosts.put(host.process(), host);
            host.start();
        }
        client = commits(1);
        commits(2);
        operator = process("operator");
        timeline.after(BEGIN_AFTER, this::begin);
        bystander = process("bystander");
        bystandersLoop = bystander.loop("main");
        timeline.after(BOUNDARY_AFTER, this::moveBoundaries);
    }

    /** Somebody whom nothing befalls. */
    private void byBystander(Consumer<RegistryConnection> what) {
        bystandersLoop.execute(
                () -> {
                    RegistryConnection connection = bystanders;
                    if (connection == null) {
                        connection = connect(bystander, bystandersLoop);
                        bystanders = connection;
                    }
                    what.accept(connection);
                });
    }

    private void met(Life life, String where, Throwable bug) {
        violations.add(life + " in " + where + ": " + bug);
    }

    private Life process(String name) {
        return new Life(timeline, new HostClock(timeline, 1_000), name, 1, this::met);
    }

    private RegistryConnection connect(Life life, EventLoop loop) {
        return new RegistryConnection(
                loop,
                new SimulatedTransport(network, life, life.process(), loop),
                SERVERS,
                "p",
                life.random());
    }

    // The clients.

    private Life commits(int number) {
        Life life = process("client-" + number);
        EventLoop loop = life.loop("main");
        loop.execute(
                () -> {
                    RegistryConnection connection = connect(life, loop);
                    connection
                            .control()
                            .openPipeline("p", PIPELINE, "f", SHARDS)
                            .thenCompose(opened -> connection.registry())
                            .thenAccept(registry -> commitNext(number, loop, registry, 0));
                });
        return life;
    }

    private void commitNext(int number, EventLoop loop, RegistryClient registry, int n) {
        if (n < IDS) {
            commit(number, loop, registry, n);
            loop.schedule(ID_EVERY, () -> commitNext(number, loop, registry, n + 1));
        }
    }

    private static EventId id(int n) {
        long micros = Timeline.START_MICROS + ID_EVERY.toNanos() / 1_000 * n;
        return EventId.ofUser(micros, UserKey.of(List.of("id" + n)));
    }

    private void commit(int number, EventLoop loop, RegistryClient registry, int n) {
        registry.commit(
                List.of(new Commit(id(n), new CommitToken(number, 1, n))),
                (commit, result, holder, askedAgain) -> {
                    if (result == CommitResult.ID_IN_FUTURE) {
                        loop.schedule(ID_EVERY, () -> commit(number, loop, registry, n));
                    } else {
                        results.computeIfAbsent(n, i -> new ArrayList<>())
                                .add(number + " " + result);
                    }
                });
    }

    // The reshard.

    private void begin() {
        if (pipeline() == null) {
            timeline.after(ID_EVERY, this::begin);
            return;
        }
        beganNanos = timeline.nowNanos();
        long start = timeline.nowMicros() + START_AFTER.toNanos() / 1_000;
        EventLoop loop = operator.loop("main");
        loop.execute(
                () ->
                        connect(operator, loop)
                                .reshards()
                                .reshard(
                                        new Reshard(
                                                PIPELINE, 1, NEW_SHARDS, start, "01".repeat(16)),
                                        Duration.ofSeconds(60))
                                .thenAccept(result -> heard = result));
    }

    /** By somebody who sees it. */
    void cancel() {
        byBystander(
                connection ->
                        connection
                                .reshards()
                                .cancel(PIPELINE, 1)
                                .thenAccept(result -> cancelled = result));
    }

    private void moveBoundaries() {
        PipelineView known = pipeline();
        if (known == null || known.map().epochs().size() < 2) {
            return;
        }
        long boundary = known.map().lastEpoch().startMicros();
        keep(timeline.nowMicros() - CLOCK_ERROR_MICROS - boundary);
        timeline.after(
                Duration.ofSeconds(70),
                () -> {
                    // So that nothing is under way at the end.
                    keep(0);
                    byBystander(
                            connection ->
                                    connection.registry().thenAccept(this::commitWhatIsTooOld));
                });
    }

    /** For ever with 0. */
    private void keep(long retentionMicros) {
        byBystander(
                connection ->
                        connection
                                .pipelines()
                                .set(
                                        SetPipelineRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                                .setRetentionMicros(retentionMicros)
                                                .build()));
    }

    private void commitWhatIsTooOld(RegistryClient registry) {
        registry.commit(
                List.of(new Commit(id(0), new CommitToken(3, 1, 1))),
                (commit, result, holder, again) -> tooOld = result);
    }

    @Nullable PipelineView pipeline() {
        return cluster.committedControl().describe("p").orElse(null);
    }

    private boolean isNow() {
        PipelineView known = pipeline();
        if (beganNanos == 0 || known == null) {
            return false;
        }
        List<ShardState> shards = cluster.committedShards();
        long old = shards.stream().filter(shard -> installed(shard, 1)).count();
        long grown = shards.stream().filter(shard -> installed(shard, 2)).count();
        long prepared = shards.stream().filter(s -> !s.preparedAttempts().isEmpty()).count();
        return switch (moment) {
            case BEGUN -> known.reshards().lastNumber() > 0;
            case FIRST_PREPARED -> prepared > 0;
            case ALL_PREPARED -> prepared == SHARDS;
            case DECIDED -> known.map().version() > 1;
            case FIRST_OLD_INSTALLED -> old > 0;
            case FIRST_NEW_INSTALLED -> grown > 0;
            case ALL_INSTALLED -> old == SHARDS && grown == NEW_SHARDS;
            case DROPPED -> !known.dropped().isEmpty();
            case FIRST_REMOVED -> removed;
        };
    }

    private static boolean installed(ShardState shard, int epoch) {
        return shard.self() != null
                && shard.self().epoch() == epoch
                && Objects.requireNonNull(shard.map()).version() > 1;
    }

    /** To the end, when all must be well. */
    void run() {
        while (timeline.nowNanos() < LENGTH.toNanos() && timeline.step()) {
            removed |= !removed && cluster.isRemovedSomewhere(oldShard(0));
            if (!met && isNow()) {
                met = true;
                then.accept(this);
            }
        }
        cluster.compareStates();
        assertThat(violations).isEmpty();
        assertThat(cluster.settled()).as("every replica has all that is committed").isTrue();
        eachIdIsAcceptedOnce();
        everyGroupHasTheMap();
        if (cancelled != null) {
            assertThat(cancelled.end() == End.COMMITTED).isEqualTo(isCommitted());
        }
        if (heard != null) {
            assertThat(heard.end() == End.COMMITTED).isEqualTo(isCommitted());
        }
        if (isCommitted()) {
            assertThat(Objects.requireNonNull(pipeline()).dropped()).hasSize(1);
            for (int shard = 0; shard < SHARDS; shard++) {
                assertThat(cluster.isRemovedEverywhere(oldShard(shard))).isTrue();
            }
            assertThat(tooOld).isEqualTo(CommitResult.ID_TOO_OLD);
        }
    }

    static String oldShard(int number) {
        return PIPELINE + "/1/" + number;
    }

    /** True if its moment came. */
    boolean happened() {
        return met;
    }

    boolean isCommitted() {
        ReshardState state = Objects.requireNonNull(pipeline()).reshards().states().get(1L);
        assertThat(state).isIn(ReshardState.RESHARD_COMMITTED, ReshardState.RESHARD_ABORTED);
        return state == ReshardState.RESHARD_COMMITTED;
    }

    private void eachIdIsAcceptedOnce() {
        assertThat(results).hasSize(IDS);
        results.forEach(
                (n, both) -> {
                    // A client that was killed may have been accepted without hearing so.
                    assertThat(both).as("id %s", n).hasSizeBetween(client.alive() ? 2 : 1, 2);
                    assertThat(both)
                            .as("id %s", n)
                            .filteredOn(r -> r.endsWith(" " + CommitResult.ACCEPTED))
                            .hasSizeBetween(client.alive() ? 1 : 0, 1);
                    assertThat(both)
                            .as("id %s", n)
                            .allMatch(
                                    r ->
                                            r.endsWith(" " + CommitResult.ACCEPTED)
                                                    || r.endsWith(" " + CommitResult.TAKEN));
                });
    }

    private void everyGroupHasTheMap() {
        PipelineView known = Objects.requireNonNull(pipeline());
        assertThat(known.reshards().open()).isEmpty();
        List<RegistryClient.Shard> live = known.map().shards();
        int seen = 0;
        for (ShardState shard : cluster.committedShards()) {
            if (shard.self() != null && live.contains(shard.self())) {
                seen++;
                assertThat(shard.map()).isEqualTo(known.map());
                assertThat(shard.preparedAttempts()).isEmpty();
            }
        }
        assertThat(seen).isEqualTo(live.size());
    }
}
