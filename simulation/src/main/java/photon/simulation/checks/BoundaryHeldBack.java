package photon.simulation.checks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * I5: no shard's boundary is beyond what a majority of the registry's servers have told of their
 * own clocks, less the retention, and none goes back (docs/protocol.md section 5).
 */
public final class BoundaryHeldBack {
    private final Supplier<List<Long>> told;
    private final Supplier<SortedMap<String, Long>> boundaries;
    private final long retentionMicros;
    private final Map<String, Long> before = new HashMap<>(); // looked up, never walked

    /**
     * @param told of each server, the latest time that its clock ever told to have passed while it
     *     was synchronised
     * @param boundaries of the shards, by group
     */
    public BoundaryHeldBack(
            Supplier<List<Long>> told,
            Supplier<SortedMap<String, Long>> boundaries,
            long retentionMicros) {
        this.told = told;
        this.boundaries = boundaries;
        this.retentionMicros = retentionMicros;
    }

    /** What does not hold now, or did not since the last look. */
    public List<InvariantViolation> check() {
        List<Long> latestFirst = new ArrayList<>(told.get());
        latestFirst.sort(Comparator.reverseOrder());
        long passed = latestFirst.get(latestFirst.size() / 2);
        List<InvariantViolation> found = new ArrayList<>();
        boundaries
                .get()
                .forEach(
                        (group, boundary) -> {
                            Long stood = before.put(group, boundary);
                            if (stood != null && boundary < stood) {
                                found.add(
                                        InvariantViolation.of(
                                                "I5",
                                                List.of(),
                                                "the boundary of %s goes back from %s to %s",
                                                group,
                                                stood,
                                                boundary));
                            }
                            if (boundary != Long.MIN_VALUE
                                    && (passed == Long.MIN_VALUE
                                            || boundary > passed - retentionMicros)) {
                                found.add(
                                        InvariantViolation.of(
                                                "I5",
                                                List.of(),
                                                "the boundary of %s is %s, but a majority of clocks has only passed %s",
                                                group,
                                                boundary,
                                                passed));
                            }
                        });
        return found;
    }
}
