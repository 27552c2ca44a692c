package photon.registry.client;

import java.util.concurrent.CompletableFuture;

/**
 * A call that ends by its deadline, and the caller's future of what it comes to: one object a call.
 * The caller may complete the future as well, so whether the call has ended is kept apart. Used in
 * the loop, after it has begun.
 *
 * @param <T> what it comes to
 */
abstract class Call<T> extends CompletableFuture<T> {
    /** By the loop's clock. */
    final long deadlineNanos;

    private boolean ended;
    private Runnable whenEnded = () -> {};

    Call(long deadlineNanos) {
        this.deadlineNanos = deadlineNanos;
    }

    /**
     * Ends the call without an answer.
     *
     * @param why a code of {@link Outcomes} for what of it was not sent
     */
    abstract void giveUp(byte why);

    /** Begins the asking. */
    abstract void begin(ShardRouter router);

    final boolean hasEnded() {
        return ended;
    }

    final void onEnd(Runnable task) {
        whenEnded = task;
    }

    /** Nothing changes what it comes to from now on. */
    final void end() {
        ended = true;
        whenEnded.run();
    }
}
