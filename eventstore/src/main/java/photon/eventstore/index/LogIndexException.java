package photon.eventstore.index;

/**
 * The index could not read or write. What was asked is not known, what was put may be there or not;
 * the process stops, and its next start finds index and positions in agreement.
 */
public final class LogIndexException extends RuntimeException {
    public LogIndexException(String message, Throwable cause) {
        super(message, cause);
    }
}
