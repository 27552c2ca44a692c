package photon.server.configtest.rules;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds out whether keys of several fields would match with these in another order. */
final class KeyOrders {
    /** There are 24 orders of as many. */
    private static final int FIELDS_MAX = 4;

    private KeyOrders() {}

    /** The order of the foreign fields by which most keys match; empty: by none does any. */
    static Optional<KeyCandidate> best(
            StreamSample primary, StreamSample foreign, Set<String> primaryIds) {
        List<String> fields = foreign.primaryIdFields();
        if (fields.size() < 2
                || fields.size() > FIELDS_MAX
                || fields.size() != primary.idFields().size()) {
            return Optional.empty();
        }
        List<List<String>> orders = new ArrayList<>();
        addOrders(fields, List.of(), orders);
        orders.remove(fields);
        List<Map<String, String>> records =
                foreign.events().stream().map(event -> FlatRecord.of(foreign, event)).toList();
        KeyCandidate best = null;
        for (List<String> order : orders) {
            KeyCandidate candidate = candidate(order, primary, records, primaryIds);
            if (candidate.keys() > 0 && (best == null || candidate.keys() > best.keys())) {
                best = candidate;
            }
        }
        return Optional.ofNullable(best);
    }

    private static KeyCandidate candidate(
            List<String> order,
            StreamSample primary,
            List<Map<String, String>> records,
            Set<String> primaryIds) {
        Set<String> keys = new HashSet<>();
        long events = 0;
        for (Map<String, String> record : records) {
            String key =
                    String.join(
                            ":",
                            order.stream().map(field -> record.getOrDefault(field, "")).toList());
            if (primaryIds.contains(key)) {
                keys.add(key);
                events++;
            }
        }
        return new KeyCandidate(
                "foreign.primaryId",
                "The fields of foreign.primaryId are in another order than those of primary.id, %s"
                        .formatted(Yaml.list(primary.idFields())),
                "Write foreign.primaryId: {from: %s}".formatted(Yaml.list(order)),
                keys.size(),
                events);
    }

    private static void addOrders(List<String> left, List<String> begun, List<List<String>> into) {
        if (left.isEmpty()) {
            into.add(begun);
        }
        for (String field : left) {
            List<String> rest = new ArrayList<>(left);
            rest.remove(field);
            List<String> longer = new ArrayList<>(begun);
            longer.add(field);
            addOrders(rest, longer, into);
        }
    }
}
