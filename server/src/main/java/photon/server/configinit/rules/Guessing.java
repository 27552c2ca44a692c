package photon.server.configinit.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import photon.core.config.FormatConfig;
import photon.core.config.NearestName;
import photon.core.config.TimestampConfig;
import photon.core.error.ConfigException;
import photon.server.configinit.rules.Guess.Certainty;
import photon.server.configtest.rules.Yaml;

/** Guesses all that a configuration needs of two streams, and says why. */
public final class Guessing {
    private static final int VALUES_MAX = 8;
    private static final int FIELDS_MAX = 4;

    private final LogSample primary;
    private final Stated ofPrimary;
    private final LogSample foreign;
    private final Stated ofForeign;
    private final boolean sameFiles;
    private final long nowMicros;
    private final Notes notes = new Notes();

    private Guessing(
            LogSample primary,
            Stated ofPrimary,
            LogSample foreign,
            Stated ofForeign,
            boolean sameFiles,
            long nowMicros) {
        this.primary = primary;
        this.ofPrimary = ofPrimary;
        this.foreign = foreign;
        this.ofForeign = ofForeign;
        this.sameFiles = sameFiles;
        this.nowMicros = nowMicros;
    }

    /**
     * What came of it: a configuration needs every guess, and can be written if there are no needs.
     *
     * @param guesses in the order of the configuration
     */
    public record Result(List<Guess> guesses, List<Need> needs) {
        public Result {
            guesses = List.copyOf(guesses);
            needs = List.copyOf(needs);
        }

        /** The value of a key; empty: the configuration has none. */
        public Optional<Guess> of(String key) {
            return guesses.stream().filter(guess -> guess.key().equals(key)).findFirst();
        }
    }

    /**
     * @param sameFiles both streams are in the same files
     * @throws ConfigException if a stated field is not there
     */
    public static Result of(
            LogSample primary,
            Stated ofPrimary,
            LogSample foreign,
            Stated ofForeign,
            boolean sameFiles,
            long nowMicros) {
        Guessing guessing =
                new Guessing(primary, ofPrimary, foreign, ofForeign, sameFiles, nowMicros);
        guessing.run();
        return new Result(guessing.notes.guesses(), guessing.notes.needs());
    }

    private void run() {
        Optional<FormatGuess.Found> p = new FormatGuess(primary, ofPrimary, notes).find();
        Optional<FormatGuess.Found> f = new FormatGuess(foreign, ofForeign, notes).find();
        if (p.isEmpty() || f.isEmpty()) {
            return;
        }
        Table primaryTable = table(primary, p.get());
        Table foreignTable = table(foreign, f.get());
        if (primaryTable.rows().isEmpty() || foreignTable.rows().isEmpty()) {
            noRows(primaryTable, ofPrimary);
            noRows(foreignTable, ofForeign);
            return;
        }
        refuseUnknown(primaryTable, ofPrimary);
        refuseUnknown(foreignTable, ofForeign);
        filter("primary", ofPrimary);
        filter("foreign", ofForeign);
        if (sameFiles && ofPrimary.where().isEmpty() && ofForeign.where().isEmpty()) {
            needFilters(primaryTable);
            return;
        }
        Times primaryTimes = new Times(primaryTable, nowMicros);
        Times foreignTimes = new Times(foreignTable, nowMicros);
        boolean idsStated =
                Stream.of(ofPrimary.id(), ofForeign.id(), ofForeign.key())
                        .anyMatch(fields -> !fields.isEmpty());
        boolean framed = foreign.framed() && primary.framed();
        boolean nativeFirst =
                framed
                        || !new KeySearch(
                                        primaryTable,
                                        primaryTimes,
                                        List.of(),
                                        foreignTable,
                                        foreignTimes,
                                        List.of())
                                .joinsByOneField();
        if (!idsStated
                && nativeFirst
                && nativeIds(primaryTable, p.get().format(), foreignTable, f.get().format())) {
            return;
        }
        ids(primaryTable, primaryTimes, foreignTable, foreignTimes);
    }

    private boolean nativeIds(
            Table primaryTable, FormatConfig ofP, Table foreignTable, FormatConfig ofF) {
        return new NativeIds(primaryTable, foreignTable).find(ofP, ofF, notes).isPresent();
    }

