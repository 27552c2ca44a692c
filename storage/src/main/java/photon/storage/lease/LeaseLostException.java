package photon.storage.lease;

import java.io.IOException;

/** Another node works on what this one did, or may do so by now. */
public final class LeaseLostException extends IOException {
    private static final long serialVersionUID = 1;

    LeaseLostException(String message) {
        super(message);
    }
}
