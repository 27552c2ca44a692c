package photon.server.configinit.rules;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import photon.server.configinit.rules.Guess.Certainty;
import photon.server.configtest.rules.Yaml;

/**
 * Tells which fields are the primary events' ids, and which foreign fields name them: those that
 * are different in each primary record, and whose values foreign records hold.
 */
final class KeyGuess {
    private static final int NAMED_MAX = 5;
    private static final int CERTAIN_RECORDS_MIN = 20;

    private final Table primary;
    private final Table foreign;
    private final Stated ofPrimary;
    private final Stated ofForeign;
    private final KeySearch search;
    private final Notes notes;
    private final boolean allRead;
    private List<String> maybeKeys = List.of();

    /**
     * @param allRead both samples are all there is
     */
    KeyGuess(
            Table primary,
            Times primaryTimes,
            Stated ofPrimary,
            Table foreign,
            Times foreignTimes,
            Stated ofForeign,
            boolean allRead,
            Notes notes) {
        this.primary = primary;
        this.foreign = foreign;
        this.ofPrimary = ofPrimary;
        this.ofForeign = ofForeign;
        this.search =
                new KeySearch(
                        primary,
                        primaryTimes,
                        ofPrimary.id(),
                        foreign,
                        foreignTimes,
                        ofForeign.key());
        this.allRead = allRead;
        this.notes = notes;
    }

    /** Empty: it cannot be told, as the notes say. */
    Optional<KeyPair> find() {
        if (!ofPrimary.id().isEmpty() && !ofForeign.key().isEmpty()) {
            return stated();
        }
        List<KeyPair> pairs = search.pairs();
        if (pairs.isEmpty()) {
            needPair();
            return Optional.empty();
        }
        KeyPair best = pairs.get(0);
        List<KeyPair> alike =
                pairs.stream()
                        .filter(pair -> pair.isAlike(best))
                        .sorted(Comparator.comparingInt(KeyPair::likeness).reversed())
                        .toList();
        KeyPair chosen = alike.get(0);
        if (alike.size() > 1 && alike.get(1).likeness() == chosen.likeness()) {
            maybeKeys = alike.stream().flatMap(pair -> pair.foreign().stream()).toList();
            notes.need(
                    "foreign.primaryId",
                    "several fields may name the primary event, and find about as many: "
                            + alike.stream()
                                    .limit(NAMED_MAX)
                                    .map(KeyGuess::described)
                                    .collect(Collectors.joining("; ")),
                    "Add one of: "
                            + alike.stream()
                                    .limit(NAMED_MAX)
                                    .map(KeyPair::options)
                                    .collect(Collectors.joining(" | ")));
            return Optional.empty();
        }
        Optional<String> chance = chance(chosen);
        if (chance.isPresent()) {
            notes.need(
                    "foreign.primaryId",
                    "%s would name %s (%,d of %,d), but %s, which can match by chance"
                            .formatted(
                                    String.join(", ", chosen.foreign()),
                                    String.join(", ", chosen.primary()),
                                    chosen.found(),
                                    chosen.records(),
                                    chance.get()),
                    "If it is right, add %s; otherwise name other fields, or take samples of the same time"
                            .formatted(chosen.options()));
            return Optional.empty();
        }
        note(chosen, pairs);
        return Optional.of(chosen);
    }

    /** After {@link #find}: foreign fields of which any may name the primary event. */
    List<String> maybeKeys() {
        return maybeKeys;
    }

    private Optional<KeyPair> stated() {
        KeyPair pair =
                KeyPair.of(
                        foreign,
                        ofForeign.key(),
                        primary,
                        ofPrimary.id(),
                        new HashSet<>(primary.tuples(ofPrimary.id())));
        noteBoth(pair, Certainty.STATED, "", "");
        return Optional.of(pair);
    }

    /** Of what kind both are, if that makes them alike by chance. */
    private Optional<String> chance(KeyPair pair) {
        if (!ofForeign.key().isEmpty()) {
            return Optional.empty();
        }
        if (search.hasTime(pair)) {
            return Optional.of("both have dates in them");
        }
        boolean counted =
                pair.foreign().size() == 1
                        && pair.likeness() == 0
                        && Values.isCounted(primary.values(pair.primary().get(0)));
        return counted ? Optional.of("both are numbers without gaps") : Optional.empty();
    }

    private void note(KeyPair chosen, List<KeyPair> pairs) {
        boolean sure =
                10 * chosen.found() >= 9 * chosen.records()
                        && chosen.records() >= CERTAIN_RECORDS_MIN
                        && pairs.size() == 1
                        && primary.repeats(chosen.primary()) == 0;
        String others =
                pairs.size() == 1
                        ? ""
                        : "; otherwise "
                                + pairs.stream()
                                        .filter(pair -> !pair.equals(chosen))
                                        .limit(NAMED_MAX)
                                        .map(
                                                pair ->
                                                        "%s (%,d of %,d)"
                                                                .formatted(
                                                                        pair.options(),
                                                                        pair.found(),
                                                                        pair.records()))
                                        .collect(Collectors.joining(" or "));
        String few =
                chosen.records() < CERTAIN_RECORDS_MIN
                        ? "; only %,d records say so".formatted(chosen.records())
                        : "";
        noteBoth(chosen, sure ? Certainty.CERTAIN : Certainty.LIKELY, others, few);
    }

    private void noteBoth(KeyPair pair, Certainty certainty, String others, String few) {
        int repeats = primary.repeats(pair.primary());
        notes.guess(
                "primary.id",
                "{from: %s}".formatted(Yaml.list(pair.primary())),
                ofPrimary.id().isEmpty() ? certainty : Certainty.STATED,
                (repeats == 0
                                ? "different in each of %,d records"
                                        .formatted(primary.rows().size())
                                : "different in each of %,d records but for %,d"
                                        .formatted(primary.rows().size(), repeats))
                        + few);
        notes.guess(
                "foreign.primaryId",
                "{from: %s}".formatted(Yaml.list(pair.foreign())),
                ofForeign.key().isEmpty() ? certainty : Certainty.STATED,
                pair.share() + others);
    }

    private static String described(KeyPair pair) {
        return "%s as %s (%,d of %,d)"
                .formatted(
                        String.join(", ", pair.foreign()),
                        String.join(", ", pair.primary()),
                        pair.found(),
                        pair.records());
    }

    /** No pair was found. */
    private void needPair() {
        List<String> unique = ofPrimary.id().isEmpty() ? search.uniqueFields() : ofPrimary.id();
        Optional<String> form = search.difference(unique);
        if (form.isPresent()) {
            notes.need(
                    "foreign.primaryId",
                    form.get(),
                    "Photon compares keys byte for byte, and no setting changes that: write the same form into both logs");
            return;
        }
        String read = allRead ? "" : ", and the sample is not all of the logs";
        String problem =
                unique.isEmpty()
                        ? "no field, and no two or three of them, are different in each of the %,d primary records and named by foreign records%s"
                                .formatted(primary.rows().size(), read)
                        : "no foreign field holds the ids of primary records%s. Ids may be: %s"
                                .formatted(read, primary.examples(unique, NAMED_MAX));
        notes.need(
                "foreign.primaryId",
                problem,
                "Take samples of the same time, or add --primary-id FIELD,... --foreign-key FIELD,...; the primary fields are %s, the foreign ones %s"
                        .formatted(
                                String.join(", ", primary.fields()),
                                String.join(", ", foreign.fields())));
    }
}
