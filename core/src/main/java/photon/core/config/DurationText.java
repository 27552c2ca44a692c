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

    /** What to expect, for messages. */
    public static final String EXPECTED = "a duration above 0, such as 500ms, 2s, 10m, 1h or 3d";

    private DurationText() {}

    /** Empty if it is none, or not above 0. */
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
            return duration.isZero() ? Optional.empty() : Optional.of(duration);
        } catch (ArithmeticException | NumberFormatException e) {
            return Optional.empty(); // Too large.
        }
    }
}
