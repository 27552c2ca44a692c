package photon.idregistry.api;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Changes a pipeline's shard map while ids flow (docs/protocol.md section 4). Used in the owner's
 * event loop, where futures are completed.
 */
public interface ReshardClient {
    /**
     * Leads one attempt to its decision. Asked again with the same nonce, by this client or
     * another, it goes on with the same attempt or says how that ended. The map is in the control
     * group when this is committed; the groups get it by themselves, soon after.
     *
     * @param giveUpAfter then it asks for an abort; the decision may be a commit for all that
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
