package photon.core.config;

import java.time.ZoneId;

/** Where an event's timestamp stands in a record, and what it means. */
public sealed interface TimestampConfig {
    String field();

    /** A number. Seconds may have a fraction; what is finer than a microsecond is cut off. */
    record Numeric(String field, Unit unit) implements TimestampConfig {}

    /**
     * A text, by a pattern of {@link java.time.format.DateTimeFormatter}; the zone holds where the
     * text has none.
     */
    record Pattern(String field, String pattern, ZoneId zone) implements TimestampConfig {}

    /** Units of a numeric timestamp. */
    enum Unit {
        SECONDS,
        MILLIS,
        MICROS
    }
}
