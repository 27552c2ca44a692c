package photon.server.configinit.rules;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import photon.core.config.TimestampConfig;
import photon.core.error.ConfigException;
import photon.server.configinit.rules.Guess.Certainty;
import photon.server.configtest.rules.Dates;
import photon.server.configtest.rules.Yaml;
import photon.storage.format.TimestampText;

/** Tells which field holds the time of an event, and in which unit or pattern. */
final class TimestampGuess {
    private static final int NAMED_MAX = 5;

    private final Table table;
    private final Times times;
    private final Notes notes;

    TimestampGuess(Table table, Times times, Notes notes) {
        this.table = table;
        this.times = times;
        this.notes = notes;
    }

    /**
     * @param stated {@code FIELD}, {@code FIELD:UNIT} or {@code FIELD:PATTERN}
     * @param ids fields that are a part of ids, and times only where nothing else is
     */
    Optional<TimestampConfig> find(Optional<String> stated, List<String> ids) {
        if (stated.isPresent()) {
            return ofStated(stated.get());
        }
        List<TimestampConfig> found =
                candidates(field -> !ids.contains(field) && !Names.isOfId(field));
        boolean clear = !found.isEmpty();
        if (found.isEmpty()) {
            found = candidates(field -> !ids.contains(field));
        }
        if (found.isEmpty()) {
            found = candidates(ids::contains);
        }
        if (found.isEmpty()) {
            notes.need(key(), nothing(), option());
            return Optional.empty();
        }
        TimestampConfig first = found.get(0);
        if (found.size() > 1 && rank(found.get(1)) == rank(first)) {
            notes.need(
                    key(),
                    "several fields hold dates: "
                            + found.stream()
                                    .limit(NAMED_MAX)
                                    .map(one -> one.field() + " (" + span(one) + ")")
                                    .collect(Collectors.joining(", ")),
                    "State the time of the event, which you cannot change later: "
                            + found.stream()
                                    .limit(NAMED_MAX)
                                    .map(
                                            one ->
                                                    "--%s-timestamp %s"
                                                            .formatted(table.name(), one.field()))
                                    .collect(Collectors.joining(" | ")));
            return Optional.empty();
        }
        List<String> others =
                found.stream().skip(1).map(TimestampConfig::field).limit(NAMED_MAX).toList();
        note(
                first,
                clear && others.isEmpty() && hasZone(first) ? Certainty.CERTAIN : Certainty.LIKELY,
                others.isEmpty()
                        ? ""
                        : "; otherwise "
                                + others.stream()
                                        .map(
                                                field ->
                                                        "--%s-timestamp %s"
                                                                .formatted(table.name(), field))
                                        .collect(Collectors.joining(" or ")));
        return Optional.of(first);
    }

    private List<TimestampConfig> candidates(Predicate<String> may) {
        return table.steadyFields().stream()
                .filter(may)
                .map(times::reading)
                .flatMap(Optional::stream)
                .sorted(Comparator.comparingInt(this::rank).reversed())
                .toList();
    }

    /** Whole days rank below times of a day, whatever they are called. */
    private int rank(TimestampConfig setting) {
        boolean day =
                setting instanceof TimestampConfig.Pattern pattern
                        && !pattern.pattern().contains("H");
        return day ? -1 : Names.ofTime(setting.field(), table.stem());
    }

    private Optional<TimestampConfig> ofStated(String stated) {
        String field =
                table.fields().stream()
                        .filter(one -> stated.equals(one) || stated.startsWith(one + ":"))
                        .max(Comparator.comparingInt(String::length))
                        .orElse("");
        if (field.length() == stated.length()) {
            Optional<TimestampConfig> reading = times.reading(field);
            reading.ifPresentOrElse(
                    found -> note(found, Certainty.STATED, ""),
                    () ->
                            notes.need(
                                    key(),
                                    "%s holds no dates from 2000 to tomorrow in any unit or pattern that is known, such as '%s'"
                                            .formatted(field, example(field)),
                                    option(field)));
            return reading;
        }
        TimestampConfig setting = setting(field, stated.substring(field.length() + 1));
        TimestampText text = TimestampText.of(setting);
        if (table.values(field).stream().noneMatch(value -> text.micros(value).isPresent())) {
            notes.need(
                    key(),
                    "%s cannot be read that way: its values look like '%s'"
                            .formatted(field, example(field)),
                    option(field));
            return Optional.empty();
        }
        note(setting, Certainty.STATED, "");
        return Optional.of(setting);
    }

