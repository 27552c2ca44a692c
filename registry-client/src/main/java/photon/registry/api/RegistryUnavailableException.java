package photon.registry.api;

/** The registry did not answer a question that changes nothing. Ask again later. */
public final class RegistryUnavailableException extends RuntimeException {
    public RegistryUnavailableException(String message) {
        super(message);
    }
}
