package photon.idregistry.server.raft;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import photon.idregistry.members.PeerName;
import photon.idregistry.raft.RaftFigures;
import photon.idregistry.raft.RaftNode;
import photon.idregistry.raft.Replica;
import photon.idregistry.raft.ReplicaStats;
import photon.idregistry.replicated.GroupCut;
import photon.idregistry.replicated.ReplicatedLog;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.server.counts.MeteredState;
import photon.idregistry.server.groups.Group;
import photon.proto.v1.RaftCounts;
import photon.proto.v1.ReplicaRole;
import photon.proto.v1.ReplicaStatus;

/** A group that is a Raft replica. */
public final class ReplicaGroup<S extends ReplicatedState> implements Group<S> {
    private final Replica replica;
    private final Class<S> type;
    private final Map<String, String> services;
    private final RaftNode node;

    /**
     * @param node which has the replica
     * @param services server name to service address
     */
    public ReplicaGroup(
            RaftNode node, Replica replica, Class<S> type, Map<String, String> services) {
        this.node = node;
        this.replica = replica;
        this.type = type;
        this.services = services;
    }

    @Override
    public ReplicatedLog log() {
        return replica.log();
    }

    @Override
    public String leader() {
        String name = replica.leader();
        return name == null ? "" : services.getOrDefault(PeerName.serverOf(name), "");
    }

    @Override
    public boolean caughtUp() {
        return replica.caughtUp();
    }

    @Override
    public boolean replayed() {
        return replica.replayed();
    }

    @Override
    public <T extends @Nullable Object> T read(Function<S, T> reader) {
        return replica.read(state -> reader.apply(type.cast(MeteredState.within(state))));
    }

    @Override
    public CompletableFuture<Void> readBarrier() {
        return replica.readBarrier();
    }

    @Override
    public CompletableFuture<GroupCut> cut() {
        return node.cut(replica.group());
    }

    @Override
    public void describe(ReplicaStatus.Builder into) {
        RaftFigures raft = replica.raft();
        into.setRole(
                        switch (raft.role()) {
                            case LEADER -> ReplicaRole.ROLE_LEADER;
                            case FOLLOWER -> ReplicaRole.ROLE_FOLLOWER;
                            case CANDIDATE -> ReplicaRole.ROLE_CANDIDATE;
                            case OTHER -> ReplicaRole.ROLE_OTHER;
                        })
                .setTerm(raft.term());
        RaftCounts.Builder counts =
                into.getRaftBuilder()
                        .setElections(raft.elections())
                        .setSyncs(raft.syncs())
                        .setSyncP50Micros(raft.syncP50Micros())
                        .setSyncP99Micros(raft.syncP99Micros());
        ReplicaStats stats = replica.stats();
        counts.setSnapshotFailures(stats.snapshotFailures());
        into.setReady(stats.leads())
                .setLeader(stats.leader() == null ? "" : PeerName.serverOf(stats.leader()))
                .setCaughtUp(stats.caughtUp())
                .setCommittedIndex(stats.committedIndex())
                .setAppliedIndex(stats.appliedIndex())
                .setLogBytes(Math.max(0, stats.logBytes()));
        stats.members().forEach(member -> into.addMembers(member.name()));
        ReplicaStats.Snapshot snapshot = stats.snapshot();
        if (snapshot != null) {
            into.getSnapshotBuilder()
                    .setIndex(snapshot.index())
                    .setMadeMillis(snapshot.madeMillis())
                    .setBytes(snapshot.bytes());
        }
        if (into.getRole() == ReplicaRole.ROLE_LEADER) {
            stats.members().stream()
                    .filter(member -> !member.name().equals(replica.name()))
                    .filter(member -> isLastOfItsServer(member.name(), stats.members()))
                    .forEach(
                            member ->
                                    into.addFollowersBuilder()
                                            .setName(PeerName.serverOf(member.name()))
                                            .setLag(member.lag())
                                            .setSilentMillis(member.silentMillis()));
        }
    }

    /** While a disk takes another one's place both are members. */
    private static boolean isLastOfItsServer(String peer, List<ReplicaStats.Member> members) {
        PeerName own = PeerName.parse(peer);
        return members.stream()
                .map(member -> PeerName.parse(member.name()))
                .noneMatch(
                        other ->
                                other.server().equals(own.server())
                                        && other.number() > own.number());
    }
}
