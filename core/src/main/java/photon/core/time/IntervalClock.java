package photon.core.time;

/**
 * Tells the time as an interval that holds the true time, in the manner of TrueTime. Thread-safe.
 */
@FunctionalInterface
public interface IntervalClock {
    Interval now();

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
