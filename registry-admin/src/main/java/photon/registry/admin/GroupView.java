package photon.registry.admin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.FollowerStatus;
import photon.proto.v1.ReplicaRole;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.ShardRef;
import photon.proto.v1.ShardStatus;

/**
 * One group, over all servers.
 *
 * @param name {@code control}, or pipeline/epoch/shard
 * @param shard empty: the control group
 * @param leader the server that leads it and takes entries
 * @param term the highest that a replica knows
 * @param state of the leader, or else of who has applied most; a shard's
 * @param replicas one a server, whether it answers or not
 * @param trouble why nothing can be decided in it; empty: it can
 */
public record GroupView(
        String name,
        Optional<ShardRef> shard,
        Optional<String> leader,
        long term,
        Optional<ShardStatus> state,
        List<Replica> replicas,
        Optional<String> trouble) {

    /**
     * One server's replica.
     *
     * @param status empty: the server does not answer, or has no replica
     * @param lag entries that the leader knows to be committed and that are not applied here, or
     *     not in the log as the leader knows; -1: not known
     */
    public record Replica(
            String server, boolean serverAnswers, Optional<ReplicaStatus> status, long lag) {}

    public GroupView {
        replicas = List.copyOf(replicas);
    }

    /** As its leader says; -1: it has none. */
    public long committedIndex() {
        return replicas.stream()
                .filter(replica -> leader.filter(replica.server()::equals).isPresent())
                .flatMap(replica -> replica.status().stream())
                .mapToLong(ReplicaStatus::getCommittedIndex)
                .max()
                .orElse(-1);
    }

    static GroupView of(
            String name,
            Optional<ShardRef> shard,
            List<String> members,
            Map<String, DescribeServerResponse> byName) {
        List<Replica> unjudged = new ArrayList<>();
        for (String member : members) {
            Optional<DescribeServerResponse> server = Optional.ofNullable(byName.get(member));
            unjudged.add(
                    new Replica(
                            member,
                            server.isPresent(),
                            server.flatMap(s -> replica(s, shard)),
                            -1));
        }
        long term =
                unjudged.stream()
                        .flatMap(replica -> replica.status().stream())
                        .mapToLong(ReplicaStatus::getTerm)
                        .max()
                        .orElse(0);
        Optional<Replica> leader =
                unjudged.stream().filter(replica -> leads(replica, term)).findFirst();
        Optional<ReplicaStatus> most =
                leader.or(
                                () ->
                                        unjudged.stream()
                                                .filter(replica -> replica.status().isPresent())
                                                .max(Comparator.comparingLong(GroupView::applied)))
                        .flatMap(Replica::status);
        return new GroupView(
                name,
                shard,
                leader.map(Replica::server),
                term,
                most.filter(ReplicaStatus::hasState).map(ReplicaStatus::getState),
                unjudged.stream()
                        .map(
                                replica ->
                                        new Replica(
                                                replica.server(),
                                                replica.serverAnswers(),
                                                replica.status(),
                                                lag(replica, leader)))
                        .toList(),
                trouble(unjudged, leader, term));
    }

    private static Optional<ReplicaStatus> replica(
            DescribeServerResponse server, Optional<ShardRef> shard) {
        return server.getReplicasList().stream()
                .filter(
                        replica ->
                                shard.map(ref -> replica.getShard().equals(ref))
                                        .orElse(!replica.hasShard()))
                .findFirst();
    }

    /** One that was cut off and replaced believes to lead for a while, in an older term. */
    private static boolean leads(Replica replica, long term) {
        return replica.status()
                .filter(
                        s ->
                                s.getRole() == ReplicaRole.ROLE_LEADER
                                        && s.getReady()
                                        && s.getTerm() == term)
                .isPresent();
    }

    private static long applied(Replica replica) {
        return replica.status().map(ReplicaStatus::getAppliedIndex).orElse(-1L);
    }

    private static long lag(Replica replica, Optional<Replica> leader) {
        Optional<ReplicaStatus> leading = leader.flatMap(Replica::status);
        if (leading.isEmpty()) {
            return -1;
        }
        if (replica.status().isPresent()) {
            return Math.max(0, leading.get().getCommittedIndex() - applied(replica));
        }
        return leading.get().getFollowersList().stream()
                .filter(follower -> follower.getName().equals(replica.server()))
                .mapToLong(FollowerStatus::getLag)
                .findFirst()
                .orElse(-1);
    }

    private static Optional<String> trouble(
            List<Replica> replicas, Optional<Replica> leader, long term) {
        int needed = replicas.size() / 2 + 1;
        long there =
                replicas.stream()
                        .flatMap(replica -> replica.status().stream())
                        .filter(status -> status.getRole() != ReplicaRole.ROLE_OTHER)
                        .count();
        if (there < needed) {
            return Optional.of(
                    "no majority: %d of %d replicas are up, %d are needed"
                            .formatted(there, replicas.size(), needed));
        }
        if (leader.isEmpty()) {
            return Optional.of("no leader in term " + term);
        }
        return Optional.empty();
    }
}
