package photon.core.time;

/**
 * Tells the time as an interval that holds the true time, in the manner of TrueTime. Thread-safe.
 */
@FunctionalInterface
public interface IntervalClock {
    Interval now();

    /**
     * What is known of its error. A clock that knows nothing of it is taken at its word: somebody
     * has configured the width of its interval.
     */
    default ClockState state() {
        Interval now = now();
        return ClockState.configured((now.latestMicros() - now.earliestMicros() + 1) / 2);
    }

    /**
     * @param earliestMicros the true time is not before this, microseconds since 1970 UTC
     * @param latestMicros nor after this
     */
    record Interval(long earliestMicros, long latestMicros) {
        public Interval {
            if (earliestMicros > latestMicros) {
                throw new IllegalArgumentException(
                        "Expected earliest <= latest, but got "
                                + earliestMicros
                                + " > "
                                + latestMicros);
            }
        }
    }
}
