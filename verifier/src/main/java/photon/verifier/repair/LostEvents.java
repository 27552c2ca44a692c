package photon.verifier.repair;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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

    void add(EventId id, CommitToken token) {
        tokens.put(id, token);
    }

    /** The repair row if this event is one of them; it is not looked for any more. */
    @Nullable RepairRow find(LogEvent event) {
        CommitToken token = tokens.remove(event.id());
        return token == null ? null : RepairRows.of(event, token);
    }

    /** Each with the token that holds it; a view. */
    Map<EventId, CommitToken> tokens() {
        return Collections.unmodifiableMap(tokens);
    }

    Set<EventId> ids() {
        return tokens.keySet();
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
    }
}
