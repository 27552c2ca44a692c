package photon.idregistry.raft.snapshot;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Holds a writer to at most so many bytes a second, so that others find the disk free: it rests for
 * the time that the bytes are worth, whatever they took to write. One thread.
 */
public final class Pace {
    private static final long NANOS_A_SECOND = 1_000_000_000L;

    /** Shorter rests are longer than asked for. */
    private static final long REST_NANOS = 2_000_000;

    private final long bytesPerSecond;
    private final LongConsumer rest;
    private long owedNanos;

    /**
     * @param rest waits for so many nanoseconds, or less
     */
    Pace(long bytesPerSecond, LongConsumer rest) {
        this.bytesPerSecond = bytesPerSecond;
        this.rest = rest;
    }

    public static Pace of(long bytesPerSecond) {
        return new Pace(bytesPerSecond, LockSupport::parkNanos);
    }

    /** So many bytes were written. */
    void spend(long bytes) {
        owedNanos += bytes * NANOS_A_SECOND / bytesPerSecond;
        if (owedNanos >= REST_NANOS) {
            rest.accept(owedNanos);
            owedNanos = 0;
        }
    }
}
