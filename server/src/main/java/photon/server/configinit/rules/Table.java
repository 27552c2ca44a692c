package photon.server.configinit.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The fields of a stream's sampled records, each different record once: a record that was logged
 * twice says nothing about ids.
 *
 * @param name {@code primary} or {@code foreign}
 * @param stem what its file is called, without digits and endings, such as {@code clicks}
 * @param rows texts by field, in the order of the log; a field without a value is left out
 */
record Table(String name, String stem, List<Map<String, String>> rows) {
    /** Of a hundred records, how many may lack a field that an event needs. */
    private static final int LACKING_MAX_PERCENT = 2;

    static Table of(String name, String stem, List<Map<String, String>> all) {
        List<Map<String, String>> rows = new ArrayList<>();
        Set<Map<String, String>> seen = new HashSet<>();
        for (Map<String, String> row : all) {
            Map<String, String> present = new LinkedHashMap<>(row);
            present.values().removeIf(String::isEmpty);
            if (!present.isEmpty() && seen.add(present)) {
                rows.add(present);
            }
        }
        return new Table(name, stem, rows);
    }

    /** Every field that any record has, in the order in which they were met. */
    List<String> fields() {
        Set<String> fields = new LinkedHashSet<>();
        rows.forEach(row -> fields.addAll(row.keySet()));
        return List.copyOf(fields);
    }

    /** Fields that all records have, or nearly all. */
    List<String> steadyFields() {
        Map<String, Integer> counts = new HashMap<>();
        rows.forEach(row -> row.keySet().forEach(field -> counts.merge(field, 1, Integer::sum)));
        return fields().stream()
                .filter(field -> isNearlyAll(counts.getOrDefault(field, 0), rows.size()))
                .toList();
    }

    /** The values that a field has, in order. */
    List<String> values(String field) {
        List<String> values = new ArrayList<>();
        for (Map<String, String> row : rows) {
            String value = row.get(field);
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    /** The values of several fields, of each record that has all of them. */
    List<List<String>> tuples(List<String> fields) {
        List<List<String>> tuples = new ArrayList<>();
        for (Map<String, String> row : rows) {
            if (row.keySet().containsAll(fields)) {
                tuples.add(fields.stream().map(field -> row.getOrDefault(field, "")).toList());
            }
        }
        return tuples;
    }

    /** How many records have an id made of these fields that another has, too. */
    int repeats(List<String> fields) {
        List<List<String>> tuples = tuples(fields);
        return tuples.size() - new HashSet<>(tuples).size();
    }

    /** Nearly all records have these fields, and nearly all have values of their own there. */
    boolean isNearlyUnique(List<String> fields) {
        List<List<String>> tuples = tuples(fields);
        return !tuples.isEmpty()
                && isNearlyAll(tuples.size(), rows.size())
                && isNearlyAll(new HashSet<>(tuples).size(), tuples.size());
    }

    static boolean isNearlyAll(long count, long all) {
        return 100 * count >= (100L - LACKING_MAX_PERCENT) * all;
    }

    /**
     * Fields as people see them, each with a value that it has.
     *
     * @param max no more than so many of the fields
     */
    String examples(List<String> fields, int max) {
        return fields.stream()
                .limit(max)
                .map(
                        field ->
                                "%s ('%s')"
                                        .formatted(
                                                field,
                                                values(field).stream().findFirst().orElse("")))
                .collect(Collectors.joining(", "));
    }
}
