package photon.simulation.run;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Notices a worker's world that takes very long. Thread-safe. */
final class SlowSeeds {
    private static final long SLOW_NANOS = Duration.ofSeconds(60).toNanos();
    private static final long NONE = -1;

    private final LongSupplier nanoTime;
    private long seed = NONE;
    private long sinceNanos;
    private long tellAfterNanos;

    SlowSeeds(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    synchronized void begins(long begun) {
        seed = begun;
        sinceNanos = nanoTime.getAsLong();
        tellAfterNanos = SLOW_NANOS;
    }

    synchronized void ends() {
        seed = NONE;
    }

    void tell(AllSeeds.Watcher watcher) {
        long slow;
        long nanos;
        synchronized (this) {
            nanos = nanoTime.getAsLong() - sinceNanos;
            if (seed == NONE || nanos < tellAfterNanos) {
                return;
            }
            slow = seed;
            tellAfterNanos *= 2;
        }
        watcher.slow(slow, Duration.ofNanos(nanos));
    }
}
