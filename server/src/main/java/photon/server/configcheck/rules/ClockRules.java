package photon.server.configcheck.rules;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import photon.core.time.ClockState;

/** Whether this machine knows the time. */
public final class ClockRules {
    private static final String AREA = "clock";
    private static final long MICROS_PER_MILLI = 1_000;

    /** Every part counts on its clock being no further off than this. */
    private final Duration bound;

    private final Duration skewMax;

    /**
     * @param bound how far a machine's clock may be from true time
     * @param skewMax ids that are further ahead of the registry's clock are refused
     */
    public ClockRules(Duration bound, Duration skewMax) {
        this.bound = bound;
        this.skewMax = skewMax;
    }

    /**
     * Whether somebody keeps the clock.
     *
     * @param state as a registry server on this machine would know it
     * @param timesync whether systemd-timesyncd has set the clock since the boot
     * @param votes whether it is a registry server's machine: whose clock is not known has no vote
     *     on which ids are old
     */
    public CheckLine kept(ClockState state, boolean timesync, boolean votes) {
        String subject = "this machine";
        if (state.source() == ClockState.Source.CONFIGURED) {
            return CheckLine.ok(
                    AREA,
                    subject,
                    "deployment.clock vouches that it is within " + millis(state.boundMicros()));
        }
        if (state.synchronised()) {
            boolean within = state.boundMicros() <= micros(bound);
            String found = "chronyd keeps it within " + millis(state.boundMicros());
            return within
                    ? CheckLine.ok(AREA, subject, found)
                    : CheckLine.warn(AREA, subject, found, "within " + millis(micros(bound)));
        }
        if (votes) {
            return CheckLine.warn(
                    AREA,
                    subject,
                    "chronyd does not keep it: " + state.trouble(),
                    "chronyd that runs and is synchronised ('chronyc tracking'); until then this server has no vote on which ids are older than the retention, and ids stay");
        }
        return timesync
                ? CheckLine.ok(AREA, subject, "systemd-timesyncd has set it")
                : CheckLine.warn(
                        AREA,
                        subject,
                        "neither chronyd nor systemd-timesyncd keeps it: " + state.trouble(),
                        "one of them that runs and is synchronised: events whose clock is ahead wait, and late ones are refused earlier");
    }

    /**
     * This machine's clock beside a registry server's.
     *
     * @param server its name and address
     * @param ahead by how many microseconds the server's clock is ahead; empty: it did not answer
     * @param trouble why it did not
     */
    public CheckLine beside(String server, OptionalLong ahead, String trouble) {
        if (ahead.isEmpty()) {
            return CheckLine.warn(
                    AREA,
                    server,
                    "not compared: " + (trouble.isEmpty() ? "it tells no clock" : trouble),
                    "an answer, once the server runs: check again then");
        }
        long difference = Math.abs(ahead.getAsLong());
        String found =
                "its clock is %s %s this machine's"
                        .formatted(
                                millis(difference), ahead.getAsLong() < 0 ? "behind" : "ahead of");
        if (difference <= micros(bound)) {
            return CheckLine.ok(AREA, server, found);
        }
        String expected =
                "within %s: see which of the two is wrong, and let chronyd keep it"
                        .formatted(millis(micros(bound)));
        return difference <= micros(skewMax)
                ? CheckLine.warn(AREA, server, found, expected)
                : CheckLine.fail(AREA, server, found, expected);
    }

    private static long micros(Duration duration) {
        return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
    }

    private static String millis(long micros) {
        return micros < 10 * MICROS_PER_MILLI
                ? "%.1f ms".formatted((double) micros / MICROS_PER_MILLI)
                : "%,d ms".formatted(micros / MICROS_PER_MILLI);
    }
}
