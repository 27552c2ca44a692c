package photon.core.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The operating system's clock with a configured error bound: the only place that reads it.
 * Thread-safe.
 */
public final class SystemClock implements IntervalClock {
    private final long boundMicros;

    /**
     * @param bound how far the operating system's clock may be from true time, either way
     */
    public SystemClock(Duration bound) {
        this.boundMicros = TimeUnit.NANOSECONDS.toMicros(bound.toNanos());
    }

    @Override
    public Interval now() {
        Instant now = Instant.now();
        long micros =
                Math.addExact(
                        TimeUnit.SECONDS.toMicros(now.getEpochSecond()), now.getNano() / 1_000);
        return new Interval(micros - boundMicros, micros + boundMicros);
    }
}
