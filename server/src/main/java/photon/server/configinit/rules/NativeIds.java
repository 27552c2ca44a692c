package photon.server.configinit.rules;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.server.configinit.rules.Guess.Certainty;
import photon.server.configtest.rules.Yaml;

/** Finds Photon's own ids: packed in frames, or in fields of address, process and microseconds. */
final class NativeIds {
    /** What a frame's own ids are called among the fields of its record. */
    static final String FRAME_ID = " id";

    static final String FRAME_PRIMARY_ID = " primaryId";

    private static final long PROCESS_MAX = 0xFFFFFFFDL;
    private static final long MICROS_OF_2000 = 946_684_800_000_000L;

    private final Table primary;
    private final Table foreign;

    NativeIds(Table primary, Table foreign) {
        this.primary = primary;
        this.foreign = foreign;
    }

    /** The three ids that a pipeline needs. */
    record Found(IdConfig primaryId, IdConfig foreignId, IdConfig foreignKey) {}

    /** Empty: there are none. */
    Optional<Found> find(FormatConfig ofPrimary, FormatConfig ofForeign, Notes notes) {
        boolean framed =
                ofPrimary instanceof FormatConfig.Framed
                        && ofForeign instanceof FormatConfig.Framed
                        && primary.isNearlyUnique(List.of(FRAME_ID))
                        && foreign.isNearlyUnique(List.of(FRAME_ID));
        List<String> frameKey = List.of(FRAME_PRIMARY_ID);
        if (framed && found(frameKey, List.of(FRAME_ID)) > 0) {
            IdConfig id = new IdConfig.Native();
            Found found = new Found(id, id, id);
            note(found, "the frames carry it", found(frameKey, List.of(FRAME_ID)), notes);
            return Optional.of(found);
        }
        return inFields(notes);
    }

    private Optional<Found> inFields(Notes notes) {
        for (List<String> id : triples(primary)) {
            if (!primary.isNearlyUnique(id)) {
                continue;
            }
            List<List<String>> own =
                    triples(foreign).stream()
                            .filter(triple -> found(triple, id) == 0)
                            .filter(foreign::isNearlyUnique)
                            .toList();
            for (List<String> key : triples(foreign)) {
                if (found(key, id) > 0 && !own.isEmpty()) {
                    Found found = new Found(config(id), config(own.get(0)), config(key));
                    note(
                            found,
                            "an address, a process and a time in microseconds, different in each record",
                            found(key, id),
                            notes);
                    return Optional.of(found);
                }
            }
        }
        return Optional.empty();
    }

    private void note(Found found, String why, int named, Notes notes) {
        notes.guess("primary.id", Yaml.id(found.primaryId()), Certainty.CERTAIN, why);
        notes.guess("foreign.id", Yaml.id(found.foreignId()), Certainty.CERTAIN, why);
        notes.guess(
                "foreign.primaryId",
                Yaml.id(found.foreignKey()),
                2 * named >= foreign.rows().size() ? Certainty.CERTAIN : Certainty.LIKELY,
                "%,d of %,d foreign records name a primary record of the sample by it"
                        .formatted(named, foreign.rows().size()));
    }

    /** How many foreign records name a primary one by these fields. */
    private int found(List<String> key, List<String> id) {
        return KeyPair.of(foreign, key, primary, id, new HashSet<>(primary.tuples(id))).found();
    }

    private static IdConfig config(List<String> triple) {
        return new IdConfig.NativeFields(triple.get(0), triple.get(1), triple.get(2));
    }

    /** Server, process and timestamp that stand beside each other. */
    private static List<List<String>> triples(Table table) {
        List<List<String>> triples = new ArrayList<>();
        List<String> fields = table.steadyFields();
        for (String server : fields) {
            if (!all(table.values(server), Values::isAddress)) {
                continue;
            }
            for (String process : besides(server, fields)) {
                if (!all(table.values(process), NativeIds::isProcess)) {
                    continue;
                }
                for (String time : besides(server, fields)) {
                    if (all(table.values(time), NativeIds::isMicros)) {
                        triples.add(List.of(server, process, time));
                    }
                }
            }
        }
        return triples;
    }

    private static List<String> besides(String field, List<String> fields) {
        return fields.stream()
                .filter(other -> !other.equals(field) && parent(other).equals(parent(field)))
                .toList();
    }

    private static String parent(String field) {
        return field.substring(0, field.lastIndexOf('.') + 1);
    }

    private static boolean all(List<String> values, Predicate<String> is) {
        Set<String> different = Set.copyOf(values);
        return !different.isEmpty() && different.stream().allMatch(is);
    }

    private static boolean isProcess(String text) {
        return Values.isWhole(text) && Long.parseLong(text) <= PROCESS_MAX;
    }

    private static boolean isMicros(String text) {
        return Values.isWhole(text) && Long.parseLong(text) >= MICROS_OF_2000;
    }
}
