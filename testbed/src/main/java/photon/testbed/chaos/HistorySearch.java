package photon.testbed.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;
import photon.testbed.history.FenceCall;
import photon.testbed.history.HistoryChecker;
import photon.testbed.history.Operation;

/**
 * Whether a registry that decides one thing after another could have given all answers of a
 * history, with what its shards hold in the end as the last ones.
 *
 * <p>Shards are told apart by the map as it is in the end, with all epochs that ever were: an id
 * belongs to one of them for ever, whoever was asked while the map changed. What groups of other
 * epochs have answered about it must fit as well: that it is fenced, which a new group knows from
 * its start on, or nothing.
 *
 * <p>Pure: the same history gives the same findings.
 */
final class HistorySearch {
    private static final int TOLD_MAX = 5;

    private final List<String> told = new ArrayList<>();
    private long violations;
    private long held;

    /**
     * What a shard holds when nothing is asked any more.
     *
     * @param boundaryMicros ids below it are gone
     */
    record Last(Map<EventId, CommitToken> held, long boundaryMicros) {
        /** Of a shard that was dropped: the boundary has passed all that was its own. */
        static final Last DROPPED = new Last(Map.of(), Long.MAX_VALUE);
    }

    /**
     * What was found.
     *
     * @param told the first violations, in words
     * @param held ids, at the end
     */
    record Findings(long violations, List<String> told, long held) {}

    private HistorySearch() {}

    /**
     * @param map with all epochs that ever were
     * @param last by shard; those without were dropped
     * @param nowNanos when that was read
     */
    static Findings search(
            List<Operation> operations,
            List<FenceCall> fences,
            ShardMap map,
            Map<Shard, Last> last,
            long nowNanos) {
        Map<Shard, List<Operation>> byShard = new HashMap<>();
        for (Operation operation : operations) {
            byShard.computeIfAbsent(map.owner(operation.id()), s -> new ArrayList<>())
                    .add(operation);
        }
        HistorySearch search = new HistorySearch();
        TreeSet<Shard> shards = new TreeSet<>(byShard.keySet());
        shards.addAll(last.keySet());
        for (Shard shard : shards) {
            search.search(
                    byShard.getOrDefault(shard, List.of()),
                    fences,
                    last.getOrDefault(shard, Last.DROPPED),
                    nowNanos);
        }
        return new Findings(search.violations, search.told, search.held);
    }

    private void search(List<Operation> asked, List<FenceCall> fences, Last last, long nowNanos) {
        held += last.held().size();
        TreeSet<EventId> ids = new TreeSet<>();
        asked.forEach(operation -> ids.add(operation.id()));
        List<Operation> operations = new ArrayList<>(asked);
        ids.forEach(id -> operations.add(lookup(id, last, nowNanos)));
        HistoryChecker.check(operations, fences)
                .forEach(violation -> violated(violation.toString()));
        new TreeMap<>(last.held())
                .forEach(
                        (id, token) -> {
                            if (!ids.contains(id)) {
                                violated(
                                        "%s holds id %s, which nobody asked for"
                                                .formatted(token, id));
                            }
                        });
    }

    private static Operation lookup(EventId id, Last last, long nowNanos) {
        CommitToken holder = last.held().get(id);
        Operation.Result result =
                holder != null
                        ? Operation.Result.HELD
                        : id.micros() < last.boundaryMicros()
                                ? Operation.Result.TOO_OLD
                                : Operation.Result.ABSENT;
        return new Operation(id, Operation.Kind.LOOKUP, null, result, holder, nowNanos, nowNanos);
    }

    private void violated(String text) {
        violations++;
        if (told.size() < TOLD_MAX) {
            told.add(text);
        }
    }
}
