package photon.dispatcher.flow;

import photon.core.loop.EventLoop;
import photon.core.time.IntervalClock;

/**
 * The time by which rows of the retry journal are due: the wall clock's at the start, and from then
 * on as much more as has passed. So a wall clock that is set wrong, and right again, leaves no row
 * waiting for it. Main loop.
 */
final class RowClock {
    private final EventLoop loop;
    private final long startMillis;
    private final long startNanos;

    RowClock(IntervalClock clock, EventLoop loop) {
        this.loop = loop;
        this.startMillis = clock.now().latestMicros() / 1_000;
        this.startNanos = loop.nanoTime();
    }

    /**
     * Milliseconds since 1970, as far as the wall clock was right at the start. Never goes back.
     */
    long millis() {
        return startMillis + (loop.nanoTime() - startNanos) / 1_000_000;
    }
}
