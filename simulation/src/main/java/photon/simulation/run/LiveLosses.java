package photon.simulation.run;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.proto.v1.Outcome;
import photon.registry.api.RegistryClient.Commit;
import photon.simulation.checks.Checkers;
import photon.simulation.checks.ForeignIdentity;
import photon.simulation.checks.GroundTruth;
import photon.simulation.raft.SimulatedCluster;

/**
 * What tokens of live incarnations hold and nobody has published. One way to it is known and open:
 * the joiner was told TAKEN, the holder was removed since, and then a delayed copy of the same
 * commit was accepted (docs/protocol.md section 3: TAKEN does not end a token that was sent more
 * than once). The cure is to verify live incarnations; until somebody does it takes the joiner's
 * next start.
 */
final class LiveLosses {
    private final GroundTruth truth;
    private final Checkers checkers;
    private final CommittedRegistry registry;
    private final SimulatedCluster cluster;

    LiveLosses(GroundTruth truth, Checkers checkers, SimulatedCluster cluster) {
        this.truth = truth;
        this.checkers = checkers;
        this.registry = new CommittedRegistry(cluster);
        this.cluster = cluster;
    }

    /**
     * @param acceptedLate after it was TAKEN
     */
    record Loss(EventId id, CommitToken token, boolean acceptedLate) {}

    List<Loss> find() {
        List<Loss> found = new ArrayList<>();
        for (ForeignIdentity identity : truth.identities()) {
            EventId id = identity.id();
            CommitToken holder = registry.holder(id);
            if (holder != null
                    && !checkers.isPublished(id)
                    && registry.live(holder.incarnation())) {
                found.add(new Loss(id, holder, acceptedAfterTaken(id, holder)));
            }
        }
        return found;
    }

    /** By the log: the very token got TAKEN for this id, and ACCEPTED by a later entry. */
    private boolean acceptedAfterTaken(EventId id, CommitToken token) {
        Commit asked = new Commit(id, token);
        boolean[] accepted = new boolean[1];
        Set<String> taken = new TreeSet<>();
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
                        Commit commit = new Commit(EventId.read(in), CommitToken.read(tokens));
                        boolean same = commit.equals(asked);
                        int outcome = ShardResults.commit(result).outcomes().byteAt(i);
                        if (same && outcome == Outcome.TAKEN_VALUE) {
                            taken.add(group);
                        } else if (same && outcome == Outcome.ACCEPTED_VALUE) {
                            accepted[0] |= taken.contains(group);
                        }
                    }
                });
        return accepted[0];
    }
}
