package photon.simulation.checks;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import photon.storage.ledger.LedgerEntry;

/**
 * What was durable in a datacenter's ledgers, by their directory, at some check: retention takes it
 * away, which must not be before the boundary has passed it (docs/protocol.md section 8). Not
 * thread-safe.
 */
final class SeenLedgers {
    private final TreeMap<String, Set<LedgerEntry>> seen = new TreeMap<>();

    /** Is durable. */
    void see(String directory, List<LedgerEntry> entries) {
        seen.computeIfAbsent(directory, d -> new LinkedHashSet<>()).addAll(entries);
    }

    /** Of what was durable once, what is not among these any more. */
    List<LedgerEntry> ended(String directory, List<LedgerEntry> entries) {
        Set<LedgerEntry> of = seen.getOrDefault(directory, Set.of());
        if (of.isEmpty()) {
            return List.of();
        }
        Set<LedgerEntry> standing = new LinkedHashSet<>(entries);
        List<LedgerEntry> ended = new ArrayList<>();
        for (LedgerEntry entry : of) {
            if (!standing.contains(entry)) {
                ended.add(entry);
            }
        }
        return ended;
    }
}
