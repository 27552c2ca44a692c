package photon.testbed.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import photon.core.id.EventId;

/**
 * Whether a registry's shard that decides one thing after another, each between its call and its
 * answer, could have given the answers of a history (linearizability). Each id is searched by
 * itself, which is enough since ids do not concern each other, but for fences and the boundary: see
 * {@link FenceEvidence} and {@link BoundaryEvidence}. A right history is never refused. Of the
 * wrong ones those are not seen in which only the order of several fences by what they did to
 * several ids is wrong, while each id by itself, with what the others' answers say of the moment of
 * each fence, is not.
 *
 * <p>Pure: the same history gives the same violations, in order of ids.
 */
public final class HistoryChecker {
    private HistoryChecker() {}

    /**
     * @param operations of one shard, in any order: of the ids that are its own by the map as it is
     *     in the end, whoever was asked
     * @param fences all calls that fence in that shard
     */
    public static List<LinearizabilityViolation> check(
            List<Operation> operations, List<FenceCall> fences) {
        TreeMap<EventId, List<Operation>> histories = new TreeMap<>();
        for (Operation operation : operations) {
            histories.computeIfAbsent(operation.id(), id -> new ArrayList<>()).add(operation);
        }
        FenceEvidence evidence = new FenceEvidence(fences, operations);
        BoundaryEvidence boundary = new BoundaryEvidence(operations);
        List<LinearizabilityViolation> violations = new ArrayList<>();
        histories.forEach(
                (id, history) -> {
                    history.sort(
                            Comparator.comparingLong(Operation::startNanos)
                                    .thenComparingLong(Operation::endNanos));
                    Step wrong = IdSearch.firstUnexplained(IdSteps.of(history, evidence, boundary));
                    if (wrong != null) {
                        violations.add(new LinearizabilityViolation(id, wrong.text(), history));
                    }
                });
        return violations;
    }
}
