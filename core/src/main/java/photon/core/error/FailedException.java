package photon.core.error;

/** Something failed, and the message says all that a user can use. */
public final class FailedException extends RuntimeException {
    public FailedException(String message) {
        super(message);
    }
}
