package photon.verifier.books;

import static photon.core.error.Checks.check;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What became of every foreign event, over all datacenters (docs/protocol.md section 8). Each
 * distinct identity of the foreign logs counts in exactly one of the categories, so that these sum
 * to {@code foreignEvents}.
 *
 * @param foreignEvents distinct identities in the foreign logs
 * @param joined category: published
 * @param upgraded events that were joined without their primary event, and once more when that had
 *     come; they count as joined
 * @param deadLettered category: in a dead-letter log
 * @param waitingByReason category: in a retry journal, by what they wait for
 * @param outcomeLost category: may have been joined, and nobody can tell
 * @param skipped category, by reason
 * @param unread category: beyond every datacenter's checkpoint
 * @param unaccounted category: none of the above
 * @param duplicates joined events (identity, output, ordinal) beyond the first, and events that are
 *     joined with their primary event and upgraded besides
 * @param invented identities in an output that the foreign logs do not hold
 * @param bad records without a usable identity
 * @param conflictingRepeats identities that were read with more than one content
 * @param byDatacenter per datacenter, in order
 * @param alarms what a person has to look at
 * @param unterminated foreign logs that end half-written, and where, for people: what stands there
 *     is no record yet
 * @param samples a few events of each kind that should not be there, for people
 */
public record Books(
        long foreignEvents,
        long joined,
        long upgraded,
        long deadLettered,
        Map<String, Long> waitingByReason,
        long outcomeLost,
        Map<String, Long> skipped,
        long unread,
        long unaccounted,
        long duplicates,
        long invented,
        Bad bad,
        long conflictingRepeats,
        Map<String, Datacenter> byDatacenter,
        List<String> alarms,
        List<String> unterminated,
        Samples samples) {

    public Books {
        waitingByReason = Collections.unmodifiableMap(new TreeMap<>(waitingByReason));
        skipped = Collections.unmodifiableMap(new TreeMap<>(skipped));
        byDatacenter = Collections.unmodifiableMap(new LinkedHashMap<>(byDatacenter));
        alarms = List.copyOf(alarms);
        unterminated = List.copyOf(unterminated);
        long sum =
                joined
                        + deadLettered
                        + total(waitingByReason)
                        + outcomeLost
                        + total(skipped)
                        + unread
                        + unaccounted;
        check(
                sum == foreignEvents,
                "Expected the categories to sum to %s foreign events, but they sum to %s",
                foreignEvents,
                sum);
    }

    /** True if nothing is doubled, lost or unaccounted for, and nothing calls for a person. */
    public boolean balanced() {
        return duplicates == 0
                && unaccounted == 0
                && outcomeLost == 0
                && invented == 0
                && alarms.isEmpty();
    }

    /** Those in a retry journal, whatever they wait for. */
    public long waiting() {
        return total(waitingByReason);
    }

    /** Of both streams, once a (file, offset). */
    public long badRecords() {
        return bad.records();
    }

    private static long total(Map<String, Long> byReason) {
        return byReason.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * One datacenter's part.
     *
     * @param joined distinct identities of the foreign logs in its published files
     * @param waiting rows in its journal
     */
    public record Datacenter(long joined, long waiting) {}

    /**
     * Records without a usable identity.
     *
     * @param records of both streams, once a (file, offset)
     * @param foreign of these, those in the foreign logs
     * @param first one of each kind of reason, a few
     */
    public record Bad(long records, long foreign, List<BadRecord> first) {
        public static final Bad NONE = new Bad(0, 0, List.of());

        public Bad {
            first = List.copyOf(first);
        }
    }

    /**
     * One record without a usable identity.
     *
     * @param offset where it begins, uncompressed
     */
    public record BadRecord(String file, long offset, String reason) {}

    /**
     * Up to {@link Bookkeeper#SAMPLES_MAX} events each, by the ids that their records have; by time
     * and hash where no foreign log holds them.
     */
    public record Samples(
            List<String> duplicates,
            List<String> invented,
            List<String> unaccounted,
            List<String> outcomeLost) {
        public Samples {
            duplicates = List.copyOf(duplicates);
            invented = List.copyOf(invented);
            unaccounted = List.copyOf(unaccounted);
            outcomeLost = List.copyOf(outcomeLost);
        }
    }
}
