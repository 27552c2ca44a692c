package photon.idregistry.server.members;

/** A server was ended, by an interrupt, before it had started: while it waited for the others. */
public final class StartInterruptedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StartInterruptedException(String message) {
        super(message);
    }
}
