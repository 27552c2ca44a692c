package photon.registry.api;

/**
 * Not every server of the registry understands yet what was asked of it, or an operator has not
 * finalized the upgrade: nothing was changed. It may be asked again.
 */
public final class FeatureLevelTooLowException extends RuntimeException {
    public FeatureLevelTooLowException(String message) {
        super(message);
    }
}
