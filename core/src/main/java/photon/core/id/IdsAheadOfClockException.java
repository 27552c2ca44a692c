package photon.core.id;

import java.time.Duration;

/**
 * No id was given: the ids of this process are as far ahead of the clock as they may be. Either it
 * was asked for more than a million a second for long, or the clock was set back. Wait for {@link
 * #waitAtLeast()} and ask again, or refuse the event; both are right, so the caller decides.
 */
public final class IdsAheadOfClockException extends Exception {
    private static final long serialVersionUID = 1;

    private final long waitMicros;

    IdsAheadOfClockException(long waitMicros, long aheadMicrosMax) {
        super(
                "Expected ids at most %d us ahead of the clock, but the next would be %d us further"
                        .formatted(aheadMicrosMax, waitMicros));
        this.waitMicros = waitMicros;
    }

    /** After this time of a clock that runs on, the next id is there. */
    public Duration waitAtLeast() {
        return Duration.ofNanos(Math.multiplyExact(waitMicros, 1_000L));
    }
}
