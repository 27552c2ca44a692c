package photon.core.config;

import java.time.ZoneId;

/** Where an event's timestamp stands in a record, and what it means. */
public sealed interface TimestampConfig {
    /** 2000-01-01 UTC: {@link Dates#PLAUSIBLE} dates begin here. */
    long PLAUSIBLE_FROM_MICROS = 946_684_800_000_000L;

    String field();

    Dates dates();

    /** The same setting with other dates allowed. */
    TimestampConfig with(Dates dates);

    /** Which dates an event may have. */
    enum Dates {
        /** From 2000 on: an earlier one is a wrong unit or a clock that was never set. */
        PLAUSIBLE,
        /** From 1970 on, as in logs that count from the start of a recording. */
        ANY
    }

    /** A number. Seconds may have a fraction; what is finer than a microsecond is cut off. */
    record Numeric(String field, Unit unit, Dates dates) implements TimestampConfig {
        /** Of any date. */
        public Numeric(String field, Unit unit) {
            this(field, unit, Dates.ANY);
        }

        @Override
        public Numeric with(Dates other) {
            return new Numeric(field, unit, other);
        }
    }

    /**
     * A text, by a pattern of {@link java.time.format.DateTimeFormatter}; the zone holds where the
     * text has none.
     */
    record Pattern(String field, String pattern, ZoneId zone, Dates dates)
            implements TimestampConfig {
        /** Of any date. */
        public Pattern(String field, String pattern, ZoneId zone) {
            this(field, pattern, zone, Dates.ANY);
        }

        @Override
        public Pattern with(Dates other) {
            return new Pattern(field, pattern, zone, other);
        }
    }

    /** Units of a numeric timestamp. */
    enum Unit {
        SECONDS,
        MILLIS,
        MICROS
    }
}
