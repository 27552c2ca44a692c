package photon.registry.client;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Calls on their way from many threads into the loop. Lock-free, and without an object of its own a
 * call: they are linked to each other. Thread-safe.
 */
final class HandOver {
    /** Behind it nothing is taken any more. */
    private static final Call<?> CLOSED =
            new Call<Void>(0) {
                @Override
                void begin() {}

                @Override
                void turnAway(byte why) {}

                @Override
                void giveUp(byte why) {}
            };

    private final AtomicReference<@Nullable Call<?>> newest = new AtomicReference<>();

    /** What became of a call that was put in. */
    enum Put {
        /** Nobody else has told the loop: the caller does. */
        FIRST,
        BEHIND_OTHERS,
        /** Not taken. */
        CLOSED
    }

    Put put(Call<?> call) {
        while (true) {
            Call<?> before = newest.get();
            if (before == CLOSED) {
                return Put.CLOSED;
            }
            call.next = before;
            if (newest.compareAndSet(before, call)) {
                return before == null ? Put.FIRST : Put.BEHIND_OTHERS;
            }
        }
    }

    /** Takes all out: the oldest, which the others hang on. Null if there are none. */
    @Nullable Call<?> takeAll() {
        // Also if it is closed: then it stays so.
        while (true) {
            Call<?> all = newest.get();
            if (all == null || all == CLOSED) {
                return null;
            }
            if (newest.compareAndSet(all, null)) {
                return oldestFirst(all);
            }
        }
    }

    /** Takes all out and lets nothing in any more. */
    @Nullable Call<?> close() {
        Call<?> all = newest.getAndSet(CLOSED);
        return all == CLOSED ? null : oldestFirst(all);
    }

    private static @Nullable Call<?> oldestFirst(@Nullable Call<?> newestFirst) {
        Call<?> oldest = null;
        Call<?> call = newestFirst;
        while (call != null) {
            Call<?> older = call.next;
            call.next = oldest;
            oldest = call;
            call = older;
        }
        return oldest;
    }
}
