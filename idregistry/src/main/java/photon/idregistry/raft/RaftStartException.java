package photon.idregistry.raft;

import org.jspecify.annotations.Nullable;

/**
 * The server's Raft part cannot run on what it found on disk. Everything it had started is closed
 * again. A damaged replica is replaced, never patched up.
 */
public final class RaftStartException extends RuntimeException {
    RaftStartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
