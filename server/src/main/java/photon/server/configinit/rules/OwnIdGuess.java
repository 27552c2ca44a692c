package photon.server.configinit.rules;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import photon.core.config.TimestampConfig;
import photon.server.configinit.rules.Guess.Certainty;
import photon.server.configtest.rules.Yaml;

/** Tells what a foreign event's own id is: what is different in each foreign record. */
final class OwnIdGuess {
    private static final int NAMED_MAX = 5;
    private static final int CERTAIN_RECORDS_MIN = 100;

    private final Table table;
    private final Times times;
    private final Notes notes;

    OwnIdGuess(Table table, Times times, Notes notes) {
        this.table = table;
        this.times = times;
        this.notes = notes;
    }

    /**
     * Empty: it cannot be told, as the notes say.
     *
     * @param key fields that name the primary event; alone they would allow one foreign event for
     *     each primary event. Empty: they are not known
     * @param maybeKeys fields that may name it, if that is not known
     * @param timestamp absent: it is not known
     */
    Optional<List<String>> find(
            List<String> stated,
            List<String> key,
            List<String> maybeKeys,
            Optional<TimestampConfig> timestamp) {
        if (!stated.isEmpty()) {
            int repeats = table.repeats(stated);
            note(
                    stated,
                    Certainty.STATED,
                    repeats == 0
                            ? "different in each of %,d records".formatted(table.rows().size())
                            : "of %,d different records %,d have the id of another: of events of one id and one time only the first is joined"
                                    .formatted(table.rows().size(), repeats));
            return Optional.of(stated);
        }
        String time = timestamp.map(TimestampConfig::field).orElse("");
        List<String> candidates =
                table.steadyFields().stream()
                        .filter(field -> !key.equals(List.of(field)))
                        .filter(field -> !field.equals(time) && !times.isTime(field))
                        .filter(field -> Values.mayBeId(table.values(field)))
                        .filter(field -> isUnique(List.of(field)))
                        .sorted(
                                Comparator.comparingInt(
                                                (String field) ->
                                                        Names.ofOwnId(field, table.stem()))
                                        .reversed())
                        .toList();
        if (!maybeKeys.isEmpty()) {
            candidates = candidates.stream().filter(one -> !maybeKeys.contains(one)).toList();
        }
        boolean sounds =
                !candidates.isEmpty() && Names.ofOwnId(candidates.get(0), table.stem()) > 0;
        if (sounds || (candidates.size() == 1 && timestamp.isPresent())) {
            return single(candidates);
        }
        List<String> base = new ArrayList<>(key);
        base.add(time);
        if (!candidates.isEmpty() && !key.isEmpty() && timestamp.isPresent() && isUnique(base)) {
            note(
                    base,
                    Certainty.LIKELY,
                    "different in each of %,d records together; so are single fields, none of which sounds like its id: %s"
                            .formatted(table.rows().size(), options(candidates)));
            return Optional.of(base);
        }
        if (!candidates.isEmpty() && timestamp.isPresent()) {
            return single(candidates);
        }
        Optional<String> called = calledId(key);
        return called.isPresent() ? Optional.of(List.of(called.get())) : composite(key, timestamp);
    }

    /** A field that is called the stream's id, and is that but for a few records. */
    private Optional<String> calledId(List<String> key) {
        Optional<String> called =
                table.steadyFields().stream()
                        .filter(field -> !key.equals(List.of(field)) && !times.isTime(field))
                        .filter(field -> Names.ofOwnId(field, table.stem()) >= 2)
                        .filter(field -> table.isNearlyUnique(List.of(field)))
                        .findFirst();
        called.ifPresent(
                field ->
                        note(
                                List.of(field),
                                Certainty.LIKELY,
                                "of %,d different records %,d have the id of another: of events of one id and one time only the first is joined"
                                        .formatted(
                                                table.rows().size(),
                                                table.repeats(List.of(field)))));
        return called;
    }

    private Optional<List<String>> single(List<String> candidates) {
        String first = candidates.get(0);
        int sound = Names.ofOwnId(first, table.stem());
        if (candidates.size() > 1 && Names.ofOwnId(candidates.get(1), table.stem()) == sound) {
            notes.need(
                    "foreign.id",
                    "several fields are different in each of the %,d foreign records: %s"
                            .formatted(table.rows().size(), table.examples(candidates, NAMED_MAX)),
                    "State the event's own id, which you cannot change later: "
                            + options(candidates));
            return Optional.empty();
        }
        boolean sure =
                candidates.size() == 1 && sound > 0 && table.rows().size() >= CERTAIN_RECORDS_MIN;
        note(
                List.of(first),
                sure ? Certainty.CERTAIN : Certainty.LIKELY,
                "different in each of %,d records%s"
                        .formatted(
                                table.rows().size(),
                                candidates.size() == 1
                                        ? ""
                                        : "; so are others, which sound less like its id: "
                                                + options(
                                                        candidates.subList(1, candidates.size()))));
        return Optional.of(List.of(first));
    }

    private Optional<List<String>> composite(
            List<String> key, Optional<TimestampConfig> timestamp) {
        if (key.isEmpty() || timestamp.isEmpty()) {
            notes.need(
                    "foreign.id",
                    "no field is clearly the id of the %,d foreign records"
                            .formatted(table.rows().size()),
                    "Photon can make it of other fields once foreign.primaryId and foreign.timestamp are known; or add --foreign-id FIELD,FIELD,...");
            return Optional.empty();
        }
        List<String> base = new ArrayList<>(key);
        base.add(timestamp.get().field());
        List<List<String>> tries = new ArrayList<>();
        tries.add(base);
        for (String field : table.steadyFields()) {
            if (!base.contains(field) && Values.mayBeId(table.values(field))) {
                List<String> longer = new ArrayList<>(base);
                longer.add(field);
                tries.add(longer);
            }
        }
        for (List<String> id : tries) {
            List<String> fields = id.stream().distinct().toList();
            if (isUnique(fields)) {
                note(
                        fields,
                        Certainty.LIKELY,
                        "no single field is different in each of %,d records, but these are together"
                                .formatted(table.rows().size()));
                return Optional.of(fields);
            }
        }
        notes.need(
                "foreign.id",
                "no field is different in each of the %,d foreign records, nor are %s with any other"
                        .formatted(table.rows().size(), String.join(", ", base)),
                "Name the fields that tell two events apart: --foreign-id FIELD,FIELD,...; the fields are "
                        + String.join(", ", table.fields()));
        return Optional.empty();
    }

    private boolean isUnique(List<String> fields) {
        List<List<String>> tuples = table.tuples(fields);
        return Table.isNearlyAll(tuples.size(), table.rows().size())
                && !tuples.isEmpty()
                && new HashSet<>(tuples).size() == tuples.size();
    }

    private static String options(List<String> candidates) {
        return candidates.stream()
                .limit(NAMED_MAX)
                .map(field -> "--foreign-id " + field)
                .collect(Collectors.joining(" | "));
    }

    private void note(List<String> id, Certainty certainty, String why) {
        notes.guess("foreign.id", "{from: %s}".formatted(Yaml.list(id)), certainty, why);
    }
}
