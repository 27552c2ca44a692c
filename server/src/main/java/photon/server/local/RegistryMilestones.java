package photon.server.local;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.ReplicaStatus;

/**
 * How far the start of a registry is. What was reached once counts, and counts once: leaders that
 * come and go are no progress. Before there is a leader, the time of the processors that the
 * process gets is progress, too, as far as a start may need it: on a busy machine that is all there
 * is to see. Not thread-safe.
 */
final class RegistryMilestones {
    /** Several times what a start needs, other parts of the process included. */
    private static final long SECONDS_MAX = 60;

    private final Set<String> reached = new TreeSet<>();
    private String standing = "its replicas have not reported";

    /** How far it is; not equal to the last if something has moved. */
    record Progress(int reached, long work) {}

    /**
     * @param described each replica's server; one without a name has not answered
     * @param cpuTime that this process has had since its start
     */
    Progress look(List<DescribeServerResponse> described, Duration cpuTime) {
        int answered = 0;
        int led = 0;
        for (DescribeServerResponse server : described) {
            if (server.getName().isEmpty()) {
                continue;
            }
            answered++;
            reached.add(server.getName() + " answers");
            for (ReplicaStatus replica : server.getReplicasList()) {
                String group = replica.hasShard() ? replica.getShard().toString() : "control";
                reached.add(server.getName() + " has " + group);
                if (!replica.getLeader().isEmpty()) {
                    reached.add(server.getName() + " knows a leader of " + group);
                    led += replica.hasShard() ? 0 : 1;
                }
                if (replica.getReady()) {
                    reached.add(server.getName() + " has led " + group);
                }
            }
        }
        standing =
                "%d of %d replicas answer, %d know a leader of the control group"
                        .formatted(answered, described.size(), led);
        return new Progress(reached.size(), Math.min(SECONDS_MAX, cpuTime.toSeconds()));
    }

    /** For people, as of the last look. */
    String standing() {
        return standing;
    }
}
