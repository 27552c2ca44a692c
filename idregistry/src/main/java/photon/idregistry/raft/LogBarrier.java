package photon.idregistry.raft;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where in the log a reader must have come to so that he misses nothing that was committed before
 * he asked: at an entry that was appended since and is committed. Who is not the leader any more
 * cannot commit one, whatever he knows of that. All who come while an entry is under way share the
 * next one. Thread-safe.
 */
final class LogBarrier {
    /** An entry without an answer keeps the next one waiting no longer. */
    private static final long SECONDS_MAX = 5;

    private final Supplier<CompletableFuture<Long>> append;

    @GuardedBy("this")
    private boolean underWay;

    @GuardedBy("this")
    private @Nullable CompletableFuture<Long> waiting;

    /**
     * @param append appends an entry that does nothing; gives its index once that is applied
     */
    LogBarrier(Supplier<CompletableFuture<Long>> append) {
        this.append = append;
    }

    /**
     * Completes with an index at or above all that was committed before the call; fails as the
     * entry does.
     */
    CompletableFuture<Long> index() {
        CompletableFuture<Long> index;
        boolean begin;
        synchronized (this) {
            if (waiting == null) {
                waiting = new CompletableFuture<>();
            }
            index = waiting;
            begin = !underWay;
            underWay = true;
        }
        if (begin) {
            next();
        }
        return index.copy();
    }

    private void next() {
        CompletableFuture<Long> served;
        synchronized (this) {
            served = waiting;
            waiting = null;
            underWay = served != null;
        }
        if (served != null) {
            append.get()
                    .orTimeout(SECONDS_MAX, TimeUnit.SECONDS)
                    .whenComplete((index, failure) -> end(served, index, failure));
        }
    }

    private void end(
            CompletableFuture<Long> served, @Nullable Long index, @Nullable Throwable failure) {
        next();
        if (failure == null) {
            served.complete(index);
        } else {
            served.completeExceptionally(failure);
        }
    }
}
