package photon.server.configtest.rules;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import photon.core.config.DurationText;
import photon.core.config.PipelineConfig;
import photon.core.config.TimestampConfig;

/** What is wrong with the dates of a stream's events. */
final class TimeDiagnosis {
    /** Fewer odd dates say nothing of the others, unless they are half of all. */
    private static final int ODD_MIN = 3;

    private TimeDiagnosis() {}

    static List<Finding> of(StreamSample sample, Trials trials, long nowMicros) {
        List<Long> micros = Dates.micros(sample);
        long records = micros.size() + sample.bad().count();
        long right = Dates.plausible(micros, nowMicros);
        if (right == records) {
            return List.of();
        }
        String where = where(sample);
        Optional<Trials.OfTimestamp> better = better(trials, nowMicros);
        if (2 * right < records && better.isPresent()) {
            TimestampConfig setting = better.get().timestamp();
            return List.of(
                    new Finding(
                            isAnyDateRight(sample)
                                    ? Finding.Severity.WARNING
                                    : Finding.Severity.ERROR,
                            where,
                            "%s. %s the dates are %s"
                                    .formatted(
                                            wrong(sample, micros, nowMicros),
                                            with(sample, setting),
                                            Dates.span(better.get().micros())),
                            "Write %s: %s".formatted(where, Yaml.timestamp(setting))));
        }
        if (right == micros.size()) {
            return List.of();
        }
        return List.of(withoutFix(sample, trials, micros, nowMicros));
    }

    private static Finding withoutFix(
            StreamSample sample, Trials trials, List<Long> micros, long nowMicros) {
        String where = where(sample);
        String wrong = wrong(sample, micros, nowMicros);
        if (isAnyDateRight(sample)) {
            return Finding.warning(where, wrong, "%s.plausible: any accepts this".formatted(where));
        }
        if (nanoseconds(sample, trials, nowMicros)) {
            return Finding.error(
                    where,
                    wrong + ". They look like nanoseconds, 1,000 times too large for micros",
                    "Photon has no unit for that: write microseconds into the logs");
        }
        long late = micros.stream().filter(one -> Dates.isTooLate(one, nowMicros)).count();
        if (2 * late >= micros.size()) {
            return Finding.error(
                    where, wrong, "Expected another field, or correct clocks where it is written");
        }
        if (sample.stream().timestamp().isPresent() && isRefused(micros, nowMicros)) {
            return Finding.error(
                    where,
                    wrong,
                    "An id keeps its date permanently: expected dates from 2000 to tomorrow. If these are right, write %s.plausible: any"
                            .formatted(where));
        }
        return Finding.warning(
                where,
                wrong,
                "An id keeps its date permanently: check %s if this is not intended"
                        .formatted(where));
    }

    /** The configuration says so. */
    private static boolean isAnyDateRight(StreamSample sample) {
        return sample.stream()
                .timestamp()
                .filter(timestamp -> timestamp.dates() == TimestampConfig.Dates.ANY)
                .isPresent();
    }

    /**
     * A few wrong clocks among many producers must not keep a pipeline from its start, nor a few
     * events of a short log. More than one in a hundred, and too many to be an accident.
     */
    private static boolean isRefused(List<Long> micros, long nowMicros) {
        long wrong = micros.size() - Dates.plausible(micros, nowMicros);
        return 100 * wrong > micros.size() && (wrong >= ODD_MIN || 2 * wrong >= micros.size());
    }

    private static String where(StreamSample sample) {
        return sample.name() + (sample.stream().timestamp().isPresent() ? ".timestamp" : ".id");
    }

