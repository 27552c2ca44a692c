package photon.dispatcher.flow;

import java.io.IOException;

/** A later owner has claimed the state. */
final class LateOwnerException extends IOException {
    private static final long serialVersionUID = 1;

    LateOwnerException(String message) {
        super(message);
    }
}
