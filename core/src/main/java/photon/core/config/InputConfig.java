package photon.core.config;

import java.time.Duration;

/**
 * How much of a stream's compressed logs is believed, and when (docs/protocol.md section 12).
 *
 * @param openMembers what becomes of a member that is not whole yet
 * @param finishedAfter a file that has not changed for so long is finished, where its file system
 *     does not say so; 1 s to 1 day
 */
public record InputConfig(OpenMembers openMembers, Duration finishedAfter) {
    /** Shorter than this, a writer that pauses would be taken for one that has ended. */
    public static final Duration FINISHED_AFTER_MIN = Duration.ofSeconds(1);

    public static final Duration FINISHED_AFTER_MAX = Duration.ofDays(1);

    public static final InputConfig DEFAULTS =
            new InputConfig(OpenMembers.VERIFY, Duration.ofSeconds(60));

    /** What becomes of records in a gzip member or zstd frame whose checksum has not come yet. */
    public enum OpenMembers {
        /** They wait for the checksum. */
        VERIFY,
        /** They are records at once: damage shows only when the checksum comes. */
        TRUST
    }

    public InputConfig {
        if (finishedAfter.compareTo(FINISHED_AFTER_MIN) < 0
                || finishedAfter.compareTo(FINISHED_AFTER_MAX) > 0) {
            throw new IllegalArgumentException(
                    "Expected finishedAfter from %s to %s, but it is %s"
                            .formatted(FINISHED_AFTER_MIN, FINISHED_AFTER_MAX, finishedAfter));
        }
    }
}
