package photon.registry.client;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One call of a thread-safe client, on its way and until it has ended: the caller's future itself,
 * so that a call costs one object. Its links are those of {@link HandOver}, then those of {@link
 * DeadlineWheel}. What is hung on it may complete it too: whether it has ended is kept apart.
 *
 * @param <T> what it comes to
 */
abstract class Call<T> extends CompletableFuture<T> {
    /** By the loop's clock. */
    final long deadlineNanos;

    @Nullable Call<?> next;
    @Nullable Call<?> previous;

    /** Where it hangs in the wheel; below 0 while it does not. */
    int wheelSlot = -1;

    /** True: it is answered, and its end is counted. */
    boolean ended;

    Call(long deadlineNanos) {
        this.deadlineNanos = deadlineNanos;
    }

    /** Begins it, in the loop. */
    abstract void begin();

    /**
     * Ends it before it has begun, in any thread.
     *
     * @param why a code of {@link Outcomes}
     */
    abstract void turnAway(byte why);

    /**
     * Ends it without an answer, in the loop.
     *
     * @param why a code of {@link Outcomes} for what of it was not sent
     */
    abstract void giveUp(byte why);
}
