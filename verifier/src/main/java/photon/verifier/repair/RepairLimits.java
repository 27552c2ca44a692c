package photon.verifier.repair;

import static photon.core.error.Checks.check;

import java.time.Duration;

/**
 * Bounds and times of the repair.
 *
 * @param scanPage ids that are asked of a group at one time
 * @param lostIdsMax lost ids that are looked for in one pass over the foreign logs; bounds memory
 * @param readRecords records that are read from the foreign logs at one time
 * @param readPasses an id that this many passes did not find cannot be re-read; several, since a
 *     log may be renamed, or away for a moment, while it is read
 * @param readPassDelay from one such pass to the next
 * @param emptyPollsMax polls without anything, before the end is seen, that fail a pass
 * @param rowsPerRequest repair rows a request to the dispatcher
 * @param bytesPerRequest bytes of such a request
 * @param retryMin first delay after a failure
 * @param retryMax longest delay after failures
 * @param failuresBeforeAlarm repeated failures of one incarnation that count as an alarm; it is
 *     tried on
 */
public record RepairLimits(
        int scanPage,
        int lostIdsMax,
        int readRecords,
        int readPasses,
        Duration readPassDelay,
        int emptyPollsMax,
        int rowsPerRequest,
        int bytesPerRequest,
        Duration retryMin,
        Duration retryMax,
        int failuresBeforeAlarm) {

    public static final RepairLimits DEFAULTS =
            new RepairLimits(
                    10_000,
                    100_000,
                    4_096,
                    2,
                    Duration.ofSeconds(1),
                    1_000,
                    500,
                    1 << 20,
                    Duration.ofMillis(500),
                    Duration.ofSeconds(60),
                    5);

    public RepairLimits {
        check(scanPage > 0, "Expected scanPage above 0, but got %s", scanPage);
        check(lostIdsMax > 0, "Expected lostIdsMax above 0, but got %s", lostIdsMax);
        check(readRecords > 0, "Expected readRecords above 0, but got %s", readRecords);
        check(readPasses > 0, "Expected readPasses above 0, but got %s", readPasses);
        check(emptyPollsMax > 0, "Expected emptyPollsMax above 0, but got %s", emptyPollsMax);
        check(rowsPerRequest > 0, "Expected rowsPerRequest above 0, but got %s", rowsPerRequest);
        check(bytesPerRequest > 0, "Expected bytesPerRequest above 0, but got %s", bytesPerRequest);
        check(
                failuresBeforeAlarm > 0,
                "Expected failuresBeforeAlarm above 0, but got %s",
                failuresBeforeAlarm);
    }

    /** The delay after so many failures in a row: doubled each time, up to the longest. */
    Duration retryDelay(int failures) {
        Duration delay = retryMin;
        for (int i = 1; i < failures && delay.compareTo(retryMax) < 0; i++) {
            delay = delay.multipliedBy(2);
        }
        return delay.compareTo(retryMax) < 0 ? delay : retryMax;
    }
}
