package photon.idregistry.server.raft;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import photon.core.rpc.HostPort;
import photon.idregistry.control.ControlState;
import photon.idregistry.members.PeerName;
import photon.idregistry.raft.GroupIds;
import photon.idregistry.raft.RaftMember;
import photon.idregistry.raft.RaftNode;
import photon.idregistry.raft.Replica;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.idregistry.server.counts.MeteredState;
import photon.idregistry.server.groups.Group;
import photon.idregistry.server.groups.GroupMaker;
import photon.idregistry.server.members.OwnDisk;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryProtos;

/** Makes shards as Raft groups and removes them. */
public final class RaftGroupMaker implements GroupMaker {
    private final RaftNode node;
    private final RegistryServerConfig config;
    private final ShardTables tables;
    private final Map<String, String> services;
    private final OwnDisk disk;
    private final Group<ControlState> control;

    /**
     * @param tables where the shards' states were made
     * @param services server name to service address
     * @param disk this server's
     * @param control says which disks a group began with
     */
    public RaftGroupMaker(
            RaftNode node,
            RegistryServerConfig config,
            ShardTables tables,
            Map<String, String> services,
            OwnDisk disk,
            Group<ControlState> control) {
        this.node = node;
        this.config = config;
        this.tables = tables;
        this.services = services;
        this.disk = disk;
        this.control = control;
    }

    private static UUID id(ShardRef ref) {
        return GroupIds.shard(
                Objects.requireNonNull(RegistryProtos.uuid(ref.getPipeline())),
                ref.getEpoch(),
                ref.getShard());
    }

    @Override
    public @Nullable Group<ShardState> find(ShardRef ref) {
        UUID id = id(ref);
        Replica replica = node.has(id) ? node.replica(id) : null;
        return replica == null
                ? null
                : new ReplicaGroup<>(node, replica, ShardState.class, services);
    }

    @Override
    public CompletableFuture<?> make(ShardRef ref) {
        List<String> servers = control.read(state -> state.initialServers(ref));
        if (servers.isEmpty()) {
            return CompletableFuture.failedFuture(
                    new IOException("The registry's servers are not known yet"));
        }
        // Nobody makes a server that was removed a member.
        return node.isLeaving() && !isFirst(ref, servers)
                ? CompletableFuture.completedFuture(null)
                : node.addGroup(id(ref), members(ref, servers));
    }

    /** True if the group began with this server, and with its disk. */
    private boolean isFirst(ShardRef ref, List<String> servers) {
        return servers.contains(config.name())
                && control.read(state -> state.initialNumber(config.name(), ref)) == disk.number();
    }

    /**
     * None if the group began without this server, or with another disk in its place: its leader
     * makes this one a member (docs/protocol.md section 11). None, too, if the address of one of
     * its first members is not known here, as of one that was removed since: a replica that knows
     * no members stands for no election, and learns them from whoever leads.
     */
    private List<RaftMember> members(ShardRef ref, List<String> servers) {
        Map<String, HostPort> addresses = new HashMap<>();
        config.peers().forEach(peer -> addresses.put(peer.name(), peer.raft()));
        List<RaftMember> members = new ArrayList<>();
        for (String server : servers) {
            int number = control.read(state -> state.initialNumber(server, ref));
            HostPort address = addresses.get(server);
            if (address == null) {
                return List.of();
            }
            members.add(new RaftMember(new PeerName(server, number).toString(), address));
        }
        return isFirst(ref, servers) ? members : List.of();
    }

    @Override
    public CompletableFuture<?> remove(ShardRef ref) {
        return node.removeGroup(
                id(ref), state -> tables.discard((ShardState) MeteredState.within(state)));
    }
}
