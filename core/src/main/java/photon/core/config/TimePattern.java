package photon.core.config;

import java.time.DateTimeException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Locale;

/** Finds patterns of {@link DateTimeFormatter} that read a time of day and cannot tell it. */
public final class TimePattern {
    /** For a message: what is most often meant. */
    public static final String EXPECTED =
            "a pattern that tells the time of day: HH is the hour from 0 to 23, hh needs AM or PM (a) beside it, mm are minutes, ss seconds, SSS milliseconds";

    /** In the afternoon, with a fraction. */
    private static final ZonedDateTime PROBE =
            ZonedDateTime.of(2026, 11, 29, 13, 47, 58, 123_456_000, ZoneOffset.UTC);

    private static final String TIME_LETTERS = "aBhHkKmsSAnN";

    private TimePattern() {}

    /**
     * True for one such as {@code yyyy-MM-dd hh:mm:ss}: it takes each text, and what it has read is
     * a date alone, so that all events of a day would happen at midnight.
     */
    public static boolean losesTime(String pattern) {
        if (!hasTime(pattern)) {
            return false;
        }
        try {
            DateTimeFormatter formatter =
                    DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH)
                            .withResolverStyle(ResolverStyle.STRICT);
            TemporalAccessor parsed = formatter.parse(formatter.format(PROBE));
            return !parsed.isSupported(ChronoField.INSTANT_SECONDS)
                    && parsed.query(TemporalQueries.localTime()) == null;
        } catch (DateTimeException | IllegalArgumentException e) {
            return false; // Each record that it cannot read is a bad one.
        }
    }

    /** Outside of what stands in quotes. */
    private static boolean hasTime(String pattern) {
        boolean quoted = false;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '\'') {
                quoted = !quoted;
            } else if (!quoted && TIME_LETTERS.indexOf(c) >= 0) {
                return true;
            }
        }
        return false;
    }
}
