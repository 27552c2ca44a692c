package photon.registry.api;

/**
 * The registry was restored from a backup, and the slot's datacenter has not reported what it had
 * published: nothing was changed. It may be asked again.
 */
public final class NotReportedException extends RuntimeException {
    public NotReportedException(String message) {
        super(message);
    }
}
