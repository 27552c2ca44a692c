package photon.testbed.history;

import java.util.List;
import java.util.stream.Collectors;
import photon.core.id.EventId;

/**
 * No order of the operations explains what was answered.
 *
 * @param at what could not be explained by any order that explains all before it
 * @param history the id's operations, in order of their start
 */
public record LinearizabilityViolation(EventId id, String at, List<Operation> history) {
    @Override
    public String toString() {
        return "Expected an order that explains all answers for id %s, but there is none once this has ended: %s%n  %s"
                .formatted(
                        id,
                        at,
                        history.stream()
                                .map(Operation::toString)
                                .collect(Collectors.joining("\n  ")));
    }
}
