package photon.idregistry.server;

import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import photon.idregistry.control.ControlState;
import photon.idregistry.raft.GroupIds;
import photon.idregistry.raft.RaftNode;
import photon.idregistry.raft.Replica;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.ShardRef;

/** Makes shards as Raft groups and removes them. */
final class RaftGroupMaker implements GroupMaker {
    private final RaftNode node;
    private final RegistryServerConfig config;
    private final ShardTables tables;
    private final Map<String, String> services;

    /**
     * @param tables where the shards' states were made
     * @param services server name to service address
     */
    RaftGroupMaker(
            RaftNode node,
            RegistryServerConfig config,
            ShardTables tables,
            Map<String, String> services) {
        this.node = node;
        this.config = config;
        this.tables = tables;
        this.services = services;
    }

    private static UUID id(ShardRef ref) {
        return GroupIds.shard(
                Objects.requireNonNull(ControlState.uuid(ref.getPipeline())),
                ref.getEpoch(),
                ref.getShard());
    }

    @Override
    public @Nullable Group<ShardState> find(ShardRef ref) {
        UUID id = id(ref);
        Replica replica = node.has(id) ? node.replica(id) : null;
        return replica == null ? null : new ReplicaGroup<>(replica, ShardState.class, services);
    }

    @Override
    public CompletableFuture<?> make(ShardRef ref) {
        return node.addGroup(id(ref), config.members());
    }

    @Override
    public CompletableFuture<?> remove(ShardRef ref) {
        return node.removeGroup(
                id(ref), state -> tables.discard((ShardState) MeteredState.within(state)));
    }
}
