package photon.registry.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.idregistry.leaders.Followers;
import photon.idregistry.leaders.Placement;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.ShardRef;

/**
 * Which leaderships are to go from where to where, as far as the servers' answers tell.
 *
 * @param servers all, in the order of the configuration
 * @param moves one a group that is concerned, in the order of {@link RegistryView#groups}
 */
public record LeaderMoves(List<RegistryView.Server> servers, List<Move> moves) {
    /** Far above a heartbeat: the leader itself looks again. */
    private static final long SILENT_MILLIS_MAX = 3_000;

    /**
     * One group.
     *
     * @param shard empty: the control group
     * @param from who leads it; empty: nobody
     * @param to who is to lead it; empty: nobody can
     * @param trouble why it cannot be done; empty: it can, or it is so already
     */
    public record Move(
            String group,
            Optional<ShardRef> shard,
            Optional<String> from,
            Optional<String> to,
            String trouble) {
        /** Nothing is left to be done. */
        public boolean isThere() {
            return trouble.isEmpty() && from.equals(to);
        }
    }

    public LeaderMoves {
        servers = List.copyOf(servers);
        moves = List.copyOf(moves);
    }

    /** Of these groups to one server. */
    public static LeaderMoves to(RegistryView view, List<GroupView> groups, String server) {
        return new LeaderMoves(
                view.servers(),
                groups.stream().map(group -> move(group, List.of(server), server)).toList());
    }

    /** Of all that this server leads, each to the best of the others that can. */
    public static LeaderMoves awayFrom(RegistryView view, String server) {
        Placement placement = placement(view);
        List<Move> moves = new ArrayList<>();
        for (GroupView group : view.groups()) {
            if (group.leader().filter(server::equals).isPresent()) {
                List<String> others =
                        new ArrayList<>(
                                placement.preference(
                                        group.shard()
                                                .map(ShardRef::getShard)
                                                .orElse(Placement.CONTROL)));
                others.remove(server);
                moves.add(move(group, others, "any other server"));
            }
        }
        return new LeaderMoves(view.servers(), moves);
    }

    static Placement placement(RegistryView view) {
        return new Placement(
                view.servers().stream()
                        .filter(server -> !server.name().isEmpty())
                        .map(server -> new Placement.Server(server.name(), server.leaderWeight()))
                        .toList());
    }

    private static Move move(GroupView group, List<String> candidates, String wanted) {
        Optional<String> leader = group.leader();
        if (leader.isEmpty()) {
            return new Move(
                    group.name(), group.shard(), leader, Optional.empty(), "it has no leader");
        }
        if (candidates.contains(leader.get())) {
            return new Move(group.name(), group.shard(), leader, leader, "");
        }
        Followers followers = followers(group, leader.get());
        return followers.successors(candidates).stream()
                .findFirst()
                .map(to -> new Move(group.name(), group.shard(), leader, Optional.of(to), ""))
                .orElseGet(
                        () ->
                                new Move(
                                        group.name(),
                                        group.shard(),
                                        leader,
                                        Optional.empty(),
                                        candidates.size() == 1
                                                ? followers.trouble(candidates.get(0)).orElse("")
                                                : wanted + " cannot take over"));
    }

    private static Followers followers(GroupView group, String leader) {
        return new Followers(
                group.replicas().stream()
                        .filter(replica -> replica.server().equals(leader))
                        .flatMap(replica -> replica.status().stream())
                        .map(ReplicaStatus::getFollowersList)
                        .flatMap(List::stream)
                        .map(
                                follower ->
                                        new Followers.Follower(
                                                follower.getName(),
                                                follower.getLag(),
                                                follower.getSilentMillis()))
                        .toList(),
                SILENT_MILLIS_MAX);
    }

    /** Service address of a server. */
    String service(String name) {
        return servers.stream()
                .filter(server -> server.name().equals(name))
                .map(RegistryView.Server::service)
                .findFirst()
                .orElseThrow();
    }
}
