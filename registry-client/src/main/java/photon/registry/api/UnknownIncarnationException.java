package photon.registry.api;

/**
 * The registry has never issued the incarnation: it is another registry than the one that named it,
 * such as one whose disks were lost, and that is not restored from its backup yet. Nothing was
 * changed. Ask again when it is.
 */
public final class UnknownIncarnationException extends RuntimeException {
    public UnknownIncarnationException(String message) {
        super(message);
    }
}
