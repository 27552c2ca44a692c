package photon.registry.client;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import photon.registry.api.IdRegistry.WhenFull;

/** Bounds how many ids are asked for and not answered. For any thread. */
final class Room {
    private final int max;
    private final WhenFull whenFull;
    private final Semaphore free;

    Room(int max, WhenFull whenFull) {
        this.max = max;
        this.whenFull = whenFull;
        this.free = new Semaphore(max, true);
    }

    /**
     * Takes up room for so many ids, and waits for it if that is wanted.
     *
     * @param mayWait false in the loop, which would wait for itself
     * @return {@link Outcomes#WAITING} if there was room; otherwise why not
     */
    byte take(int ids, long nanos, boolean mayWait) {
        if (whenFull == WhenFull.REFUSE || !mayWait) {
            return free.tryAcquire(ids) ? Outcomes.WAITING : Outcomes.NO_ROOM;
        }
        try {
            return free.tryAcquire(ids, nanos, TimeUnit.NANOSECONDS)
                    ? Outcomes.WAITING
                    : Outcomes.DEADLINE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcomes.NO_ROOM;
        }
    }

    void release(int ids) {
        free.release(ids);
    }

    long taken() {
        return Math.max(0, max - free.availablePermits());
    }

    /** Ends all waiting: nothing is answered any more that would make room. */
    void open() {
        free.release(Math.min(max, Integer.MAX_VALUE - max));
    }
}
