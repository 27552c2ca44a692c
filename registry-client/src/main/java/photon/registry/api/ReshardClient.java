package photon.registry.api;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Changes a pipeline's shard map while ids flow (docs/protocol.md section 4). Once an attempt is
 * begun, the control group leads it to its decision by itself: whoever began it may be gone. Used
 * in the owner's event loop, where futures are completed.
 */
public interface ReshardClient {
    /**
     * Begins an attempt. Asked again with the same nonce, by this client or another, it is the same
     * attempt, whatever became of it.
     */
    CompletableFuture<Begun> begin(Reshard wanted);

    /** Waits until an attempt is decided, however long it takes: half a minute at most. */
    CompletableFuture<Result> await(UUID pipeline, long attempt);

    /**
     * Asks for an abort. It may lose against the commit: the result says which it is. {@link
     * End#REFUSED} if there was no such attempt ever.
     */
    CompletableFuture<Result> cancel(UUID pipeline, long attempt);

    /**
     * Begins an attempt, waits, and asks for an abort if it takes too long; the decision may be a
     * commit for all that. The map is in the control group when this is committed; the groups get
     * it by themselves, soon after.
     */
    CompletableFuture<Result> reshard(Reshard wanted, Duration giveUpAfter);

    /**
     * @param baseVersion the version of the map as it stands: another one is refused
     * @param shards how many the new epoch has
     * @param startMicros the first timestamp of the new epoch: later than any that a producer gives
     *     now, since the shards refuse ids from there on until it is decided. One at or below an
     *     accepted id's cannot be prepared
     * @param nonceHex 16 random bytes, hex
     */
    record Reshard(
            UUID pipeline, long baseVersion, int shards, long startMicros, String nonceHex) {}

    /**
     * What was begun, perhaps before, with other numbers than these wanted now.
     *
     * @param attempt its number; 0: it was refused
     * @param baseVersion of the map that it is built on; 0 if it was refused
     * @param shards its; 0 if it was refused
     * @param startMicros its; 0 if it was refused
     * @param mapVersion of the map as it stands; 0 if the pipeline is not known
     * @param why it was refused, for people
     */
    record Begun(
            long attempt,
            long baseVersion,
            int shards,
            long startMicros,
            long mapVersion,
            String why) {
        public boolean isRefused() {
            return attempt == 0;
        }
    }

    /** How an attempt ended. */
    enum End {
        COMMITTED,
        ABORTED,
        /** It never began. */
        REFUSED
    }

    /**
     * @param mapVersion of the map as it stands; 0 if the pipeline is not known
     * @param why for people
     */
    record Result(End end, long mapVersion, String why) {}
}
