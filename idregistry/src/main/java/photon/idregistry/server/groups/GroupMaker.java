package photon.idregistry.server.groups;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.ShardRef;

/** Makes and removes this server's replicas of shards, one each. Used in the server's loop. */
public interface GroupMaker {
    /** Null if it is not there. */
    @Nullable Group<ShardState> find(ShardRef ref);

    /**
     * Completes, in any thread, when it is there, or when this server, which leaves, is to have
     * none; fails if that cannot be now.
     */
    CompletableFuture<?> make(ShardRef ref);

    /**
     * Takes this server's replica away, with all its files, for good: the group must never be made
     * again. Safe to repeat, also where there is none, or where a crash came between.
     *
     * @return completes, in any thread, when nothing is left of it; fails if that cannot be now
     */
    CompletableFuture<?> remove(ShardRef ref);
}
