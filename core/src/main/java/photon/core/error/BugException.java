package photon.core.error;

/**
 * Something that the code holds impossible has happened. Only a {@link BugHandler} may catch it.
 */
public final class BugException extends RuntimeException {
    public BugException(String message) {
        super(message);
    }

    public BugException(String message, Throwable cause) {
        super(message, cause);
    }
}
