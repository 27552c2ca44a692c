package photon.simulation.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import photon.core.id.EventId;
import photon.core.id.Incarnation;

/**
 * I3: an incarnation that says of an event "too old, by the registry's word" has not had its id
 * accepted by the one commit that it ever made for it: of a commit that was sent again nobody can
 * tell, and its event is lost by id, not settled (docs/protocol.md section 3).
 */
final class TooOldAnswers {
    private final RegistryTruth registry;
    private final TreeMap<EventId, List<List<Incarnation>>> answered = new TreeMap<>();

    TooOldAnswers(RegistryTruth registry) {
        this.registry = registry;
    }

    /**
     * @param by the incarnation that answers, or that and another one of the same process
     */
    void note(List<Incarnation> by, List<EventId> ids) {
        ids.forEach(id -> answered.computeIfAbsent(id, key -> new ArrayList<>()).add(by));
    }

    /** At the end of a world. */
    List<InvariantViolation> check() {
        List<InvariantViolation> found = new ArrayList<>();
        answered.forEach(
                (id, answers) -> {
                    for (List<Incarnation> by : answers) {
                        if (by.stream().allMatch(one -> onlyCommitWasAccepted(id, one))) {
                            found.add(
                                    InvariantViolation.of(
                                            "I3",
                                            List.of(id),
                                            "%s was answered to be too old by incarnation %s, whose only commit had been accepted: %s",
                                            id,
                                            by,
                                            registry.decisions(id)));
                        }
                    }
                });
        return found;
    }

    private boolean onlyCommitWasAccepted(EventId id, Incarnation by) {
        List<RegistryTruth.Decision> decisions =
                registry.decisions(id).stream()
                        .filter(decision -> decision.token().isOf(by))
                        .toList();
        return decisions.stream().map(RegistryTruth.Decision::token).distinct().count() == 1
                && decisions.stream().anyMatch(RegistryTruth.Decision::accepted);
    }
}
