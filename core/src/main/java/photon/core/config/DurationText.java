package photon.core.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as users write them: {@code 500ms}, {@code 2s}, {@code 10m}, {@code 1h}, {@code 3d}.
 */
public final class DurationText {
    private static final Pattern PATTERN = Pattern.compile("(\\d+)\\s*(ms|s|m|h|d)");

    static final Duration MIN = Duration.ofMillis(1);

    /** A hundred years, so that nobody's nanoseconds overflow. */
    static final Duration MAX = Duration.ofDays(36_500);

    /** What to expect, for messages. */
    public static final String EXPECTED =
            "a duration above 0, up to 36500d, such as 500ms, 2s, 10m, 1h or 3d";

    private DurationText() {}

    /** Above 0, in the largest unit that tells it exactly; below a millisecond is cut off. */
    public static String of(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1_000;
        if (seconds % 60 != 0) {
            return seconds + "s";
        }
        if (seconds % 3_600 != 0) {
            return seconds / 60 + "m";
        }
        return seconds % 86_400 == 0 ? seconds / 86_400 + "d" : seconds / 3_600 + "h";
    }

    /** Empty if it is none, not above 0, or above 36500d. */
    public static Optional<Duration> parse(String text) {
        Matcher matcher = PATTERN.matcher(text.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        try {
            long n = Long.parseLong(matcher.group(1));
            Duration duration =
                    switch (matcher.group(2)) {
                        case "ms" -> Duration.ofMillis(n);
                        case "s" -> Duration.ofSeconds(n);
                        case "m" -> Duration.ofMinutes(n);
                        case "h" -> Duration.ofHours(n);
                        default -> Duration.ofDays(n);
                    };
            return duration.isZero() || duration.compareTo(MAX) > 0
                    ? Optional.empty()
                    : Optional.of(duration);
        } catch (ArithmeticException | NumberFormatException e) {
            return Optional.empty(); // Too large.
        }
    }
}
