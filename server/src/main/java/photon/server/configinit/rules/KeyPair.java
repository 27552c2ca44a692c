package photon.server.configinit.rules;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Foreign fields whose values are found among those of primary fields.
 *
 * @param found how many foreign records name a primary record so
 * @param records foreign records
 * @param keys different values among those that are found
 * @param likeness of the names
 */
record KeyPair(
        List<String> foreign,
        List<String> primary,
        int found,
        int records,
        int keys,
        int likeness) {
    /** Fewer may be chance; unless there are no more. */
    private static final int KEYS_MIN = 2;

    private static final int FOUND_MIN_PERCENT = 5;
    private static final int ALIKE_PERCENT = 10;

    static final Comparator<KeyPair> BY_FOUND =
            Comparator.comparingInt(KeyPair::found).thenComparingInt(KeyPair::likeness).reversed();

    static KeyPair of(
            Table foreign,
            List<String> named,
            Table primary,
            List<String> id,
            Set<List<String>> ids) {
        int found = 0;
        Set<List<String>> keys = new HashSet<>();
        for (List<String> key : foreign.tuples(named)) {
            if (ids.contains(key)) {
                found++;
                keys.add(key);
            }
        }
        return new KeyPair(
                named,
                id,
                found,
                foreign.rows().size(),
                keys.size(),
                Names.likeness(named, id, primary.stem()));
    }

    /** Enough are found to think of it. */
    boolean joins() {
        return found > 0
                && 100L * found >= FOUND_MIN_PERCENT * (long) records
                && keys >= Math.min(KEYS_MIN, records);
    }

    /** Finds about as many as the other, which finds most. */
    boolean isAlike(KeyPair best) {
        return 100L * found >= (100L - ALIKE_PERCENT) * best.found;
    }

    String share() {
        return "%,d of %,d foreign records name a primary record of the sample by %s"
                .formatted(found, records, String.join(", ", foreign));
    }

    /** The options that state it. */
    String options() {
        return "--foreign-key %s --primary-id %s"
                .formatted(String.join(",", foreign), String.join(",", primary));
    }
}
