package photon.demo.generate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.config.DurationText;
import photon.core.error.ConfigException;
import photon.demo.generate.model.LoadShape;

/**
 * What a user asked for, and from that the settings: what was not given fits the rest. Null: not
 * given. Percentages are from 0 to 100.
 */
public record GenerateOptions(
        boolean live,
        long seed,
        GeneratorSettings.Format format,
        int processes,
        @Nullable Long events,
        @Nullable Duration span,
        @Nullable Double rate,
        @Nullable Double swing,
        double clicks,
        @Nullable Duration clickDelayMedian,
        double orphans,
        double repeats,
        double early,
        @Nullable Double lateFiles,
        @Nullable Duration lateBy,
        Duration clockOffsetMax,
        @Nullable Duration foreignClockOffsetMax,
        long rotateBytes,
        @Nullable Duration rotateEvery,
        boolean gzip) {

    /** Distinct events of a run that says nothing of them. */
    public static final long EVENTS = 100_000;

    /** Time in which these happen. */
    public static final Duration SPAN = Duration.ofHours(24);

    /** A live run's events a second. */
    public static final double LIVE_RATE = 1_000;

    private static final double SPREAD = 1.9;
    private static final Duration DELAY_MEDIAN = Duration.ofSeconds(30);
    private static final Duration LIVE_DELAY_MEDIAN = Duration.ofSeconds(1);
    private static final Duration LIVE_LATE_BY = Duration.ofSeconds(5);
    private static final Duration NEVER = Duration.ofDays(36_500);

    /** The median delay is at most this part of the run, so that clicks fall into it. */
    private static final int SPAN_PER_DELAY = 1_000;

    /**
     * @throws ConfigException names all that cannot be used
     */
    public GeneratorSettings settings() {
        List<String> problems = problems();
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        Volume volume = volume();
        Duration spanned = volume.span();
        Duration delay =
                orElse(
                        clickDelayMedian,
                        live ? LIVE_DELAY_MEDIAN : shorter(DELAY_MEDIAN, part(spanned)));
        LoadShape shape =
                new LoadShape(
                        seed,
                        processes,
                        volume.rate(),
                        (swing == null ? (live ? 0 : 50) : swing) / 100,
                        clicks,
                        delay,
                        SPREAD,
                        orphans / 100,
                        repeats / 100,
                        early / 100,
                        clockOffsetMax,
                        orElse(foreignClockOffsetMax, live ? Duration.ZERO : clockOffsetMax));
        return new GeneratorSettings(
                shape,
                format,
                volume.events(),
                (lateFiles == null ? (live ? 0 : 10) : lateFiles) / 100,
                orElse(lateBy, live ? LIVE_LATE_BY : spanned.dividedBy(10)),
                rotateBytes,
                orElse(
                        rotateEvery,
                        live ? NEVER : longer(spanned.dividedBy(4), Duration.ofMillis(1))),
                gzip);
    }

    private record Volume(long events, double rate, Duration span) {}

    private Volume volume() {
        if (live) {
            return new Volume(
                    events == null ? GeneratorSettings.EVENTS_MAX : events,
                    rate == null ? LIVE_RATE : rate,
                    NEVER);
        }
        if (rate != null) {
            long count = events != null ? events : Math.round(rate * seconds(orElse(span, SPAN)));
            return new Volume(
                    Math.max(1, count), rate, Duration.ofMillis((long) (count / rate * 1_000)));
        }
        long count = events == null ? EVENTS : events;
        Duration of = orElse(span, SPAN);
        return new Volume(count, count / seconds(of), of);
    }

    private List<String> problems() {
        List<String> problems = new ArrayList<>();
        outside(problems, "--processes", processes, 1, LoadShape.PROCESSES_MAX);
        outside(problems, "--clicks", clicks, 0, LoadShape.CLICKS_PER_PRIMARY_MAX);
        outside(problems, "--orphans", orphans, 0, 100);
        outside(problems, "--repeats", repeats, 0, 100);
        outside(problems, "--early", early, 0, 100);
        if (swing != null) {
            outside(problems, "--swing", swing, 0, 100);
        }
        if (lateFiles != null) {
            outside(problems, "--late-files", lateFiles, 0, 100);
        }
        outside(problems, "--clock-offset-max", clockOffsetMax, Duration.ofDays(1));
        outside(problems, "--foreign-clock-offset-max", foreignClockOffsetMax, Duration.ofDays(1));
        outside(problems, "--click-delay-median", clickDelayMedian, Duration.ofDays(30));
        if (rotateBytes < 1) {
            problems.add("--rotate-size is " + rotateBytes + ": expected a size above 0");
        }
        if (rotateEvery != null && rotateEvery.toMillis() < 1) {
            problems.add(
                    "--rotate-every is " + DurationText.of(rotateEvery) + ": expected 1ms or more");
        }
        if (events != null) {
            outside(
                    problems,
                    "--events",
                    events.doubleValue(),
                    1,
                    (double) GeneratorSettings.EVENTS_MAX);
        }
        if (span != null && (span.isZero() || span.compareTo(NEVER) > 0)) {
            problems.add(
                    "--span is "
                            + DurationText.of(span)
                            + ": expected a duration above 0, up to 36500d");
        }
        if (rate != null && !(rate > 0 && rate <= LoadShape.EVENTS_PER_SECOND_MAX)) {
            problems.add("--rate is " + rate + ": expected a number above 0, up to 1000000");
        }
        if (problems.isEmpty()) {
            volumeProblems(problems);
        }
        return problems;
    }

    private void volumeProblems(List<String> problems) {
        if (live && span != null) {
            problems.add("--span does not apply with --live: expected --duration, or neither");
        } else if (events != null && span != null && rate != null) {
            problems.add(
                    "--events, --span and --rate: expected two of them, which determine the third");
        } else {
            Volume volume = volume();
            if (volume.rate() > LoadShape.EVENTS_PER_SECOND_MAX) {
                problems.add(
                        "--events and --span make %.0f events per second: expected at most 1000000"
                                .formatted(volume.rate()));
            }
            if (volume.events() > GeneratorSettings.EVENTS_MAX) {
                problems.add(
                        "--rate and --span make %d events: expected at most %d"
                                .formatted(volume.events(), GeneratorSettings.EVENTS_MAX));
            }
        }
    }

    private static void outside(
            List<String> problems, String name, double value, double min, double max) {
        if (!(value >= min && value <= max)) {
            problems.add(
                    "%s is %s: expected from %s to %s"
                            .formatted(name, plain(value), plain(min), plain(max)));
        }
    }

    private static void outside(
            List<String> problems, String name, @Nullable Duration value, Duration max) {
        if (value != null && value.compareTo(max) > 0) {
            problems.add(
                    "%s is %s: expected at most %s"
                            .formatted(name, DurationText.of(value), DurationText.of(max)));
        }
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static Duration part(Duration span) {
        return longer(span.dividedBy(SPAN_PER_DELAY), Duration.ofNanos(1_000));
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private static Duration orElse(@Nullable Duration given, Duration otherwise) {
        return given == null ? otherwise : given;
    }
}
