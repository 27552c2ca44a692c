package photon.simulation.checks;

import java.util.List;

/**
 * An incarnation is called repaired only while its repair rows are in the state that the registry
 * has registered for the dispatcher of its datacenter: rows in any other may be gone.
 */
final class RowsInRegisteredStates {
    private static final String INVARIANT = "STATES";

    private final RegistryTruth registry;

    RowsInRegisteredStates(RegistryTruth registry) {
        this.registry = registry;
    }

    List<InvariantViolation> check() {
        List<String> wrong = registry.rowsInOtherStates();
        return wrong.isEmpty()
                ? List.of()
                : List.of(
                        InvariantViolation.of(
                                INVARIANT,
                                List.of(),
                                "repaired, but the rows are in a state that is not registered: %s",
                                wrong));
    }
}
