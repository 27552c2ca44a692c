package photon.idregistry.raft;

import org.jspecify.annotations.Nullable;

/** The entry may be applied, or may yet be. Ask again; what is asked must bear that. */
final class OutcomeUnknownException extends Exception {
    OutcomeUnknownException(String message) {
        super(message);
    }

    OutcomeUnknownException(@Nullable Throwable cause) {
        super(cause);
    }
}
