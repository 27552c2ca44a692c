package photon.simulation.kernel;

import photon.core.time.ClockState;
import photon.core.time.IntervalClock;

/**
 * The clock of one machine: wrong by an offset and a drift, of which it knows nothing. The interval
 * that it tells is what such a machine would believe. That it is not synchronised any more is all
 * that it may know.
 */
public final class HostClock implements IntervalClock {
    private final Timeline timeline;
    private final long claimedBoundMicros;
    private long offsetMicros;
    private long driftPartsPerMillion;
    private long driftSinceNanos;
    private boolean synchronised = true;
    private boolean wasWrong;
    private long highestToldMicros = Long.MIN_VALUE;

    /**
     * @param claimedBoundMicros half of the width of the interval
     */
    public HostClock(Timeline timeline, long claimedBoundMicros) {
        this.timeline = timeline;
        this.claimedBoundMicros = claimedBoundMicros;
    }

    private long driftedMicros() {
        return (timeline.nowNanos() - driftSinceNanos) / 1_000 * driftPartsPerMillion / 1_000_000;
    }

    /** Moves it, forward or back. */
    public void jump(long micros) {
        offsetMicros += micros;
        wasWrong = true;
    }

    /** From now on it runs that much too fast; below 0: too slow. */
    public void drift(long partsPerMillion) {
        offsetMicros += driftedMicros();
        driftSinceNanos = timeline.nowNanos();
        driftPartsPerMillion = partsPerMillion;
        wasWrong |= partsPerMillion != 0;
    }

    /** From now on it knows that it may be wrong. */
    public void loseSync() {
        synchronised = false;
    }

    /** The true time again, without drift, and it knows that. */
    public void mend() {
        synchronised = true;
        offsetMicros = 0;
        drift(0);
        offsetMicros = 0;
    }

    /** The latest time that it ever told to have passed, while it believed that; for checkers. */
    public long highestToldMicros() {
        return highestToldMicros;
    }

    /** It once ran away from the true time, by more than it knew perhaps; for checkers. */
    public boolean wasWrong() {
        return wasWrong;
    }

    /** How far it is from the true time now. */
    public long errorMicros() {
        return offsetMicros + driftedMicros();
    }

    @Override
    public Interval now() {
        long micros = timeline.nowMicros() + errorMicros();
        if (synchronised) {
            highestToldMicros = Math.max(highestToldMicros, micros - claimedBoundMicros);
        }
        return new Interval(micros - claimedBoundMicros, micros + claimedBoundMicros);
    }

    @Override
    public ClockState state() {
        return new ClockState(
                ClockState.Source.CONFIGURED,
                synchronised,
                claimedBoundMicros,
                synchronised ? "" : "it follows no other clock");
    }
}
