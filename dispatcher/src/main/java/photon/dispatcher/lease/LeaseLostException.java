package photon.dispatcher.lease;

import java.io.IOException;

/** Another dispatcher works with the state, or may do so by now. */
public final class LeaseLostException extends IOException {
    private static final long serialVersionUID = 1;

    LeaseLostException(String message) {
        super(message);
    }
}
