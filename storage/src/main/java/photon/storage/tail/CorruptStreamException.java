package photon.storage.tail;

/** A compressed stream cannot be read on, and never will be. */
final class CorruptStreamException extends Exception {
    private static final long serialVersionUID = 1;

    CorruptStreamException(String reason) {
        super(reason);
    }

    String reason() {
        String message = getMessage();
        return message == null ? "corrupt" : message;
    }
}
