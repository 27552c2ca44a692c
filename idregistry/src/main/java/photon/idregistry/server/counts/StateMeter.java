package photon.idregistry.server.counts;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import photon.core.metrics.Histogram;

/** How long a server's replicas take for what they do, all of them together. Thread-safe. */
public final class StateMeter {
    /** An entry of one id takes a few microseconds, a full one with old ids many milliseconds. */
    private static final long[] APPLY_MICROS = {
        10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000,
        1_000_000
    };

    private static final long[] PAUSE_MICROS = {
        100, 500, 1_000, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
        5_000_000
    };
    private static final long[] WRITE_MICROS = {
        10_000,
        50_000,
        100_000,
        500_000,
        1_000_000,
        5_000_000,
        10_000_000,
        30_000_000,
        60_000_000,
        300_000_000
    };

    private final LongSupplier nanoTime;
    private final Histogram apply = new Histogram(APPLY_MICROS);
    private final Histogram pause = new Histogram(PAUSE_MICROS);
    private final Histogram write = new Histogram(WRITE_MICROS);

    /**
     * @param nanoTime monotonic; called in any thread
     */
    public StateMeter(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    private void record(Histogram in, long begunNanos) {
        in.record(TimeUnit.NANOSECONDS.toMicros(nanoTime() - begunNanos));
    }

    void applied(long begunNanos) {
        record(apply, begunNanos);
    }

    void frozen(long begunNanos) {
        record(pause, begunNanos);
    }

    void written(long begunNanos) {
        record(write, begunNanos);
    }

    /** An entry of any kind, microseconds. */
    Histogram apply() {
        return apply;
    }

    /** How long entries waited for a snapshot, microseconds. */
    Histogram pause() {
        return pause;
    }

    /** How long a snapshot's files were being written, microseconds. */
    Histogram write() {
        return write;
    }
}
