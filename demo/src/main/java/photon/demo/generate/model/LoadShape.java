package photon.demo.generate.model;

import static photon.core.error.Checks.check;

import java.time.Duration;

/**
 * What the generated world is like. Shares are from 0 to 1.
 *
 * @param seed everything random comes from it
 * @param processes logging processes a stream
 * @param eventsPerSecond distinct events of both streams together, in the mean over a day
 * @param swing how far the rate of primary events goes up and down around its mean over the day, as
 *     a share of it
 * @param clicksPerPrimary foreign events a primary event, in the mean
 * @param clickDelayMedian half of the clicks come so soon after their primary event
 * @param clickDelaySpread sigma of the log-normal delay; at 1.9 one in a thousand takes 350 times
 *     the median
 * @param orphanShare of the foreign events: their primary event is never logged
 * @param repeatShare of the records: logged twice
 * @param earlyShare of the primary events: logged only after a click on them was
 * @param primaryClockOffsetMax clocks of the primary stream's processes are wrong by up to this,
 *     either way
 * @param foreignClockOffsetMax the same for the foreign stream
 */
public record LoadShape(
        long seed,
        int processes,
        double eventsPerSecond,
        double swing,
        double clicksPerPrimary,
        Duration clickDelayMedian,
        double clickDelaySpread,
        double orphanShare,
        double repeatShare,
        double earlyShare,
        Duration primaryClockOffsetMax,
        Duration foreignClockOffsetMax) {

    /** Processes of one stream. */
    public static final int PROCESSES_MAX = 1_000;

    /** Keeps the ids of a process from running away from its clock. */
    public static final double EVENTS_PER_SECOND_MAX = 1_000_000;

    public static final double CLICKS_PER_PRIMARY_MAX = 20;

    /** Of any log-normal delay: a click after a month is nobody's. */
    static final Duration DELAY_MAX = Duration.ofDays(30);

    public LoadShape {
        between("processes", processes, 1, PROCESSES_MAX);
        check(
                eventsPerSecond > 0 && eventsPerSecond <= EVENTS_PER_SECOND_MAX,
                "Expected events a second above 0, up to %s, but got %s",
                EVENTS_PER_SECOND_MAX,
                eventsPerSecond);
        between("swing", swing, 0, 1);
        between("clicksPerPrimary", clicksPerPrimary, 0, CLICKS_PER_PRIMARY_MAX);
        between("orphanShare", orphanShare, 0, 1);
        between("repeatShare", repeatShare, 0, 1);
        between("earlyShare", earlyShare, 0, 1);
        between("clickDelaySpread", clickDelaySpread, 0, 5);
        between("clickDelayMedian, s", seconds(clickDelayMedian), 0, seconds(DELAY_MAX));
        between("primaryClockOffsetMax, s", seconds(primaryClockOffsetMax), 0, 86_400);
        between("foreignClockOffsetMax, s", seconds(foreignClockOffsetMax), 0, 86_400);
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }

    private static void between(String name, double value, double min, double max) {
        check(
                value >= min && value <= max,
                "Expected %s from %s to %s, but got %s",
                name,
                min,
                max,
                value);
    }
}
