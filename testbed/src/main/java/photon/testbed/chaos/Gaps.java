package photon.testbed.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import photon.core.id.CommitToken;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;
import photon.testbed.history.Operation;

/**
 * The times in which a shard accepted nothing although it was asked to: from the last accepted
 * commit, or the first that waited if that is later, to the next that was accepted. Immutable.
 */
final class Gaps {
    private static final long NANOS_MIN = 20_000_000;

    private final List<Gap> gaps;

    /** One of a shard. */
    record Gap(Shard shard, long fromNanos, long toNanos) {
        long nanos() {
            return toNanos - fromNanos;
        }
    }

    private record Wait(long startNanos, long endNanos) {}

    private Gaps(List<Gap> gaps) {
        this.gaps = gaps;
    }

    /**
     * @param operations a whole history
     * @param map with all epochs that ever were
     */
    static Gaps of(List<Operation> operations, ShardMap map) {
        Map<CommitToken, Long> firstAsked = new HashMap<>();
        for (Operation operation : operations) {
            CommitToken token = operation.token();
            if (operation.result() == Operation.Result.UNKNOWN && token != null) {
                firstAsked.merge(token, operation.startNanos(), Math::min);
            }
        }
        Map<Shard, List<Wait>> waits = new HashMap<>();
        for (Operation operation : operations) {
            CommitToken token = operation.token();
            if (operation.kind() == Operation.Kind.COMMIT
                    && operation.result() == Operation.Result.ACCEPTED
                    && token != null) {
                long start =
                        Math.min(
                                operation.startNanos(),
                                firstAsked.getOrDefault(token, Long.MAX_VALUE));
                waits.computeIfAbsent(map.owner(operation.id()), s -> new ArrayList<>())
                        .add(new Wait(start, operation.endNanos()));
            }
        }
        List<Gap> gaps = new ArrayList<>();
        waits.forEach((shard, ofShard) -> add(shard, ofShard, gaps));
        return new Gaps(gaps);
    }

    private static void add(Shard shard, List<Wait> waits, List<Gap> to) {
        waits.sort(Comparator.comparingLong(Wait::endNanos));
        long[] waitingSince = new long[waits.size()];
        long earliest = Long.MAX_VALUE;
        for (int i = waits.size() - 1; i >= 0; i--) {
            earliest = Math.min(earliest, waits.get(i).startNanos());
            waitingSince[i] = earliest;
        }
        long before = Long.MIN_VALUE;
        for (int i = 0; i < waitingSince.length; i++) {
            long end = waits.get(i).endNanos();
            long from = Math.max(before, waitingSince[i]);
            if (end - from >= NANOS_MIN) {
                to.add(new Gap(shard, from, end));
            }
            before = end;
        }
    }

    /** The longest of any shard that has a part in this span of time; 0: none. */
    long longestNanos(long fromNanos, long toNanos) {
        return gaps.stream()
                .filter(gap -> gap.toNanos() > fromNanos && gap.fromNanos() < toNanos)
                .mapToLong(Gap::nanos)
                .max()
                .orElse(0);
    }

    /** The longest of all; 0: none. */
    long longestNanos() {
        return longestNanos(Long.MIN_VALUE, Long.MAX_VALUE);
    }
}
