package photon.registry.api;

/** The incarnation that a joiner wanted to roll from is not live any more. Nothing was changed. */
public final class RollRefusedException extends RuntimeException {
    public RollRefusedException(String message) {
        super(message);
    }
}
