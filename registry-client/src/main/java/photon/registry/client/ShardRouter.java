package photon.registry.client;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import photon.core.id.EventId;
import photon.proto.v1.DescribePipelineResponse;
import photon.proto.v1.ShardLeader;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/**
 * Sends what concerns an id to the shard that owns it, by the newest map that any server has told.
 * Its parts do the asking: a {@link CommitLane} a shard, {@link Removes} and {@link LocalLookups}.
 */
final class ShardRouter implements RegistryClient, CommitLane.Router {
    private final Asking asking;
    private final Leaders leaders;
    private final UUID pipeline;
    private final Map<Shard, CommitLane> lanes = new HashMap<>();
    private final LocalLookups lookups;
    private final Removes removes;
    private ShardMap map;
    private long boundaryMicros = Long.MIN_VALUE;
    private long latestMicros = Long.MAX_VALUE;

    /**
     * @param described what a server answered; it must know the pipeline
     */
    ShardRouter(Asking asking, Leaders leaders, DescribePipelineResponse described) {
        this.asking = asking;
        this.leaders = leaders;
        UUID uuid = RegistryProtos.uuid(described.getPipeline().getUuid());
        this.pipeline = java.util.Objects.requireNonNull(uuid, "uuid");
        this.map = ShardMap.of(described.getPipeline().getMap());
        for (ShardLeader known : described.getLeadersList()) {
            leaders.of(known.getShard()).hint(known.getLeader());
        }
        MapRenewal renewal =
                new MapRenewal(asking, leaders, described.getPipeline(), this::mapHeard);
        this.lookups =
                new LocalLookups(
                        asking, leaders.servers(), pipeline, this::noteBoundary, renewal::soon);
        this.removes = new Removes(asking, leaders, pipeline, this::ownerOf, renewal::now);
    }

    @Override
    public void commit(List<Commit> batch, CommitListener asked) {
        asking.loop.checkInLoop();
        for (Commit commit : batch) {
            route(new PendingCommit(commit, asked));
        }
    }

    @Override
    public void route(CommitWork work) {
        lanes.computeIfAbsent(ownerOf(work.id(0)), this::lane).add(work);
    }

    private CommitLane lane(Shard shard) {
        ShardRef group = RegistryProtos.shardRef(pipeline, shard);
        return new CommitLane(asking, leaders.of(group), group, CommitLane.Limits.DEFAULTS, this);
    }

    private Shard ownerOf(EventId id) {
        return map.owner(id);
    }

    @Override
    public CompletableFuture<List<Found>> lookupLocal(List<EventId> ids) {
        asking.loop.checkInLoop();
        return lookups.lookup(ids, this::ownerOf);
    }

    @Override
    public CompletableFuture<List<RemoveResult>> remove(List<Commit> batch) {
        asking.loop.checkInLoop();
        return removes.remove(batch);
    }

    @Override
    public void mapHeard(ShardMap heard) {
        if (heard.version() > map.version()) {
            map = heard;
        }
    }

    @Override
    public void boundaryHeard(long heard) {
        noteBoundary(heard);
    }

    @Override
    public void latestHeard(long heard) {
        latestMicros = heard;
    }

    @Override
    public long latestMicros() {
        return latestMicros;
    }

    private void noteBoundary(long heard) {
        boundaryMicros = Math.max(boundaryMicros, heard);
    }

    @Override
    public long boundaryMicros() {
        return boundaryMicros;
    }

    @Override
    public List<Shard> shards() {
        return map.shards();
    }

    @Override
    public Shard shardOf(EventId id) {
        return ownerOf(id);
    }

    @Override
    public void close() {
        asking.close();
        lanes.clear();
    }
}
