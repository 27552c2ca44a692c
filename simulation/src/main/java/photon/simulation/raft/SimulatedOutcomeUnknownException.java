package photon.simulation.raft;

/** The entry may be applied, or may yet be: what a leader says when it steps down. */
final class SimulatedOutcomeUnknownException extends Exception {
    SimulatedOutcomeUnknownException(String message) {
        super(message);
    }
}
