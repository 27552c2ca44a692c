package photon.server.configinit.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import photon.server.configtest.rules.KeyForm;

/** Finds pairs of fields that would join two samples. Fields that were stated are held fast. */
final class KeySearch {
    /** Of those that an id of several fields may be made of. */
    private static final int PARTS_MAX = 8;

    private static final int PARTS_OF_ONE_ID_MAX = 3;
    private static final int OVERLAP_MIN_PERCENT = 80;

    private final Table primary;
    private final Times primaryTimes;
    private final List<String> statedId;
    private final Table foreign;
    private final Times foreignTimes;
    private final List<String> statedKey;

    KeySearch(
            Table primary,
            Times primaryTimes,
            List<String> statedId,
            Table foreign,
            Times foreignTimes,
            List<String> statedKey) {
        this.primary = primary;
        this.primaryTimes = primaryTimes;
        this.statedId = statedId;
        this.foreign = foreign;
        this.foreignTimes = foreignTimes;
        this.statedKey = statedKey;
    }

    /**
     * The pairs that join, best first: of single fields, otherwise of several; dates count only
     * where nothing else joins.
     */
    List<KeyPair> pairs() {
        for (boolean withTimes : new boolean[] {false, true}) {
            List<KeyPair> found = singles(withTimes);
            if (found.isEmpty()) {
                found = composites(withTimes);
            }
            if (!found.isEmpty()) {
                found.sort(KeyPair.BY_FOUND);
                return found;
            }
        }
        return List.of();
    }

    /** An event that is named by its time alone, or by more with it, may be so by chance. */
    boolean hasTime(KeyPair pair) {
        return pair.primary().stream().anyMatch(primaryTimes::isTime)
                || pair.foreign().stream().anyMatch(foreignTimes::isTime);
    }

    /** Without dates. */
    boolean joinsByOneField() {
        return !singles(false).isEmpty();
    }

    /** Primary fields that may be an id alone. */
    List<String> uniqueFields() {
        return primary.steadyFields().stream()
                .filter(field -> !primaryTimes.isTime(field))
                .filter(field -> Values.mayBeId(primary.values(field)))
                .filter(field -> primary.isNearlyUnique(List.of(field)))
                .toList();
    }

    private List<KeyPair> singles(boolean withTimes) {
        List<KeyPair> found = new ArrayList<>();
        if (statedId.size() > 1 || statedKey.size() > 1) {
            return found;
        }
        for (String id : statedId.isEmpty() ? primary.steadyFields() : statedId) {
            boolean may =
                    !statedId.isEmpty()
                            || ((withTimes || !primaryTimes.isTime(id))
                                    && Values.mayBeId(primary.values(id))
                                    && primary.isNearlyUnique(List.of(id)));
            if (may) {
                Set<List<String>> ids = new HashSet<>(primary.tuples(List.of(id)));
                for (String key : statedKey.isEmpty() ? foreign.fields() : statedKey) {
                    boolean mayName =
                            !statedKey.isEmpty() || withTimes || !foreignTimes.isTime(key);
                    KeyPair pair = KeyPair.of(foreign, List.of(key), primary, List.of(id), ids);
                    if (mayName && pair.joins()) {
                        found.add(pair);
                    }
                }
            }
        }
        return found;
    }

    /** Ids of the fewest fields that join. */
    private List<KeyPair> composites(boolean withTimes) {
        if (!statedId.isEmpty() && !statedKey.isEmpty()) {
            return List.of();
        }
        Map<String, String> partners = partners(withTimes); // primary field to foreign field
        List<String> parts = List.copyOf(partners.keySet());
        for (int size = 2; size <= PARTS_OF_ONE_ID_MAX; size++) {
            List<KeyPair> found = new ArrayList<>();
            for (List<String> id : subsets(parts, size)) {
                if (primary.isNearlyUnique(id)) {
                    List<String> key =
                            id.stream().map(part -> partners.getOrDefault(part, "")).toList();
                    KeyPair pair =
                            KeyPair.of(
                                    foreign, key, primary, id, new HashSet<>(primary.tuples(id)));
                    if (pair.joins() && new HashSet<>(key).size() == size) {
                        found.add(pair);
                    }
                }
            }
            if (!found.isEmpty()) {
                return found;
            }
        }
        return List.of();
    }

    /** Primary fields with the foreign field that has the same values. */
    private Map<String, String> partners(boolean withTimes) {
        Map<String, String> partners = new LinkedHashMap<>();
        for (String part : statedId.isEmpty() ? primary.steadyFields() : statedId) {
            if (partners.size() == PARTS_MAX
                    || (statedId.isEmpty() && !withTimes && primaryTimes.isTime(part))
                    || !Values.mayBeId(primary.values(part))) {
                continue;
            }
            Set<List<String>> values = new HashSet<>(primary.tuples(List.of(part)));
            KeyPair best = null;
            for (String field : statedKey.isEmpty() ? foreign.steadyFields() : statedKey) {
                KeyPair pair = KeyPair.of(foreign, List.of(field), primary, List.of(part), values);
                boolean overlaps =
                        100L * pair.found() >= OVERLAP_MIN_PERCENT * (long) pair.records();
                boolean better =
                        best == null
                                || pair.likeness() > best.likeness()
                                || (pair.likeness() == best.likeness()
                                        && pair.found() > best.found());
                if (values.size() > 1 && overlaps && better) {
                    best = pair;
                }
            }
            if (best != null) {
                partners.put(part, best.foreign().get(0));
            }
        }
        return partners;
    }

    private List<List<String>> subsets(List<String> parts, int size) {
        if (!statedId.isEmpty()) {
            return statedId.size() == size && parts.containsAll(statedId)
                    ? List.of(statedId)
                    : List.of();
        }
        List<List<String>> found = new ArrayList<>();
        addSubsets(parts, 0, size, List.of(), found);
        return found;
    }

    private static void addSubsets(
            List<String> parts, int from, int size, List<String> begun, List<List<String>> into) {
        if (begun.size() == size) {
            into.add(begun);
            return;
        }
        for (int i = from; i < parts.size(); i++) {
            List<String> longer = new ArrayList<>(begun);
            longer.add(parts.get(i));
            addSubsets(parts, i + 1, size, longer, into);
        }
    }

    /** In what foreign values differ from ids that they would name otherwise. */
    Optional<String> difference(List<String> unique) {
        for (KeyForm form : KeyForm.values()) {
            for (String id : unique) {
                Map<String, String> ids = new HashMap<>(); // form to id
                primary.values(id).forEach(value -> ids.putIfAbsent(form.of(value), value));
                ids.remove("");
                for (String field : foreign.steadyFields()) {
                    List<String> values = foreign.values(field);
                    List<String> found =
                            values.stream()
                                    .filter(value -> ids.containsKey(form.of(value)))
                                    .toList();
                    if (2 * found.size() >= values.size() && Set.copyOf(found).size() > 1) {
                        return Optional.of(
                                "foreign %s and primary %s differ in %s only, such as '%s' and '%s'"
                                        .formatted(
                                                field,
                                                id,
                                                form.difference(),
                                                found.get(0),
                                                ids.get(form.of(found.get(0)))));
                    }
                }
            }
        }
        return Optional.empty();
    }
}
