package photon.storage.tail;

/** A file's content is not what was read before. */
final class ReplacedException extends Exception {
    private static final long serialVersionUID = 1;
}
