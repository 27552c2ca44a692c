package photon.idregistry.replicated;

import java.util.concurrent.CompletableFuture;

/**
 * The leader's side of one group's log: Ratis in production, a simulated log in the simulator.
 * Thread-safe.
 */
public interface ReplicatedLog {
    /** True while this replica believes to be the leader and is ready to take entries. */
    boolean leads();

    /**
     * Submits an entry once, never twice.
     *
     * @return the result of {@link ReplicatedState#apply}. Fails with {@link NotSubmittedException}
     *     only if the entry was surely never handed to the log; with any other exception the entry
     *     may be applied, or may yet be: the outcome is unknown. May complete in any thread.
     */
    CompletableFuture<byte[]> submit(byte[] entry);

    /** The entry was not handed to the log. */
    final class NotSubmittedException extends Exception {
        public NotSubmittedException(String message) {
            super(message);
        }
    }
}
