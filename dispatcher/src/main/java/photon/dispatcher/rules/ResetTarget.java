package photon.dispatcher.rules;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/**
 * Where the positions of foreign logs are to be reset to.
 *
 * @param kind of the place
 * @param at with {@link Kind#TIME}, the time; otherwise the beginning of 1970
 */
public record ResetTarget(Kind kind, Instant at) {
    /** What an operator can ask for. */
    public enum Kind {
        /** The start of each log. */
        EARLIEST,
        /** The end of each log. */
        LATEST,
        /** Where the logs were done at a time in the past. */
        TIME
    }

    public static final ResetTarget EARLIEST = new ResetTarget(Kind.EARLIEST, Instant.EPOCH);
    public static final ResetTarget LATEST = new ResetTarget(Kind.LATEST, Instant.EPOCH);

    /** Empty: it is none of earliest, latest and a time such as 2026-11-26T10:00:00Z. */
    public static Optional<ResetTarget> parse(String text) {
        switch (text) {
            case "earliest":
                return Optional.of(EARLIEST);
            case "latest":
                return Optional.of(LATEST);
            default:
                try {
                    Instant at = OffsetDateTime.parse(text).toInstant();
                    return Optional.of(new ResetTarget(Kind.TIME, at));
                } catch (DateTimeException e) {
                    return Optional.empty();
                }
        }
    }

    @Override
    public String toString() {
        return switch (kind) {
            case EARLIEST -> "earliest";
            case LATEST -> "latest";
            case TIME -> at.toString();
        };
    }
}
