package photon.verifier.repair;

import static photon.core.error.Checks.check;

import java.time.Duration;
import photon.verifier.runs.IdRuns;

/**
 * Bounds and times of the repair.
 *
 * @param scanPage ids that are asked of a group at one time
 * @param lostIdsMax lost ids that are looked for in one pass over the foreign logs; bounds memory
 * @param readRecords records that are read from the foreign logs at one time
 * @param lookDelayMin from the first look at the foreign logs that did not find every lost event to
 *     the second; doubled from then on. A look lists the logs and reads what is new
 * @param lookDelayMax the longest such delay
 * @param blockedBeforeAlarm a repair that lost events wait for, since a log or directory is away,
 *     is an alarm after so long
 * @param emptyPollsMax polls without anything, before the end is seen, that fail a pass
 * @param rowsPerRequest repair rows a request to the dispatcher
 * @param bytesPerRequest bytes of such a request
 * @param retryMin first delay after a failure
 * @param retryMax longest delay after failures
 * @param failuresBeforeAlarm repeated failures of one incarnation that count as an alarm; it is
 *     tried on
 * @param repairsAtOnce incarnations that are repaired side by side, without those that only look
 *     again now and then; each takes memory of its own
 * @param comparedAtOnce ids that one repair compares before others have their turn
 * @param published memory of one repair for what its incarnation has published
 */
public record RepairLimits(
        int scanPage,
        int lostIdsMax,
        int readRecords,
        Duration lookDelayMin,
        Duration lookDelayMax,
        Duration blockedBeforeAlarm,
        int emptyPollsMax,
        int rowsPerRequest,
        int bytesPerRequest,
        Duration retryMin,
        Duration retryMax,
        int failuresBeforeAlarm,
        int repairsAtOnce,
        int comparedAtOnce,
        IdRuns.Limits published) {

    public static final RepairLimits DEFAULTS =
            new RepairLimits(
                    10_000,
                    100_000,
                    4_096,
                    Duration.ofSeconds(1),
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(10),
                    1_000,
                    500,
                    1 << 20,
                    Duration.ofMillis(500),
                    Duration.ofSeconds(60),
                    5,
                    4,
                    20_000,
                    IdRuns.Limits.DEFAULTS);

    public RepairLimits {
        check(scanPage > 0, "Expected scanPage above 0, but got %s", scanPage);
        check(lostIdsMax > 0, "Expected lostIdsMax above 0, but got %s", lostIdsMax);
        check(readRecords > 0, "Expected readRecords above 0, but got %s", readRecords);
        check(
                !lookDelayMin.isNegative() && !lookDelayMin.isZero(),
                "Expected lookDelayMin above 0, but got %s",
                lookDelayMin);
        check(emptyPollsMax > 0, "Expected emptyPollsMax above 0, but got %s", emptyPollsMax);
        check(rowsPerRequest > 0, "Expected rowsPerRequest above 0, but got %s", rowsPerRequest);
        check(bytesPerRequest > 0, "Expected bytesPerRequest above 0, but got %s", bytesPerRequest);
        check(
                failuresBeforeAlarm > 0,
                "Expected failuresBeforeAlarm above 0, but got %s",
                failuresBeforeAlarm);
        check(repairsAtOnce > 0, "Expected repairsAtOnce above 0, but got %s", repairsAtOnce);
        check(comparedAtOnce > 0, "Expected comparedAtOnce above 0, but got %s", comparedAtOnce);
    }

    /** The same with other memory for what an incarnation has published. */
    public RepairLimits withPublished(IdRuns.Limits other) {
        return new RepairLimits(
                scanPage,
                lostIdsMax,
                readRecords,
                lookDelayMin,
                lookDelayMax,
                blockedBeforeAlarm,
                emptyPollsMax,
                rowsPerRequest,
                bytesPerRequest,
                retryMin,
                retryMax,
                failuresBeforeAlarm,
                repairsAtOnce,
                comparedAtOnce,
                other);
    }

    /** The delay after so many failures in a row: doubled each time, up to the longest. */
    Duration retryDelay(int failures) {
        return doubled(retryMin, failures, retryMax);
    }

    /** The delay after so many looks in which not all was found. */
    Duration lookDelay(int looks) {
        return doubled(lookDelayMin, looks, lookDelayMax);
    }

    private static Duration doubled(Duration first, int times, Duration longest) {
        Duration delay = first;
        for (int i = 1; i < times && delay.compareTo(longest) < 0; i++) {
            delay = delay.multipliedBy(2);
        }
        return delay.compareTo(longest) < 0 ? delay : longest;
    }
}