    private TimestampConfig setting(String field, String how) {
        Optional<TimestampConfig.Unit> unit =
                Arrays.stream(TimestampConfig.Unit.values())
                        .filter(one -> one.name().equalsIgnoreCase(how))
                        .findFirst();
        if (unit.isPresent()) {
            return new TimestampConfig.Numeric(field, unit.get());
        }
        TimestampConfig pattern =
                new TimestampConfig.Pattern(field, how, java.time.ZoneId.of("UTC"));
        try {
            TimestampText.of(pattern);
        } catch (ConfigException e) {
            throw new ConfigException(
                    "--%s-timestamp: expected %s:seconds, :millis, :micros or a pattern such as %s:yyyy-MM-dd'T'HH:mm:ssX, but got '%s'"
                            .formatted(table.name(), field, field, how));
        }
        return pattern;
    }

    private void note(TimestampConfig setting, Certainty certainty, String others) {
        String zone =
                hasZone(setting)
                        ? ""
                        : "; the texts name no zone: write another zone if they are not UTC";
        List<Long> micros = times.micros(setting);
        long early = micros.stream().filter(Dates::isTooEarly).count();
        // A few are clocks that were not set. An id keeps its date for good, so only a person who
        // has named such a field lets all dates in.
        boolean any = certainty == Certainty.STATED && early * 2 > micros.size();
        String value = Yaml.timestamp(setting);
        notes.guess(
                key(),
                any ? value.substring(0, value.length() - 1) + ", plausible: any}" : value,
                certainty,
                "the dates are %s%s%s%s"
                        .formatted(span(setting), early(early, micros.size(), any), others, zone));
    }

    private static String early(long early, int all, boolean any) {
        if (early == 0) {
            return "";
        }
        return any
                ? ", and without plausible: any those before 2000 would be refused"
                : ", and %,d of %,d are before 2000, which makes bad records of theirs"
                        .formatted(early, all);
    }

    private static boolean hasZone(TimestampConfig setting) {
        return !(setting instanceof TimestampConfig.Pattern pattern)
                || Stream.of("X", "Z", "x", "V", "z").anyMatch(pattern.pattern()::contains);
    }

    private String span(TimestampConfig setting) {
        List<Long> micros = times.micros(setting);
        return micros.isEmpty() ? "none" : Dates.span(micros);
    }

    private String nothing() {
        List<String> nanos = table.steadyFields().stream().filter(times::isNanos).toList();
        if (!nanos.isEmpty()) {
            return "no field holds dates from 2000 to tomorrow; %s looks like nanoseconds, for which Photon has no unit: write microseconds into the logs"
                    .formatted(String.join(", ", nanos));
        }
        return "no field holds dates from 2000 to tomorrow, in seconds, milliseconds, microseconds or a pattern that is known; the fields are "
                + table.examples(table.steadyFields(), 20);
    }

    private String example(String field) {
        return table.values(field).stream().findFirst().orElse("");
    }

    private String option() {
        return option("FIELD");
    }

    private String option(String field) {
        return "State how to read it: --%s-timestamp %s:%s, or '%s:PATTERN' with a pattern such as yyyy-MM-dd'T'HH:mm:ssX"
                .formatted(
                        table.name(),
                        field,
                        Arrays.stream(TimestampConfig.Unit.values())
                                .map(unit -> unit.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining("|")),
                        field);
    }

    private String key() {
        return table.name() + ".timestamp";
    }
}
