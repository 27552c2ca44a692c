package photon.verifier.repair;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.proto.v1.RepairRow;

/**
 * Lost ids that are being looked for in the foreign logs, each with the token that holds it.
 * Bounded by whoever fills it.
 */
final class LostEvents {
    private final Map<EventId, CommitToken> tokens = new LinkedHashMap<>();

    /** Keys of upgrades among them: only then the key of each event that is read is computed. */
    private int upgrades;

    void add(EventId id, CommitToken token) {
        if (tokens.put(id, token) == null && id.isUpgrade()) {
            upgrades++;
        }
    }

    /**
     * The repair rows if this event is one of them, or its upgrade, or both; they are not looked
     * for any more.
     */
    List<RepairRow> find(LogEvent event) {
        CommitToken token = tokens.remove(event.id());
        CommitToken upgrade = upgrades == 0 ? null : tokens.remove(event.id().upgrade());
        if (token == null && upgrade == null) {
            return List.of();
        }
        List<RepairRow> rows = new ArrayList<>(2);
        if (token != null) {
            rows.add(RepairRows.of(event, token));
        }
        if (upgrade != null) {
            upgrades--;
            rows.add(RepairRows.of(event, upgrade));
        }
        return rows;
    }

    /** Each with the token that holds it; a view. */
    Map<EventId, CommitToken> tokens() {
        return Collections.unmodifiableMap(tokens);
    }

    /** The earliest timestamp of them, in microseconds since 1970; none: the latest there is. */
    long oldestMicros() {
        long oldest = Long.MAX_VALUE;
        for (EventId id : tokens.keySet()) {
            oldest = Math.min(oldest, id.micros());
        }
        return oldest;
    }

    int size() {
        return tokens.size();
    }

    boolean isEmpty() {
        return tokens.isEmpty();
    }

    void clear() {
        tokens.clear();
        upgrades = 0;
    }
}
