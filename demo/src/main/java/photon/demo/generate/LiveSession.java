package photon.demo.generate;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A run by the wall clock, a step at a time. The generated world goes as fast as monotonic time
 * does; ids and files have the wall clock's time, whatever it does. After a pause (a sleeping
 * laptop) it does not make up for all of it. Not thread-safe.
 */
final class LiveSession {
    private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    private final LogSession session;
    private final LongSupplier wallMicros;
    private long worldMicros;
    private long lastNanos;

    /**
     * @param worldMicros when the session's world began
     * @param nanoTime monotonic time now
     */
    LiveSession(LogSession session, LongSupplier wallMicros, long worldMicros, long nanoTime) {
        this.session = session;
        this.wallMicros = wallMicros;
        this.worldMicros = worldMicros;
        this.lastNanos = nanoTime;
    }

    /** Logs all that is due now. */
    void step(long nanoTime) throws IOException {
        long passed = Math.min(nanoTime - lastNanos, PAUSE_NANOS_MAX) / 1_000;
        worldMicros += passed;
        // What is less than a microsecond is counted the next time.
        lastNanos = nanoTime - lastNanos > PAUSE_NANOS_MAX ? nanoTime : lastNanos + passed * 1_000;
        long now = wallMicros.getAsLong();
        while (!session.done() && session.dueMicros() <= worldMicros) {
            session.step(now);
        }
        session.tick(now);
        session.show(wallMicros);
    }

    boolean done() {
        return session.done();
    }

    long records() {
        return session.records();
    }

    Answer finish() throws IOException {
        return session.finish(wallMicros);
    }
}
