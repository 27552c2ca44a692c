package photon.registry.admin;

import photon.proto.v1.ServerClock;

/**
 * How far a server's clock was ahead of this machine's when it answered. Its answer was written at
 * some time between question and answer, so the middle of these is wrong by half of that at most
 * (RFC 5905, section 8).
 *
 * @param aheadMicros below 0: it was behind
 * @param giveOrTakeMicros 0 or more
 */
public record ClockLook(long aheadMicros, long giveOrTakeMicros) {
    /**
     * @param askedMicros this machine's time of the question
     * @param answeredMicros and of the answer
     */
    static ClockLook of(ServerClock its, long askedMicros, long answeredMicros) {
        long took = Math.max(0, answeredMicros - askedMicros);
        long theirs =
                its.getEarliestMicros() + (its.getLatestMicros() - its.getEarliestMicros()) / 2;
        return new ClockLook(theirs - (askedMicros + took / 2), took / 2);
    }

    /** True if both clocks may show the same. */
    boolean maybeEqual() {
        return Math.abs(aheadMicros) <= giveOrTakeMicros;
    }

    /** The one that knows more. */
    ClockLook orBetter(ClockLook other) {
        return other.giveOrTakeMicros < giveOrTakeMicros ? other : this;
    }
}
