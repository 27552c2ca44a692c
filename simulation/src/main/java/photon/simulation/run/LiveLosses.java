package photon.simulation.run;

import java.util.ArrayList;
import java.util.List;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.simulation.checks.Checkers;
import photon.simulation.checks.ForeignIdentity;
import photon.simulation.checks.GroundTruth;
import photon.simulation.raft.SimulatedCluster;

/**
 * What tokens of live incarnations hold and nobody has published. Nothing brings it back while the
 * joiner lives, so there must be none: whoever settles a token that may yet be accepted cancels it
 * before (docs/protocol.md section 3, Cancel).
 */
final class LiveLosses {
    private final GroundTruth truth;
    private final Checkers checkers;
    private final CommittedRegistry registry;

    LiveLosses(GroundTruth truth, Checkers checkers, SimulatedCluster cluster) {
        this.truth = truth;
        this.checkers = checkers;
        this.registry = new CommittedRegistry(cluster);
    }

    /** An id and the live token that holds it. */
    record Loss(EventId id, CommitToken token) {}

    List<Loss> find() {
        List<Loss> found = new ArrayList<>();
        for (ForeignIdentity identity : truth.identities()) {
            addIfLost(identity.id(), found);
            if (identity.alone()) {
                addIfLost(identity.id().upgrade(), found);
            }
        }
        return found;
    }

    private void addIfLost(EventId id, List<Loss> found) {
        CommitToken holder = registry.holder(id);
        if (holder != null && !checkers.isPublished(id) && registry.live(holder.incarnation())) {
            found.add(new Loss(id, holder));
        }
    }
}
