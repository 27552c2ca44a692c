package photon.idregistry.raft;

import java.util.concurrent.TimeUnit;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.RatisMetrics;
import org.apache.ratis.metrics.impl.DefaultTimekeeperImpl;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.metrics.LeaderElectionMetrics;
import org.apache.ratis.server.metrics.SegmentedRaftLogMetrics;
import org.apache.ratis.thirdparty.com.codahale.metrics.Snapshot;
import org.apache.ratis.thirdparty.com.codahale.metrics.Timer;

/**
 * What Ratis tells of one replica: each value of its own moment.
 *
 * @param elections in which this replica stood, since its start
 * @param syncs of the log to disk since its start: each makes durable all entries that wait
 * @param syncP50Micros of the recent syncs
 * @param syncP99Micros of the recent syncs
 */
public record RaftFigures(
        Role role, long term, long elections, long syncs, long syncP50Micros, long syncP99Micros) {

    /** What a replica is in its group. */
    public enum Role {
        LEADER,
        FOLLOWER,
        CANDIDATE,
        /** It starts, or was removed. */
        OTHER
    }

    static RaftFigures of(RaftServer.Division division) {
        Timer sync =
                timer(
                        ((RatisMetrics) division.getRaftLog().getRaftLogMetrics()).getRegistry(),
                        SegmentedRaftLogMetrics.RAFT_LOG_SYNC_TIME);
        Snapshot recentSyncs = sync.getSnapshot();
        RatisMetricRegistry elections =
                registry(
                        division,
                        LeaderElectionMetrics.RATIS_LEADER_ELECTION_METRICS,
                        LeaderElectionMetrics.RATIS_LEADER_ELECTION_METRICS_DESC);
        return new RaftFigures(
                role(division.getInfo().getCurrentRole()),
                division.getInfo().getCurrentTerm(),
                timer(elections, LeaderElectionMetrics.LEADER_ELECTION_TIME_TAKEN).getCount(),
                sync.getCount(),
                micros(recentSyncs.getMedian()),
                micros(recentSyncs.get99thPercentile()));
    }

    /** Where Ratis keeps what it measures of one replica; it makes it first, so it is there. */
    private static RatisMetricRegistry registry(
            RaftServer.Division division, String component, String description) {
        return MetricRegistries.global()
                .create(
                        new MetricRegistryInfo(
                                division.getMemberId().toString(),
                                RatisMetrics.RATIS_APPLICATION_NAME_METRICS,
                                component,
                                description));
    }

    private static Role role(RaftPeerRole role) {
        return switch (role) {
            case LEADER -> Role.LEADER;
            case FOLLOWER -> Role.FOLLOWER;
            case CANDIDATE -> Role.CANDIDATE;
            default -> Role.OTHER;
        };
    }

    private static Timer timer(RatisMetricRegistry registry, String name) {
        return ((DefaultTimekeeperImpl) registry.timer(name)).getTimer();
    }

    private static long micros(double nanos) {
        return TimeUnit.NANOSECONDS.toMicros((long) nanos);
    }
}
