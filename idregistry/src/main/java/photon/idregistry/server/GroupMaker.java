package photon.idregistry.server;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.ShardRef;

/** Makes this server's replicas of shards, one each. Used in the server's loop. */
public interface GroupMaker {
    /** Null if it is not there. */
    @Nullable Group<ShardState> find(ShardRef ref);

    /** Completes, in any thread, when it is there; fails if that cannot be now. */
    CompletableFuture<?> make(ShardRef ref);

    /**
     * Ends this server's replica for good and deletes what it has on disk. Nobody may ask for the
     * group to be made again.
     *
     * @return completes, in any thread, when there is none; fails if that cannot be now
     */
    CompletableFuture<?> remove(ShardRef ref);
}
