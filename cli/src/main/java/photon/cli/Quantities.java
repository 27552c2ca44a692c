package photon.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Values of options with a unit, written as in a configuration. */
public final class Quantities {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,15})(us|ms|s|m|h|d)");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})(B|KiB|MiB|GiB)");

    private Quantities() {}

    /** Such as 500ms, 2s, 10m, 1h, 3d. */
    public static final class OfTime implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            Matcher matcher = match(DURATION, text, "a duration, such as 500ms, 2s, 10m, 1h or 3d");
            long number = Long.parseLong(matcher.group(1));
            try {
                return switch (matcher.group(2)) {
                    case "us" -> Duration.ofNanos(Math.multiplyExact(number, 1_000L));
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    case "m" -> Duration.ofMinutes(number);
                    case "h" -> Duration.ofHours(number);
                    default -> Duration.ofDays(number);
                };
            } catch (ArithmeticException e) {
                throw new TypeConversionException("'" + text + "' is too long");
            }
        }
    }

    /** Such as 64MiB; in bytes. */
    public static final class OfBytes implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            Matcher matcher = match(SIZE, text, "a size, such as 64KiB or 64MiB");
            int shift =
                    switch (matcher.group(2)) {
                        case "B" -> 0;
                        case "KiB" -> 10;
                        case "MiB" -> 20;
                        default -> 30;
                    };
            try {
                return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift);
            } catch (ArithmeticException e) {
                throw new TypeConversionException("'" + text + "' is too large");
            }
        }
    }

    private static Matcher match(Pattern pattern, String text, String expected) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not " + expected);
        }
        return matcher;
    }
}
