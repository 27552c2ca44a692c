package photon.core.time;

import static photon.core.error.Checks.check;

/**
 * What is known of a clock's error.
 *
 * @param synchronised false: it may be wrong by any amount, whatever the bound says
 * @param boundMicros how far it may be from true time, either way
 * @param trouble why it is not synchronised; empty if it is
 */
public record ClockState(Source source, boolean synchronised, long boundMicros, String trouble) {
    /** Where the bound comes from. */
    public enum Source {
        /** A person has vouched for it. */
        CONFIGURED,
        /** chronyd measures it. */
        CHRONY
    }

    public ClockState {
        check(boundMicros >= 0, "Expected a bound of 0 or more, but got %s", boundMicros);
        check(
                synchronised == trouble.isEmpty(),
                "Expected a reason with a clock that is not synchronised only, but got '%s'",
                trouble);
    }

    /** As a person says: whoever configures a bound says that it holds. */
    public static ClockState configured(long boundMicros) {
        return new ClockState(Source.CONFIGURED, true, boundMicros, "");
    }
}
