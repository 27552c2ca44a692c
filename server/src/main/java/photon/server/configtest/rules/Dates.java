package photon.server.configtest.rules;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import photon.core.config.TimestampConfig;

/** Which timestamps an event of today's logs may have. */
public final class Dates {
    private Dates() {}

    static List<Long> micros(StreamSample sample) {
        return sample.events().stream().map(event -> event.id().micros()).toList();
    }

    public static boolean isTooEarly(long micros) {
        return micros < TimestampConfig.PLAUSIBLE_FROM_MICROS;
    }

    static boolean isTooLate(long micros, long nowMicros) {
        return micros > nowMicros + TimeUnit.DAYS.toMicros(1);
    }

    public static boolean isPlausible(long micros, long nowMicros) {
        return !isTooEarly(micros) && !isTooLate(micros, nowMicros);
    }

    static long plausible(List<Long> micros, long nowMicros) {
        return micros.stream().filter(one -> isPlausible(one, nowMicros)).count();
    }

    static long min(List<Long> micros) {
        return micros.stream().mapToLong(Long::longValue).min().orElse(0);
    }

    static long max(List<Long> micros) {
        return micros.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** As people read it, to the second. */
    public static String text(long micros) {
        return Instant.EPOCH
                .plus(micros, ChronoUnit.MICROS)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }

    public static String span(List<Long> micros) {
        return text(min(micros)) + " to " + text(max(micros));
    }
}
