package photon.demo.generate;

import static photon.core.error.Checks.check;

import java.time.Duration;
import photon.demo.generate.model.LoadShape;

/**
 * What is generated, and into which files.
 *
 * @param eventsMax the run ends with so many distinct events
 * @param lateFileShare of the log files: they appear only when they are {@code lateBy} old, or
 *     finished
 * @param rotateBytes a log file of so many bytes is finished, and the next begun
 * @param rotateEvery so is one of that age
 * @param gzip finished files are compressed
 */
public record GeneratorSettings(
        LoadShape shape,
        Format format,
        long eventsMax,
        double lateFileShare,
        Duration lateBy,
        long rotateBytes,
        Duration rotateEvery,
        boolean gzip) {

    /** When the world of a run that is not live begins: in October 2025. */
    public static final long START_MICROS = 1_760_000_000_000_000L;

    /** What has to be kept in memory for the answer grows with it. */
    public static final long EVENTS_MAX = 100_000_000;

    /** Of logs. */
    public enum Format {
        JSON_LINES("json-lines"),
        FRAMED("framed");

        private final String text;

        Format(String text) {
            this.text = text;
        }

        /** As in a configuration. */
        public String text() {
            return text;
        }
    }

    public GeneratorSettings {
        check(
                eventsMax > 0 && eventsMax <= EVENTS_MAX,
                "Expected from 1 to %s events, but got %s",
                EVENTS_MAX,
                eventsMax);
        check(
                lateFileShare >= 0 && lateFileShare <= 1,
                "Expected a share of late files from 0 to 1, but got %s",
                lateFileShare);
        check(!lateBy.isNegative(), "Expected lateBy from 0 on, but got %s", lateBy);
        check(rotateBytes > 0, "Expected rotateBytes above 0, but got %s", rotateBytes);
        check(rotateEvery.toMillis() > 0, "Expected rotateEvery above 0, but got %s", rotateEvery);
    }
}
