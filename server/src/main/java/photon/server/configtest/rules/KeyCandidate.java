package photon.server.configtest.rules;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import photon.core.event.LogEvent;

/**
 * Something by which keys that do not match would match.
 *
 * @param where key of the configuration that it is about
 * @param what it is
 * @param fix what to write
 * @param keys how many different keys would match
 * @param events how many foreign events name these
 */
record KeyCandidate(String where, String what, String fix, int keys, long events) {
    /** Fewer may be chance; unless there are no more. */
    private static final int KEYS_MIN = 2;

    private static final String NO_SETTING =
            "Photon compares keys byte for byte, and no setting changes that: write the same form into both logs";

    /** The one that makes most keys match; of several the one that a setting can follow. */
    static Optional<KeyCandidate> best(
            StreamSample primary, StreamSample foreign, Set<String> primaryIds) {
        Map<String, Long> named = new LinkedHashMap<>(); // key to events
        for (LogEvent event : foreign.events()) {
            named.merge(foreign.keyText(event), 1L, Long::sum);
        }
        List<KeyCandidate> found = new ArrayList<>();
        if (primary.idFields().size() == 1 && foreign.primaryIdFields().size() == 1) {
            addFieldsOfForeign(foreign, primaryIds, found);
            addFieldsOfPrimary(primary, named, found);
        }
        KeyOrders.best(primary, foreign, primaryIds).ifPresent(found::add);
        addForms(foreign, named, primaryIds, found);
        addAffixes(foreign, named, primaryIds, found);
        int least = Math.min(KEYS_MIN, Math.min(named.size(), primaryIds.size()));
        KeyCandidate best = null;
        for (KeyCandidate candidate : found) {
            if (candidate.keys() >= least && (best == null || candidate.keys() > best.keys())) {
                best = candidate;
            }
        }
        return Optional.ofNullable(best);
    }

    private static void addFieldsOfForeign(
            StreamSample foreign, Set<String> primaryIds, List<KeyCandidate> found) {
        Map<String, Set<String>> values = new LinkedHashMap<>();
        Map<String, Long> events = new HashMap<>();
        for (LogEvent event : foreign.events()) {
            FlatRecord.of(foreign, event)
                    .forEach(
                            (field, value) -> {
                                if (primaryIds.contains(value)) {
                                    values.computeIfAbsent(field, f -> new HashSet<>()).add(value);
                                    events.merge(field, 1L, Long::sum);
                                }
                            });
        }
        values.forEach(
                (field, keys) ->
                        found.add(
                                new KeyCandidate(
                                        "foreign.primaryId",
                                        "The foreign records have primary ids in the field '%s'"
                                                .formatted(field),
                                        "Write foreign.primaryId: {from: [%s]}".formatted(field),
                                        keys.size(),
                                        events.getOrDefault(field, 0L))));
    }

    private static void addFieldsOfPrimary(
            StreamSample primary, Map<String, Long> named, List<KeyCandidate> found) {
        Map<String, Set<String>> values = new LinkedHashMap<>();
        for (LogEvent event : primary.events()) {
            FlatRecord.of(primary, event)
                    .forEach(
                            (field, value) -> {
                                if (named.containsKey(value)) {
                                    values.computeIfAbsent(field, f -> new HashSet<>()).add(value);
                                }
                            });
        }
        values.forEach(
                (field, keys) ->
                        found.add(
                                new KeyCandidate(
                                        "primary.id",
                                        "The field '%s' of the primary records has the values that foreign events name"
                                                .formatted(field),
                                        "Write primary.id: {from: [%s]}".formatted(field),
                                        keys.size(),
                                        events(keys, named))));
    }

    private static void addForms(
            StreamSample foreign,
            Map<String, Long> named,
            Set<String> primaryIds,
            List<KeyCandidate> found) {
        for (KeyForm form : KeyForm.values()) {
            Map<String, String> primary = new HashMap<>(); // form to key
            for (String id : primaryIds) {
                primary.putIfAbsent(form.of(id), id);
            }
            primary.remove("");
            Set<String> keys = new HashSet<>();
            String example = "";
            for (String key : named.keySet()) {
                String id = primary.get(form.of(key));
                if (id != null) {
                    example = example.isEmpty() ? "'%s' and '%s'".formatted(id, key) : example;
                    keys.add(key);
                }
            }
            if (!keys.isEmpty()) {
                found.add(
                        new KeyCandidate(
                                foreign.keyPath(),
                                "Primary and foreign keys differ in %s only, such as %s"
                                        .formatted(form.difference(), example),
                                NO_SETTING,
                                keys.size(),
                                events(keys, named)));
            }
        }
    }

    private static void addAffixes(
            StreamSample foreign,
            Map<String, Long> named,
            Set<String> primaryIds,
            List<KeyCandidate> found) {
        Map<String, Set<String>> inForeign = new HashMap<>(); // affix to keys of foreign events
        Map<String, Set<String>> inPrimary = new HashMap<>();
        for (String key : named.keySet()) {
            for (Affix affix : Affix.of(key)) {
                if (primaryIds.contains(affix.key())) {
                    inForeign.computeIfAbsent(affix.around(), a -> new HashSet<>()).add(key);
                }
            }
        }
        for (String id : primaryIds) {
            for (Affix affix : Affix.of(id)) {
                if (named.containsKey(affix.key())) {
                    inPrimary
                            .computeIfAbsent(affix.around(), a -> new HashSet<>())
                            .add(affix.key());
                }
            }
        }
        largest(inForeign)
                .ifPresent(
                        affix ->
                                found.add(
                                        affix(
                                                foreign.keyPath(),
                                                "Foreign keys have %s that primary keys lack",
                                                affix,
                                                named)));
        largest(inPrimary)
                .ifPresent(
                        affix ->
                                found.add(
                                        affix(
                                                "primary.id",
                                                "Primary keys have %s that foreign keys lack",
                                                affix,
                                                named)));
    }

    private static Optional<Map.Entry<String, Set<String>>> largest(
            Map<String, Set<String>> affixes) {
        return affixes.entrySet().stream()
                .max(
                        Comparator.<Map.Entry<String, Set<String>>>comparingInt(
                                        affix -> affix.getValue().size())
                                .thenComparing(Map.Entry.comparingByKey()));
    }

    private static KeyCandidate affix(
            String where,
            String what,
            Map.Entry<String, Set<String>> affix,
            Map<String, Long> named) {
        return new KeyCandidate(
                where,
                what.formatted(affix.getKey()),
                NO_SETTING,
                affix.getValue().size(),
                events(affix.getValue(), named));
    }

    private static long events(Set<String> keys, Map<String, Long> named) {
        return keys.stream().mapToLong(key -> named.getOrDefault(key, 0L)).sum();
    }
}
