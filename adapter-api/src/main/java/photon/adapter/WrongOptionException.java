package photon.adapter;

/**
 * An option that an adapter cannot use: names key, value and what was expected. Ends the start with
 * exit status 2.
 *
 * @since 1.1
 */
public final class WrongOptionException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public WrongOptionException(String message) {
        super(message);
    }
}
