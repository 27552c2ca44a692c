package photon.core.config;

import java.time.Duration;
import java.util.List;

/**
 * Which of a stream's logs are read, how often new ones are looked for, and when the records of
 * compressed ones count (docs/protocol.md section 12).
 *
 * @param openMembers what becomes of a member that is not whole yet
 * @param finishedAfter a file that has not changed for so long is finished, where its file system
 *     does not say so; 1 s to 1 day
 * @param listEvery how often directories are listed; 50 ms to 5 minutes
 * @param exclude patterns of names, each without a slash: a log is left out that has such a name,
 *     or lies in a directory that has and that a wildcard of its path has found
 * @param backlogPercent of what is read, what logs with a backlog have for themselves while others
 *     are read live; 1 to 99
 */
public record InputConfig(
        OpenMembers openMembers,
        Duration finishedAfter,
        Duration listEvery,
        List<String> exclude,
        int backlogPercent) {
    /** Shorter than this, a writer that pauses would be taken for one that has ended. */
    public static final Duration FINISHED_AFTER_MIN = Duration.ofSeconds(1);

    public static final Duration FINISHED_AFTER_MAX = Duration.ofDays(1);

    public static final Duration LIST_EVERY_MIN = Duration.ofMillis(50);

    public static final Duration LIST_EVERY_MAX = Duration.ofMinutes(5);

    /** With less, a backlog would never end. */
    public static final int BACKLOG_PERCENT_MIN = 1;

    /** With more, events that are logged now would wait for the backlog's end. */
    public static final int BACKLOG_PERCENT_MAX = 99;

    public static final InputConfig DEFAULTS =
            new InputConfig(
                    OpenMembers.VERIFY,
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(1),
                    List.of(),
                    50);

    /** What becomes of records in a gzip member or zstd frame whose checksum has not come yet. */
    public enum OpenMembers {
        /** They wait for the checksum. */
        VERIFY,
        /** They are records at once: damage shows only when the checksum comes. */
        TRUST
    }

    public InputConfig {
        exclude = List.copyOf(exclude);
        if (listEvery.compareTo(LIST_EVERY_MIN) < 0 || listEvery.compareTo(LIST_EVERY_MAX) > 0) {
            throw new IllegalArgumentException(
                    "Expected listEvery from %s to %s, but it is %s"
                            .formatted(LIST_EVERY_MIN, LIST_EVERY_MAX, listEvery));
        }
        if (finishedAfter.compareTo(FINISHED_AFTER_MIN) < 0
                || finishedAfter.compareTo(FINISHED_AFTER_MAX) > 0) {
            throw new IllegalArgumentException(
                    "Expected finishedAfter from %s to %s, but it is %s"
                            .formatted(FINISHED_AFTER_MIN, FINISHED_AFTER_MAX, finishedAfter));
        }
        if (backlogPercent < BACKLOG_PERCENT_MIN || backlogPercent > BACKLOG_PERCENT_MAX) {
            throw new IllegalArgumentException(
                    "Expected backlogPercent from %s to %s, but it is %s"
                            .formatted(BACKLOG_PERCENT_MIN, BACKLOG_PERCENT_MAX, backlogPercent));
        }
    }

    /** These, with what is in gzip members and zstd frames that are not whole yet. */
    public InputConfig trusting() {
        return new InputConfig(
                OpenMembers.TRUST, finishedAfter, listEvery, exclude, backlogPercent);
    }
}
