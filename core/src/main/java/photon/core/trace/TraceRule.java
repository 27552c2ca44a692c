package photon.core.trace;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.Optional;
import photon.core.id.EventId;

/**
 * Decides which attempts are traced. Whether an event is sampled is the same in every process and
 * datacenter, so that a trace has all attempts at its event or none. Not thread-safe.
 */
public final class TraceRule {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final int sampleOneIn;
    private final long slowNanos;
    private final int alwaysPerSecondMax;
    private long secondBegan;
    private int inSecond;
    private boolean begun;
    private long leftOut;

    /**
     * @param sampleOneIn one event of so many; 0: none
     * @param slow what takes longer is traced
     * @param alwaysPerSecondMax of what is traced and not sampled: where everything is slow, traces
     *     would be one load more
     */
    public TraceRule(int sampleOneIn, Duration slow, int alwaysPerSecondMax) {
        check(sampleOneIn >= 0, "Expected sampleOneIn from 0 on, but got %s", sampleOneIn);
        check(
                alwaysPerSecondMax >= 0,
                "Expected alwaysPerSecondMax from 0 on, but got %s",
                alwaysPerSecondMax);
        this.sampleOneIn = sampleOneIn;
        this.slowNanos = slow.toNanos();
        this.alwaysPerSecondMax = alwaysPerSecondMax;
    }

    /**
     * Whether an attempt that ends now is traced, and why.
     *
     * @param nanos how long it took
     * @param retried it had been tried before, and is settled now
     * @param repair its output was lost
     * @param nanoTime by a clock that only measures
     */
    public Optional<TraceReason> reason(
            EventId id, long nanos, boolean retried, boolean repair, long nanoTime) {
        if (isSampled(id)) {
            return Optional.of(always(nanos, retried, repair).orElse(TraceReason.SAMPLED));
        }
        Optional<TraceReason> always = always(nanos, retried, repair);
        if (always.isEmpty() || hasRoom(nanoTime)) {
            return always;
        }
        leftOut++;
        return Optional.empty();
    }

    private Optional<TraceReason> always(long nanos, boolean retried, boolean repair) {
        if (repair) {
            return Optional.of(TraceReason.REPAIRED);
        }
        if (retried) {
            return Optional.of(TraceReason.RETRIED);
        }
        return nanos >= slowNanos ? Optional.of(TraceReason.SLOW) : Optional.empty();
    }

    /** Shards and preferred datacenters hang on the same hash: this choice must not. */
    boolean isSampled(EventId id) {
        return sampleOneIn > 0
                && Long.remainderUnsigned(
                                EventId.stableHash(id.stableHash(), sampleOneIn, 0, 0), sampleOneIn)
                        == 0;
    }

    private boolean hasRoom(long nanoTime) {
        if (!begun || nanoTime - secondBegan >= NANOS_PER_SECOND) {
            begun = true;
            secondBegan = nanoTime;
            inSecond = 0;
        }
        if (inSecond >= alwaysPerSecondMax) {
            return false;
        }
        inSecond++;
        return true;
    }

    /** Attempts that were slow, retried or repaired, and too many of those for one second. */
    public long leftOut() {
        return leftOut;
    }
}
