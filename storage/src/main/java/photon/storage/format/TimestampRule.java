package photon.storage.format;

import com.google.common.base.CharMatcher;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Locale;
import photon.core.config.TimePattern;
import photon.core.config.TimestampConfig;
import photon.core.error.ConfigException;

/**
 * When an event happened, microseconds since 1970 UTC, by its record. Part of its identity, so
 * exact: decimal arithmetic, and days that do not exist are refused.
 */
sealed interface TimestampRule {
    /** Never negative. */
    long micros(RecordFields fields) throws BadRecordException;

    static TimestampRule of(TimestampConfig config, int index) {
        TimestampRule any = ofAnyDate(config, index);
        return config.dates() == TimestampConfig.Dates.ANY
                ? any
                : new From2000(any, config.field(), index);
    }

    private static TimestampRule ofAnyDate(TimestampConfig config, int index) {
        if (config instanceof TimestampConfig.Numeric numeric) {
            int exponent =
                    switch (numeric.unit()) {
                        case SECONDS -> 6;
                        case MILLIS -> 3;
                        case MICROS -> 0;
                    };
            String expected =
                    "a number of " + numeric.unit().name().toLowerCase(Locale.ROOT) + " since 1970";
            return new OfNumber(numeric.field(), index, exponent, expected);
        }
        TimestampConfig.Pattern pattern = (TimestampConfig.Pattern) config;
        return new OfPattern(
                pattern.field(), index, pattern.pattern(), formatter(pattern), pattern.zone());
    }

    /** The value of a text of decimal digits only; negative if it is none or above 2^63-1. */
    static long digits(String text) {
        int length = text.length();
        if (length == 0 || length > 19) {
            return -1;
        }
        long value = 0;
        for (int i = 0; i < length; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit; // 19 digits overflow into the sign at most once
        }
        return value;
    }

    private static String text(RecordFields fields, int index, String name)
            throws BadRecordException {
        String text = fields.text(index);
        if (text == null) {
            throw BadRecordException.missing(name);
        }
        return text;
    }

    private static DateTimeFormatter formatter(TimestampConfig.Pattern config) {
        if (TimePattern.losesTime(config.pattern())) {
            throw new ConfigException(
                    "timestamp.pattern is '%s': expected %s"
                            .formatted(config.pattern(), TimePattern.EXPECTED));
        }
        try {
            return new DateTimeFormatterBuilder()
                    .appendPattern(config.pattern())
                    .parseDefaulting(ChronoField.ERA, 1) // strict dates of year-of-era need one
                    .toFormatter(Locale.ENGLISH)
                    .withResolverStyle(ResolverStyle.STRICT);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "Expected timestamp.pattern to be a pattern of DateTimeFormatter, but '%s' is not: %s"
                            .formatted(config.pattern(), e.getMessage()));
        }
    }

    /**
     * A number.
     *
     * @param exponent of ten, from the unit to microseconds
     */
    record OfNumber(String field, int index, int exponent, String expected)
            implements TimestampRule {
        private static final int TEXT_CHARS_MAX = 64;

        @Override
        public long micros(RecordFields fields) throws BadRecordException {
            String text = text(fields, index, field);
            long value = digits(text);
            long factor = exponent == 0 ? 1 : exponent == 3 ? 1_000 : 1_000_000;
            if (value >= 0 && value <= Long.MAX_VALUE / factor) {
                return value * factor;
            }
            try {
                return exact(text);
            } catch (NumberFormatException | ArithmeticException e) {
                throw BadRecordException.of(field, expected, text);
            }
        }

        private long exact(String text) {
            // Digits of other scripts would be taken for ours.
            if (text.length() > TEXT_CHARS_MAX || !CharMatcher.ascii().matchesAllOf(text)) {
                throw new NumberFormatException();
            }
            BigDecimal micros = new BigDecimal(text).scaleByPowerOfTen(exponent);
            if (micros.signum() < 0) {
                throw new ArithmeticException();
            }
            // Looked at before rounding: 1e999999999 has a billion digits when written out.
            long integerDigits = (long) micros.precision() - micros.scale();
            if (micros.signum() == 0) {
                return 0;
            }
            // Nobody's clock has shown a time within the first microsecond of 1970.
            if (integerDigits <= 0 || integerDigits > 19) {
                throw new ArithmeticException();
            }
            return micros.setScale(0, RoundingMode.DOWN).longValueExact();
        }
    }

    /**
     * Refuses what is dated before 2000: a wrong unit, or a clock that was never set. An id keeps
     * its date for good. No clock is asked, so that every reader of a record decides alike.
     */
    record From2000(TimestampRule rule, String field, int index) implements TimestampRule {
        @Override
        public long micros(RecordFields fields) throws BadRecordException {
            long micros = rule.micros(fields);
            if (micros < TimestampConfig.PLAUSIBLE_FROM_MICROS) {
                throw BadRecordException.of(
                        field,
                        "a time from 2000 on (or timestamp.plausible: any)",
                        text(fields, index, field));
            }
            return micros;
        }
    }

    /** A text; the zone holds where the text has none. A date alone means its first moment. */
    record OfPattern(
            String field, int index, String pattern, DateTimeFormatter formatter, ZoneId zone)
            implements TimestampRule {
        @Override
        public long micros(RecordFields fields) throws BadRecordException {
            String text = text(fields, index, field);
            try {
                Instant instant = instant(formatter.parse(text));
                if (instant.getEpochSecond() >= 0) {
                    return Math.addExact(
                            Math.multiplyExact(instant.getEpochSecond(), 1_000_000L),
                            instant.getNano() / 1_000);
                }
            } catch (DateTimeException | ArithmeticException e) {
                // told below
            }
            throw BadRecordException.of(field, "a time since 1970 by the pattern " + pattern, text);
        }

        private Instant instant(TemporalAccessor parsed) {
            if (parsed.isSupported(ChronoField.INSTANT_SECONDS)) {
                return Instant.from(parsed);
            }
            LocalDate date = LocalDate.from(parsed);
            LocalTime time = parsed.query(TemporalQueries.localTime());
            ZoneId written = parsed.query(TemporalQueries.zone());
            ZoneId of = written != null ? written : zone;
            return time == null
                    ? date.atStartOfDay(of).toInstant()
                    : date.atTime(time).atZone(of).toInstant();
        }
    }
}