    private void ids(
            Table primaryTable, Times primaryTimes, Table foreignTable, Times foreignTimes) {
        KeyGuess keys =
                new KeyGuess(
                        primaryTable,
                        primaryTimes,
                        ofPrimary,
                        foreignTable,
                        foreignTimes,
                        ofForeign,
                        primary.atEnd() && foreign.atEnd(),
                        notes);
        Optional<KeyPair> pair = keys.find();
        List<String> id = pair.map(KeyPair::primary).orElse(ofPrimary.id());
        List<String> key = pair.map(KeyPair::foreign).orElse(ofForeign.key());
        new TimestampGuess(primaryTable, primaryTimes, notes).find(ofPrimary.timestamp(), id);
        Optional<TimestampConfig> timestamp =
                new TimestampGuess(foreignTable, foreignTimes, notes)
                        .find(ofForeign.timestamp(), key);
        new OwnIdGuess(foreignTable, foreignTimes, notes)
                .find(ofForeign.id(), key, keys.maybeKeys(), timestamp);
    }

    private Table table(LogSample sample, FormatGuess.Found found) {
        return Table.of(sample.name(), sample.stem(), found.rows());
    }

    private void noRows(Table table, Stated stated) {
        if (table.rows().isEmpty()) {
            notes.need(
                    table.name() + (stated.where().isEmpty() ? ".format" : ".where"),
                    stated.where().isEmpty()
                            ? "its file holds no record except a header"
                            : "no record that was read has %s"
                                    .formatted(Yaml.filter(stated.where())),
                    "Name a file that holds events of this stream");
        }
    }

    private static void refuseUnknown(Table table, Stated stated) {
        List<String> fields = table.fields();
        List<String> problems = new ArrayList<>();
        Map<String, List<String>> asked = new HashMap<>();
        asked.put("id", stated.id());
        asked.put("key", stated.key());
        asked.forEach(
                (option, names) ->
                        names.stream()
                                .filter(name -> !fields.contains(name))
                                .forEach(
                                        name ->
                                                problems.add(
                                                        unknown(table, option, name, fields))));
        stated.timestamp()
                .filter(
                        text ->
                                fields.stream()
                                        .noneMatch(
                                                field ->
                                                        text.equals(field)
                                                                || text.startsWith(field + ":")))
                .ifPresent(
                        text ->
                                problems.add(
                                        unknown(
                                                table,
                                                "timestamp",
                                                text.contains(":")
                                                        ? text.substring(0, text.indexOf(':'))
                                                        : text,
                                                fields)));
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    private static String unknown(Table table, String option, String name, List<String> fields) {
        return "--%s-%s: no sampled %s record has a field '%s'%s"
                .formatted(
                        table.name(), option, table.name(), name, NearestName.hint(name, fields));
    }

    private void filter(String stream, Stated stated) {
        if (!stated.where().isEmpty()) {
            notes.guess(
                    stream + ".where",
                    Yaml.filter(stated.where()),
                    Certainty.STATED,
                    "the others are left out");
        }
    }

    private void needFilters(Table table) {
        String few =
                table.steadyFields().stream()
                        .map(field -> values(table, field))
                        .filter(text -> !text.isEmpty())
                        .limit(FIELDS_MAX)
                        .collect(Collectors.joining("; "));
        notes.need(
                "primary.where, foreign.where",
                "both streams are in the same files",
                "State which records are which: --primary-where FIELD=VALUE,... --foreign-where FIELD=VALUE,..."
                        + (few.isEmpty() ? "" : ". Fields with few values: " + few));
    }

    /** A field's values and how many records have each; empty: it has one, or many. */
    private static String values(Table table, String field) {
        Map<String, Long> counts =
                table.values(field).stream()
                        .collect(
                                Collectors.groupingBy(
                                        value -> value, TreeMap::new, Collectors.counting()));
        return counts.size() < 2 || counts.size() > VALUES_MAX
                ? ""
                : field
                        + " is "
                        + counts.entrySet().stream()
                                .map(one -> "%s (%,d)".formatted(one.getKey(), one.getValue()))
                                .collect(Collectors.joining(", "));
    }
}
