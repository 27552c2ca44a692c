package photon.idregistry.server.groups;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.GroupCut;
import photon.idregistry.replicated.ReplicatedLog;
import photon.idregistry.replicated.ReplicatedState;
import photon.proto.v1.ReplicaStatus;

/**
 * This server's replica of a group, as the handlers see it.
 *
 * @param <S> its state
 */
public interface Group<S extends ReplicatedState> {
    ReplicatedLog log();

    /** The service address of the leader as it is known here; empty while none is. */
    String leader();

    /**
     * False while this replica's state says too little to answer from: from its start until it has
     * applied what was committed before, and when it is no member any more.
     */
    boolean caughtUp();

    /**
     * False from its start until it has applied what was committed before, also of one that is no
     * member any more: enough to know which groups this server had a part in.
     */
    default boolean replayed() {
        return caughtUp();
    }

    /** Reads this replica's own state, stale perhaps. */
    <T extends @Nullable Object> T read(Function<S, T> reader);

    /**
     * Completes, in any thread, once a {@link #read} is linearizable. Fails if that cannot be
     * known.
     */
    CompletableFuture<Void> readBarrier();

    /**
     * Completes, in any thread, with a snapshot that holds all that was decided before the call.
     * Fails if there is none now.
     */
    default CompletableFuture<GroupCut> cut() {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("This replica is not backed up"));
    }

    /** Tells what its replication knows of this replica; nothing where that is simulated. */
    default void describe(ReplicaStatus.Builder into) {}
}
