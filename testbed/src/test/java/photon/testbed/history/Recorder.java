package photon.testbed.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.registry.api.RegistryClient.Shard;

/** What was asked and answered, by shard. Used in one loop, read when it is quiet. */
final class Recorder {
    private final Map<Shard, List<Operation>> operations = new HashMap<>();
    private final Map<Shard, List<FenceCall>> fences = new HashMap<>();
    private long count;

    void record(Shard shard, Operation operation) {
        operations.computeIfAbsent(shard, s -> new ArrayList<>()).add(operation);
        count++;
    }

    void record(Shard shard, FenceCall fence) {
        fences.computeIfAbsent(shard, s -> new ArrayList<>()).add(fence);
        count++;
    }

    /** Operations and fences so far. */
    long count() {
        return count;
    }

    List<LinearizabilityViolation> check() {
        List<LinearizabilityViolation> violations = new ArrayList<>();
        operations.forEach(
                (shard, ofShard) ->
                        violations.addAll(
                                HistoryChecker.check(
                                        ofShard, fences.getOrDefault(shard, List.of()))));
        return violations;
    }

    List<Operation> operations(Shard shard) {
        return operations.getOrDefault(shard, List.of());
    }

    /** How many there are of each answer. */
    Map<Operation.Result, Integer> results() {
        Map<Operation.Result, Integer> results = new EnumMap<>(Operation.Result.class);
        operations
                .values()
                .forEach(all -> all.forEach(o -> results.merge(o.result(), 1, Integer::sum)));
        return results;
    }

    int fenceCount() {
        return fences.values().stream().mapToInt(List::size).sum();
    }

    /** The part of the operations whose id was wanted with several tokens, in percent. */
    double contestedPercent() {
        Map<EventId, Set<CommitToken>> tokens = new HashMap<>();
        operations
                .values()
                .forEach(
                        all ->
                                all.stream()
                                        .filter(o -> o.kind() == Operation.Kind.COMMIT)
                                        .forEach(
                                                o ->
                                                        tokens.computeIfAbsent(
                                                                        o.id(),
                                                                        id -> new HashSet<>())
                                                                .add(o.token())));
        long contested =
                operations.values().stream()
                        .flatMap(List::stream)
                        .filter(o -> tokens.getOrDefault(o.id(), Set.of()).size() > 1)
                        .count();
        return 100.0 * contested / count;
    }
}
