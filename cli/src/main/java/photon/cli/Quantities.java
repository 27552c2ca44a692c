package photon.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import photon.core.config.DurationText;
import photon.core.error.ConfigException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Values of options with a unit, written as in a configuration. A message says what is expected
 * instead; {@link WrongUsage} puts the option and its value before it.
 */
public final class Quantities {
    private static final Pattern BARE = Pattern.compile("0*[1-9]\\d*");
    private static final Pattern ZERO = Pattern.compile("0(ms|s|m|h|d)");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})(B|KiB|MiB|GiB)");

    private Quantities() {}

    /**
     * The duration that an option takes beside other words.
     *
     * @throws ConfigException if it is none
     */
    static Duration duration(String option, String text) {
        return DurationText.parse(text)
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        "%s is '%s': %s"
                                                .formatted(option, text, OfTime.expected(text))));
    }

    /** Such as 500ms, 2s, 10m, 1h, 3d: what every option for a time takes. */
    public static final class OfTime implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return DurationText.parse(text)
                    .orElseThrow(() -> new TypeConversionException(expected(text)));
        }

        static String expected(String text) {
            return BARE.matcher(text).matches()
                    ? "expected a duration with its unit, such as %ss, or %sms for milliseconds"
                            .formatted(text, text)
                    : "expected " + DurationText.EXPECTED;
        }
    }

    /** The same, or none, such as 0s. */
    public static final class OfTimeOrNone implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return ZERO.matcher(text).matches() ? Duration.ZERO : new OfTime().convert(text);
        }
    }

    /** Such as 64MiB; in bytes. */
    public static final class OfBytes implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            Matcher matcher = SIZE.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException(
                        BARE.matcher(text).matches()
                                ? "expected a size with its unit, such as %sB, or %sMiB"
                                        .formatted(text, text)
                                : "expected a size, such as 64KiB, 64MiB or 1GiB");
            }
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
                throw new TypeConversionException("expected a smaller size");
            }
        }
    }
}
