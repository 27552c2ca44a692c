package photon.simulation.run;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import photon.simulation.faults.FaultKind;

/** Counts by name. */
final class Totals {
    private final TreeMap<String, Long> counts = new TreeMap<>();

    void put(String name, long count) {
        counts.put(name, count);
    }

    void add(String name, long count) {
        counts.merge(name, count, Long::sum);
    }

    void faults(Map<FaultKind, Integer> done) {
        done.forEach((kind, count) -> put("fault." + kind, count));
    }

    SortedMap<String, Long> all() {
        return counts;
    }
}
