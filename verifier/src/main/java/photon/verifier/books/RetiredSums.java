package photon.verifier.books;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import photon.core.id.EventId;
import photon.storage.output.RetiredIncarnations.Left;

/**
 * What retired incarnations have published, of which sums are left (docs/protocol.md section 8):
 * that many identities up to their last id, of which nothing else is known, count as joined. Which
 * ones, nobody can tell any more. Not thread-safe.
 */
final class RetiredSums {
    private final Map<String, Left> byDatacenter = new LinkedHashMap<>();

    void add(String datacenter, Left sum) {
        byDatacenter.put(datacenter, sum);
    }

    /** From nothing: to go through all identities once. */
    Counting counting() {
        return new Counting();
    }

    /** Goes through identities of which nothing is known, and counts. */
    final class Counting {
        private final Map<String, Long> counted = new LinkedHashMap<>();

        private final List<Map.Entry<String, Left>> byLast =
                byDatacenter.entrySet().stream()
                        .sorted(Comparator.comparingLong(one -> one.getValue().lastMicros()))
                        .toList();

        /**
         * Whether this one may be one of a retired incarnation's: then it counts as that, in the
         * datacenter that can have the fewest others, so that none is left over for that.
         */
        boolean mayCount(EventId id) {
            for (Map.Entry<String, Left> one : byLast) {
                long so = counted.getOrDefault(one.getKey(), 0L);
                if (id.micros() <= one.getValue().lastMicros() && so < one.getValue().events()) {
                    counted.put(one.getKey(), so + 1);
                    return true;
                }
            }
            return false;
        }

        /** With what was counted. */
        Map<String, Books.Datacenter> addTo(Map<String, Books.Datacenter> datacenters) {
            Map<String, Books.Datacenter> all = new LinkedHashMap<>();
            datacenters.forEach(
                    (name, part) ->
                            all.put(
                                    name,
                                    new Books.Datacenter(
                                            part.joined() + counted.getOrDefault(name, 0L),
                                            part.waiting())));
            return all;
        }
    }
}