    /** All of the stream's foreign events may be older than the pipeline keeps ids. */
    static List<Finding> ofRetention(PipelineConfig config, StreamSample foreign, long nowMicros) {
        Duration retention = config.retention().orElse(null);
        if (retention == null) {
            return List.of();
        }
        Duration tried = retention.minus(config.limits().expiryMargin());
        long oldest = nowMicros - TimeUnit.MILLISECONDS.toMicros(tried.toMillis());
        List<Long> micros = Dates.micros(foreign);
        long old =
                micros.stream()
                        .filter(one -> one < oldest && Dates.isPlausible(one, nowMicros))
                        .count();
        if (old == 0) {
            return List.of();
        }
        long days = TimeUnit.MICROSECONDS.toDays(nowMicros - Dates.min(micros)) + 2;
        Finding.Severity severity =
                old == micros.size() ? Finding.Severity.ERROR : Finding.Severity.WARNING;
        return List.of(
                new Finding(
                        severity,
                        "retention",
                        "%,d of %,d sampled foreign events are older than the retention, %s, and Photon refuses them as too old"
                                .formatted(old, micros.size(), DurationText.of(retention)),
                        "To join them, write retention: unlimited, or retention: %dd or more"
                                .formatted(days)));
    }

    /** The setting that gives dates of today to at least four in five, and to the most. */
    private static Optional<Trials.OfTimestamp> better(Trials trials, long nowMicros) {
        return trials.timestamps().stream()
                .filter(trial -> trial.records() > 0)
                .filter(
                        trial ->
                                5 * Dates.plausible(trial.micros(), nowMicros)
                                        >= 4 * trial.records())
                .max(Comparator.comparingLong(trial -> Dates.plausible(trial.micros(), nowMicros)));
    }

    private static String wrong(StreamSample sample, List<Long> micros, long nowMicros) {
        List<String> parts = new ArrayList<>();
        List<Long> early = micros.stream().filter(Dates::isTooEarly).toList();
        List<Long> late = micros.stream().filter(one -> Dates.isTooLate(one, nowMicros)).toList();
        if (!early.isEmpty()) {
            parts.add(
                    "%,d of %,d sampled events are dated before 2000: %s"
                            .formatted(early.size(), micros.size(), Dates.span(early)));
        }
        if (!late.isEmpty()) {
            parts.add(
                    "%,d of %,d sampled events are dated after tomorrow: %s"
                            .formatted(late.size(), micros.size(), Dates.span(late)));
        }
        if (parts.isEmpty()) {
            parts.add("%,d records have no readable date".formatted(sample.bad().count()));
        }
        return String.join("; ", parts);
    }

    private static String with(StreamSample sample, TimestampConfig setting) {
        if (!(setting instanceof TimestampConfig.Numeric right)) {
            return "With that pattern";
        }
        String unit = right.unit().name().toLowerCase(Locale.ROOT);
        TimestampConfig now = sample.stream().timestamp().orElse(setting);
        if (!(now instanceof TimestampConfig.Numeric wrong)) {
            return "With unit: %s".formatted(unit);
        }
        long factor =
                Math.max(micros(right.unit()), micros(wrong.unit()))
                        / Math.min(micros(right.unit()), micros(wrong.unit()));
        return "The unit is off by %,d: with unit: %s".formatted(factor, unit);
    }

    private static long micros(TimestampConfig.Unit unit) {
        return switch (unit) {
            case SECONDS -> 1_000_000;
            case MILLIS -> 1_000;
            case MICROS -> 1;
        };
    }

    private static boolean nanoseconds(StreamSample sample, Trials trials, long nowMicros) {
        List<List<Long>> readings = new ArrayList<>();
        trials.timestamps().stream()
                .filter(trial -> isMicros(trial.timestamp()))
                .forEach(trial -> readings.add(trial.micros()));
        if (sample.stream().timestamp().filter(TimeDiagnosis::isMicros).isPresent()) {
            readings.add(Dates.micros(sample));
        }
        return readings.stream()
                .anyMatch(
                        micros ->
                                !micros.isEmpty()
                                        && 5
                                                        * Dates.plausible(
                                                                micros.stream()
                                                                        .map(one -> one / 1_000)
                                                                        .toList(),
                                                                nowMicros)
                                                >= 4L * micros.size());
    }

    private static boolean isMicros(TimestampConfig timestamp) {
        return timestamp instanceof TimestampConfig.Numeric numeric
                && numeric.unit() == TimestampConfig.Unit.MICROS;
    }
}
