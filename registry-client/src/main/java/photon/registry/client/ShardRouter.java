package photon.registry.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.loop.EventLoop;
import photon.proto.v1.DescribePipelineResponse;
import photon.proto.v1.ShardLeader;
import photon.proto.v1.ShardRef;
import photon.registry.api.CommitBatch;
import photon.registry.api.IdBatch;
import photon.registry.api.IdRegistry.Freshness;
import photon.registry.api.IdRegistry.PageReader;
import photon.registry.api.IdRegistry.Scan;
import photon.registry.api.LookupAnswers;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/**
 * Sends what concerns an id to the shard that owns it, by the newest map that any server has told.
 * Its parts do the asking: a {@link ShardCommitQueue} per shard, {@link Removes}, {@link Cancels},
 * {@link Lookups} and {@link Scans}. Components use it in their loop; programs with threads of
 * their own use it through {@link SharedIdRegistry}.
 */
final class ShardRouter implements RegistryClient {
    static final Duration LOCAL_LOOKUP_TIMEOUT = Duration.ofSeconds(3);
    static final Duration LINEARIZABLE_LOOKUP_TIMEOUT = Duration.ofSeconds(30);

    private static final Found ABSENT = new Found(Found.State.ABSENT, null);
    private static final Found TOO_OLD = new Found(Found.State.TOO_OLD, null);

    private final Asking asking;
    private final Leaders leaders;
    private final UUID pipeline;
    private final ShardCommitQueue.Limits limits;
    private final Runnable whenClosed;
    private final Map<Shard, ShardCommitQueue> commitQueues = new HashMap<>();
    private final Deadlines deadlines;
    private final Lookups lookups;
    private final Removes removes;
    private final Cancels cancels;
    private final Scans scans;
    private ShardMap map;

    /** Of the map. */
    private List<Shard> shards;

    /** Read in any thread. */
    private volatile long boundaryMicros = Long.MIN_VALUE;

    private long latestMicros = Long.MAX_VALUE;

    /**
     * @param asking closed with this client
     * @param described what a server answered; it must know the pipeline
     * @param whenClosed runs at the end of {@link #close}
     */
    ShardRouter(
            Asking asking,
            Leaders leaders,
            DescribePipelineResponse described,
            ShardCommitQueue.Limits limits,
            Runnable whenClosed) {
        this.asking = asking;
        this.leaders = leaders;
        this.limits = limits;
        this.whenClosed = whenClosed;
        UUID uuid = RegistryProtos.uuid(described.getPipeline().getUuid());
        this.pipeline = java.util.Objects.requireNonNull(uuid, "uuid");
        this.map = ShardMap.of(described.getPipeline().getMap());
        this.shards = List.copyOf(map.shards());
        for (ShardLeader known : described.getLeadersList()) {
            leaders.of(known.getShard()).hint(known.getLeader());
        }
        Nearest nearest = new Nearest(asking, leaders.servers());
        MapRenewal renewal =
                new MapRenewal(asking, leaders, described.getPipeline(), this::mapHeard);
        this.deadlines = new Deadlines(asking, this::dropEnded);
        this.lookups = new Lookups(asking, this, renewal, nearest);
        this.removes = new Removes(asking, leaders, pipeline, this::shardOf, renewal::now);
        this.cancels = new Cancels(asking, leaders, pipeline, this::shardOf, renewal::now);
        this.scans = new Scans(asking, pipeline, nearest, renewal, () -> map);
    }

    EventLoop loop() {
        return asking.loop;
    }

    UUID pipeline() {
        return pipeline;
    }

    /** Begins a call that ends by its deadline. */
    void begin(Call<?> call) {
        if (call.deadlineNanos - asking.loop.nanoTime() <= 0) {
            call.giveUp(Outcomes.DEADLINE);
        } else {
            deadlines.add(call);
            call.begin(this);
        }
    }

    /** Those that have begun and not ended. */
    List<Call<?>> calls() {
        return deadlines.calls();
    }

    @Override
    public void commit(List<Commit> batch, CommitListener asked) {
        asking.loop.checkInLoop();
        if (batch.isEmpty()) {
            return;
        }
        List<Commit> commits = List.copyOf(batch);
        CommitBatch.Builder packed = CommitBatch.builder(commits.size());
        commits.forEach(commit -> packed.add(commit.id(), commit.token()));
        CommitCall.Listener listener =
                (place, code, holders, at) -> tell(asked, commits.get(place), code, holders, at);
        // Whoever asks so waits however long it takes, and bounds what is under way.
        new CommitCall(packed.build(), Long.MAX_VALUE, listener, left -> {}).begin(this);
    }

