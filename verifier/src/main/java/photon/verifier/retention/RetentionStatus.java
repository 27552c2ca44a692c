package photon.verifier.retention;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import photon.storage.ledger.LedgerRetention;

/**
 * How far retention is.
 *
 * @param retired incarnations that are retired, ever
 * @param retiredManifests manifests that they had
 * @param retiredEvents events that these named
 * @param removedManifests removed since start
 * @param removedNames directories and tombstones removed since start
 * @param passes that came to their end since start
 * @param failedPasses that did not
 * @param waiting settled incarnations that wait, by the reason in small letters
 * @param ledger what the verifier's ledger holds
 */
public record RetentionStatus(
        long retired,
        long retiredManifests,
        long retiredEvents,
        long removedManifests,
        long removedNames,
        long passes,
        long failedPasses,
        Map<String, Long> waiting,
        LedgerRetention.Figures ledger) {

    /** Why a settled incarnation may wait. */
    public static final List<String> REASONS =
            List.of(
                    "boundary",
                    "declared_lost",
                    "held",
                    "other_output",
                    "unreadable",
                    "not_measured",
                    "next_pass");

    /** Before the first pass. */
    public static final RetentionStatus NOTHING_KNOWN =
            new RetentionStatus(
                    0, 0, 0, 0, 0, 0, 0, Map.of(), LedgerRetention.Figures.NOTHING_KNOWN);

    public RetentionStatus {
        waiting = Map.copyOf(new TreeMap<>(waiting));
    }
}
