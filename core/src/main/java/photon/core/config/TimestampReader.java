package photon.core.config;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** Reads what a file says of timestamps. */
final class TimestampReader {
    private TimestampReader() {}

    /** Of a stream; empty: the stream has none. What is wrong is a problem of the node. */
    static Optional<TimestampConfig> read(ConfigNode stream) {
        Optional<ConfigNode> found = stream.child("timestamp");
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ConfigNode node = found.get();
        String field =
                Objects.requireNonNullElse(node.text("field", null, "the timestamp's field"), "");
        TimestampConfig.Dates dates = dates(node);
        if (node.has("pattern")) {
            return Optional.of(patternTimestamp(node, field, dates));
        }
        String unit =
                node.text(
                        "unit", null, "seconds, millis or micros (or a pattern and zone instead)");
        try {
            return Optional.of(
                    new TimestampConfig.Numeric(
                            field,
                            unit == null
                                    ? TimestampConfig.Unit.MICROS
                                    : TimestampConfig.Unit.valueOf(unit.toUpperCase(Locale.ROOT)),
                            dates));
        } catch (IllegalArgumentException e) {
            node.problem("unit", "seconds, millis or micros");
            return Optional.of(new TimestampConfig.Numeric(field, TimestampConfig.Unit.MICROS));
        }
    }

    private static TimestampConfig.Dates dates(ConfigNode timestamp) {
        String expected = "required (dates from 2000 to tomorrow) or any";
        String plausible = timestamp.text("plausible", "required", expected);
        if (plausible != null && !plausible.equals("required") && !plausible.equals("any")) {
            timestamp.problem("plausible", expected);
        }
        return "any".equals(plausible)
                ? TimestampConfig.Dates.ANY
                : TimestampConfig.Dates.PLAUSIBLE;
    }

    private static TimestampConfig patternTimestamp(
            ConfigNode node, String field, TimestampConfig.Dates dates) {
        String pattern =
                Objects.requireNonNullElse(
                        node.text("pattern", null, "such as yyyy-MM-dd'T'HH:mm:ss"), "");
        ZoneId zone = ZoneId.of("UTC");
        try {
            DateTimeFormatter unused = DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
        } catch (IllegalArgumentException e) {
            node.problem(
                    "pattern", "a date pattern, such as yyyy-MM-dd'T'HH:mm:ss: " + e.getMessage());
        }
        if (TimePattern.losesTime(pattern)) {
            node.problem("pattern", TimePattern.EXPECTED);
        }
        try {
            zone = ZoneId.of(Objects.requireNonNullElse(node.text("zone", "UTC", "a zone"), "UTC"));
        } catch (DateTimeException e) {
            node.problem("zone", "a time zone, such as UTC or Europe/Zurich");
        }
        return new TimestampConfig.Pattern(field, pattern, zone, dates);
    }
}
