package photon.registry.api;

/**
 * The registry refuses this joiner: its identity settings or output directory are not the
 * pipeline's. Names both values.
 */
public final class RegistrationRefusedException extends RuntimeException {
    public RegistrationRefusedException(String message) {
        super(message);
    }
}
