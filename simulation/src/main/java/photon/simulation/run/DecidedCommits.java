package photon.simulation.run;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.proto.v1.Outcome;
import photon.simulation.checks.RegistryTruth.Decision;
import photon.simulation.raft.SimulatedCluster;

/** What the shards' logs say of commits. Reads them whole each time: for what is seldom asked. */
final class DecidedCommits {
    private final SimulatedCluster cluster;

    DecidedCommits(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    /** In the order of the logs, group after group. */
    List<Decision> of(EventId wanted) {
        List<Decision> decisions = new ArrayList<>();
        cluster.replayShards(
                (group, entry, result) -> {
                    if (!ShardEntries.isCommit(entry)) {
                        return;
                    }
                    ByteBuffer in = ByteBuffer.wrap(entry, 1, entry.length - 1);
                    int count = in.getInt();
                    ByteBuffer tokens = in.duplicate();
                    tokens.position(in.position() + count * EventId.BYTES);
                    for (int i = 0; i < count; i++) {
                        EventId id = EventId.read(in);
                        CommitToken token = CommitToken.read(tokens);
                        if (id.equals(wanted)) {
                            int outcome = ShardResults.commit(result).outcomes().byteAt(i);
                            decisions.add(
                                    new Decision(group, token, outcome == Outcome.ACCEPTED_VALUE));
                        }
                    }
                });
        return decisions;
    }
}