    private static void tell(
            CommitListener asked, Commit commit, byte code, ByteBuffer holders, int at) {
        CommitToken holder = Outcomes.isTaken(code) ? Outcomes.token(holders, at) : null;
        asked.answered(commit, Outcomes.result(code), holder, Outcomes.isAskedAgain(code));
    }

    /** Hands commits to the commitQueues of their shards. */
    void route(CommitCall.Part part) {
        if (part.count() == 1) {
            commitQueue(shardOf(part.id(0))).add(part);
        } else {
            split(part.idsOfCall(), part.placesInCall())
                    .forEach(
                            owned -> commitQueue(owned.shard()).add(part.ofPlaces(owned.places())));
        }
    }

    private ShardCommitQueue commitQueue(Shard shard) {
        return commitQueues.computeIfAbsent(
                shard,
                s -> {
                    ShardRef group = RegistryProtos.shardRef(pipeline, s);
                    return new ShardCommitQueue(asking, leaders.of(group), group, limits, this);
                });
    }

    /**
     * Some ids by shard.
     *
     * @param some places in the batch; null: all of it
     */
    List<ShardPart> split(IdBatch ids, int @Nullable [] some) {
        return ShardPart.split(map, shards, ids, some);
    }

    private void dropEnded() {
        commitQueues.values().forEach(ShardCommitQueue::dropEnded);
    }

    @Override
    public CompletableFuture<List<Found>> lookupLocal(List<EventId> ids) {
        return lookup(ids, Freshness.LOCAL, LOCAL_LOOKUP_TIMEOUT);
    }

    @Override
    public CompletableFuture<List<Found>> lookupLinearizable(List<EventId> ids) {
        return lookup(ids, Freshness.LINEARIZABLE, LINEARIZABLE_LOOKUP_TIMEOUT);
    }

    private CompletableFuture<List<Found>> lookup(
            List<EventId> ids, Freshness freshness, Duration timeout) {
        asking.loop.checkInLoop();
        if (ids.isEmpty()) {
            CompletableFuture<List<Found>> nothing = new CompletableFuture<>();
            asking.soon(() -> nothing.complete(List.of()));
            return nothing;
        }
        long deadline = asking.loop.nanoTime() + timeout.toNanos();
        LookupCall call = new LookupCall(IdBatch.of(ids), freshness, deadline, left -> {});
        begin(call);
        return call.thenApply(ShardRouter::found);
    }

    private static List<Found> found(LookupAnswers answers) {
        List<Found> found = new ArrayList<>(answers.size());
        for (int i = 0; i < answers.size(); i++) {
            found.add(
                    switch (answers.state(i)) {
                        case ABSENT -> ABSENT;
                        case TOO_OLD -> TOO_OLD;
                        case HELD -> new Found(Found.State.HELD, answers.holder(i));
                    });
        }
        return found;
    }

    void ask(LookupCall call) {
        lookups.ask(call, null);
    }

    /**
     * @param result completed in the loop
     */
    void scan(Scan what, PageReader reader, Duration pageTimeout, CompletableFuture<Long> result) {
        scans.begin(what, reader, pageTimeout, result);
    }

    @Override
    public CompletableFuture<List<RemoveResult>> remove(List<Commit> batch) {
        asking.loop.checkInLoop();
        return removes.begin(batch);
    }

    @Override
    public CompletableFuture<List<CancelResult>> cancel(List<Commit> batch) {
        asking.loop.checkInLoop();
        return cancels.begin(batch);
    }

    void mapHeard(ShardMap heard) {
        if (heard.version() > map.version()) {
            map = heard;
            shards = List.copyOf(heard.shards());
        }
    }

    /** Something later than this was refused as in the future. */
    void latestHeard(long heard) {
        latestMicros = heard;
    }

    @Override
    public long latestMicros() {
        return latestMicros;
    }

    void boundaryHeard(long heard) {
        if (heard > boundaryMicros) {
            boundaryMicros = heard;
        }
    }

    @Override
    public long boundaryMicros() {
        return boundaryMicros;
    }

    @Override
    public List<Shard> shards() {
        return shards;
    }

    @Override
    public Shard shardOf(EventId id) {
        return map.owner(id);
    }

    /** Scans fail; what else waits is never answered, so give it up before. */
    @Override
    public void close() {
        scans.close();
        asking.close();
        commitQueues.clear();
        whenClosed.run();
    }
}
