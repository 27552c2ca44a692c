package photon.server.configtest.rules;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import photon.core.config.FormatConfig;
import photon.core.config.NearestName;
import photon.core.event.LogEvent;
import photon.server.configtest.rules.Finding.Severity;

/** What is wrong with the records of a stream: bad ones, and filters that leave none. */
final class RecordDiagnosis {
    private static final int KINDS_MAX = 5;
    private static final int VALUES_MAX = 5;

    private RecordDiagnosis() {}

    static List<Finding> of(StreamSample sample, Trials trials) {
        List<Finding> found = new ArrayList<>();
        if (sample.bad().count() > 0) {
            Severity severity = sample.events().isEmpty() ? Severity.ERROR : Severity.WARNING;
            sample.bad().kinds().stream()
                    .limit(KINDS_MAX)
                    .forEach(kind -> found.add(bad(sample, kind, severity)));
        } else if (sample.events().isEmpty() && sample.leftOut() > 0) {
            found.addAll(nothingLeft(sample, trials));
        }
        notUtf8(sample).ifPresent(found::add);
        return found;
    }

    /** JSON that is none is a bad record; in CSV what an id is made of is. */
    private static Optional<Finding> notUtf8(StreamSample sample) {
        if (!(sample.stream().format() instanceof FormatConfig.Csv)) {
            return Optional.empty();
        }
        List<LogEvent> altered =
                sample.events().stream()
                        .filter(event -> event.json().toStringUtf8().indexOf('\uFFFD') >= 0)
                        .toList();
        return altered.stream()
                .findFirst()
                .map(
                        first ->
                                Finding.warning(
                                        sample.name() + ".format",
                                        "%,d of %,d sampled events hold U+FFFD, which Photon writes for bytes that are not UTF-8 (first: %s)"
                                                .formatted(
                                                        altered.size(),
                                                        sample.events().size(),
                                                        first.idText()),
                                        "If the logs do not hold it, write them in UTF-8"));
    }

    /** What no header of the sampled files has; empty: one of them is right. */
    static List<Finding> ofHeaders(StreamSample sample) {
        if (!sample.events().isEmpty() || sample.bad().count() == 0) {
            return List.of();
        }
        List<Finding> found = new ArrayList<>();
        for (BadRecordReasons.Kind kind : sample.bad().kinds()) {
            FieldHints.missingColumn(kind.cause())
                    .ifPresent(
                            column ->
                                    found.add(
                                            Finding.error(
                                                    sample.name(),
                                                    "the header of %s has no column '%s'"
                                                            .formatted(kind.path(), column),
                                                    FieldHints.of(sample, kind.cause()))));
        }
        // Anything else that is wrong with records may be wrong with these alone.
        return found.size() == sample.bad().kinds().size() ? found : List.of();
    }

    private static Finding bad(StreamSample sample, BadRecordReasons.Kind kind, Severity severity) {
        long records = sample.events().size() + sample.bad().count();
        return new Finding(
                severity,
                sample.name(),
                "%,d of %,d records are bad: %s (first: %s at byte %d)"
                        .formatted(
                                kind.count(), records, kind.reason(), kind.path(), kind.offset()),
                FieldHints.of(sample, kind.cause()));
    }

    private static List<Finding> nothingLeft(StreamSample sample, Trials trials) {
        StreamSample unfiltered = trials.unfiltered().orElse(null);
        if (unfiltered == null || unfiltered.events().isEmpty()) {
            return List.of(
                    Finding.error(
                            sample.name(),
                            "the files hold no records besides headers, comments and empty lines, %,d in all"
                                    .formatted(sample.leftOut()),
                            ""));
        }
        List<Finding> found = new ArrayList<>();
        new TreeMap<>(sample.stream().where())
                .forEach(
                        (field, wanted) ->
                                found.add(
                                        filter(
                                                sample,
                                                "where: {%s: %s} keeps".formatted(field, wanted),
                                                field,
                                                unfiltered)));
        new TreeMap<>(sample.stream().whereNot())
                .forEach(
                        (field, dropped) ->
                                found.add(
                                        filter(
                                                sample,
                                                "whereNot: {%s: %s} drops"
                                                        .formatted(field, dropped),
                                                field,
                                                unfiltered)));
        return found;
    }

    private static Finding filter(
            StreamSample sample, String filter, String field, StreamSample unfiltered) {
        Map<String, Long> values = new HashMap<>();
        Map<String, Long> fields = new HashMap<>();
        unfiltered
                .events()
                .forEach(
                        event ->
                                FlatRecord.of(sample, event)
                                        .forEach(
                                                (name, value) -> {
                                                    fields.merge(name, 1L, Long::sum);
                                                    if (name.equals(field)) {
                                                        values.merge(value, 1L, Long::sum);
                                                    }
                                                }));
        String fix =
                values.isEmpty()
                        ? "No record has the field '%s'%s"
                                .formatted(field, NearestName.hint(field, fields.keySet()))
                        : "The field '%s' has the values %s%s"
                                .formatted(
                                        field,
                                        frequent(values),
                                        sample.atEnd()
                                                ? ""
                                                : "; use a larger --records if others come later");
        return Finding.error(
                sample.name(),
                "all %,d records that were read are left out, and %s only records with these values"
                        .formatted(sample.leftOut(), filter),
                fix);
    }

    private static String frequent(Map<String, Long> values) {
        return values.entrySet().stream()
                .sorted(
                        Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                                .thenComparing(Map.Entry.comparingByKey()))
                .limit(VALUES_MAX)
                .map(value -> "'%s' (%,d)".formatted(value.getKey(), value.getValue()))
                .collect(Collectors.joining(", "));
    }
}
