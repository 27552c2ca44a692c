package photon.core.time;

import java.time.Duration;
import java.util.Objects;

/**
 * Decides when a wait has gone on for too long: not after a time, but after a time in which nothing
 * moved. A slow machine takes long for everything, and gets there. Not thread-safe.
 */
public final class Standstill {
    private final long patienceNanos;
    private Object progress;
    private long movedAt;

    /**
     * @param patience how long nothing may move
     * @param progress how far it is; any value that differs from the last one is a move
     * @param nanoTime of now, as {@link System#nanoTime}
     */
    public Standstill(Duration patience, Object progress, long nanoTime) {
        this.patienceNanos = patience.toNanos();
        this.progress = progress;
        this.movedAt = nanoTime;
    }

    /** True if nothing has moved for as long as it may. */
    public boolean reached(Object now, long nanoTime) {
        if (!Objects.equals(progress, now)) {
            progress = now;
            movedAt = nanoTime;
        }
        return nanoTime - movedAt >= patienceNanos;
    }
}
