package photon.server.local;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Does what the {@link IdleRule} says, and never waits for it: whoever asks looks at failures and
 * signals too, and a retry may not end while the joiner cannot write. Not thread-safe.
 */
final class IdleWatch {
    private final IdleRule rule;
    private final Runnable tryDeferred;
    private final Supplier<CompletableFuture<?>> retryAllWaiting;
    private final Runnable publish;
    private @Nullable CompletableFuture<?> retrying;

    /**
     * @param tryDeferred begins to try what is deferred
     * @param retryAllWaiting begins to try all waiting rows once more
     * @param publish begins to publish what is joined
     */
    IdleWatch(
            Duration quiet,
            Runnable tryDeferred,
            Supplier<CompletableFuture<?>> retryAllWaiting,
            Runnable publish) {
        this.rule = new IdleRule(quiet);
        this.tryDeferred = tryDeferred;
        this.retryAllWaiting = retryAllWaiting;
        this.publish = publish;
    }

    /**
     * True: the run may end.
     *
     * @throws java.util.concurrent.CompletionException if the retry has failed
     */
    boolean isDone(IdleRule.Observation now, long nanoTime) {
        IdleRule.Step step = rule.observe(now, nanoTime);
        switch (step) {
            case TRY_DEFERRED -> tryDeferred.run();
            case RETRY_WAITING -> retrying = retryAllWaiting.get();
            case PUBLISH -> publish.run();
            case WAIT, DONE -> {}
        }
        CompletableFuture<?> tried = retrying;
        if (tried != null && tried.isDone()) {
            // After this look: what the retry has moved is seen by the next one.
            retrying = null;
            tried.join();
            rule.retried();
        }
        return step == IdleRule.Step.DONE;
    }
}
