package photon.idregistry.raft;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;
import photon.idregistry.raft.snapshot.StoredSnapshot;

/** Gathers what Ratis knows of one replica. */
final class StatsOf {
    private static final long UNKNOWN = -1;

    private final RaftServer.Division division;
    private final DivisionInfo info;
    private final StateCarrier carrier;

    StatsOf(RaftServer.Division division, StateCarrier carrier) {
        this.division = division;
        this.info = division.getInfo();
        this.carrier = carrier;
    }

    ReplicaStats stats(boolean caughtUp) {
        TermIndex applied = carrier.getLastAppliedTermIndex();
        return new ReplicaStats(
                info.isLeader() && info.isLeaderReady(),
                caughtUp,
                info.getLeaderId() == null ? null : info.getLeaderId().toString(),
                applied == null ? UNKNOWN : applied.getIndex(),
                division.getRaftLog().getLastCommittedIndex(),
                logBytes(),
                snapshot(),
                carrier.snapshotFailures(),
                members(division));
    }

    private long logBytes() {
        try {
            return LogFiles.bytes(division.getRaftStorage());
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    private ReplicaStats.@Nullable Snapshot snapshot() {
        StoredSnapshot latest = carrier.latestSnapshot();
        return latest == null
                ? null
                : new ReplicaStats.Snapshot(latest.getIndex(), latest.bytes(), latest.madeMillis());
    }

    /**
     * Empty while the term changes: a leader that has heard of a higher one, and has not stepped
     * down yet, cannot be asked (docs/ratis.md, 16).
     */
    private static List<ServerRpcProto> followers(DivisionInfo info) {
        try {
            return info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList();
        } catch (IllegalStateException e) {
            return List.of();
        }
    }

    static List<ReplicaStats.Member> members(RaftServer.Division division) {
        DivisionInfo info = division.getInfo();
        Map<String, Long> silent = new HashMap<>();
        Map<String, Long> lags = new HashMap<>();
        if (info.isLeader()) {
            String self = division.getId().toString();
            silent.put(self, 0L);
            lags.put(self, 0L);
            List<ServerRpcProto> followers = followers(info);
            long[] matched = info.getFollowerMatchIndices();
            long last = division.getRaftLog().getNextIndex() - 1;
            for (int i = 0; i < followers.size(); i++) {
                String name = followers.get(i).getId().getId().toStringUtf8();
                silent.put(name, followers.get(i).getLastRpcElapsedTimeMs());
                // Both lists have one order; they differ in length while the members change.
                if (matched != null && matched.length == followers.size()) {
                    lags.put(name, Math.max(0, last - matched[i]));
                }
            }
        }
        List<ReplicaStats.Member> members = new ArrayList<>();
        for (RaftPeer peer : division.getRaftConf().getAllPeers()) {
            String name = peer.getId().toString();
            members.add(
                    new ReplicaStats.Member(
                            name,
                            peer.getAddress(),
                            lags.getOrDefault(name, UNKNOWN),
                            silent.getOrDefault(name, UNKNOWN)));
        }
        members.sort(java.util.Comparator.comparing(ReplicaStats.Member::name));
        return members;
    }
}
