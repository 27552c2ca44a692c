package photon.idregistry.raft;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
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
    private final Executor worker;

    @GuardedBy("this")
    private boolean underWay;

    @GuardedBy("this")
    private @Nullable CompletableFuture<Long> waiting;

    /**
     * @param append appends an entry that does nothing; gives its index once that is applied. May
     *     block
     * @param worker where it is called: who hears of an entry's end, as Ratis' apply thread, must
     *     not wait for the next one's beginning
     */
    LogBarrier(Supplier<CompletableFuture<Long>> append, Executor worker) {
        this.append = append;
        this.worker = worker;
    }

    /**
     * Completes with an index at or above all that was committed before the call; fails as the
     * entry does, or after {@link #SECONDS_MAX} for it and for the one before it.
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
            begin();
        }
        return index.copy().orTimeout(2 * SECONDS_MAX, TimeUnit.SECONDS);
    }

    private void begin() {
        try {
            worker.execute(() -> serve(begun()));
        } catch (RejectedExecutionException | Error e) {
            fail(e);
        }
    }

    /** Those who wait for the entry that is appended now. */
    private synchronized CompletableFuture<Long> begun() {
        CompletableFuture<Long> served = waiting;
        waiting = null;
        return java.util.Objects.requireNonNull(served, "who waits");
    }

    private void serve(CompletableFuture<Long> served) {
        CompletableFuture<Long> entry;
        try {
            entry = append.get();
        } catch (RuntimeException | Error e) {
            entry = CompletableFuture.failedFuture(e);
        }
        entry.orTimeout(SECONDS_MAX, TimeUnit.SECONDS)
                .whenComplete(
                        (index, failure) -> {
                            if (failure == null) {
                                served.complete(index);
                            } else {
                                served.completeExceptionally(failure);
                            }
                            goOn();
                        });
    }

    private void goOn() {
        synchronized (this) {
            underWay = waiting != null;
            if (!underWay) {
                return;
            }
        }
        begin();
    }

    /** This server ends, or has no thread for it: whoever waits asks again. */
    private void fail(Throwable why) {
        CompletableFuture<Long> unserved;
        synchronized (this) {
            unserved = begun();
            underWay = false;
        }
        unserved.completeExceptionally(why);
    }
}
