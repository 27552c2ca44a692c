package photon.registry.client;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import photon.core.rpc.HostPort;
import photon.proto.v1.ShardRef;

/** The guesses of one client about the leaders of all groups, the control group's among them. */
final class Leaders {
    private final List<HostPort> servers;
    private final LeaderHunt control;
    private final Map<ShardRef, LeaderHunt> shards = new HashMap<>();

    Leaders(List<HostPort> servers) {
        this.servers = List.copyOf(servers);
        this.control = new LeaderHunt(this.servers);
    }

    LeaderHunt ofControl() {
        return control;
    }

    LeaderHunt of(ShardRef shard) {
        return shards.computeIfAbsent(shard, s -> new LeaderHunt(servers));
    }

    /** Nearest first. */
    List<HostPort> servers() {
        return servers;
    }
}
