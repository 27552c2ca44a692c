package photon.verifier.repair;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/**
 * Of ids that an incarnation once held, tells those that the scan of its repair has not met
 * (docs/protocol.md section 6). Not thread-safe.
 */
final class NoLongerHeld {
    private final Set<EventId> met = new HashSet<>();
    private long boundaryMicros = Long.MIN_VALUE;

    /** The scan has found that the incarnation holds it still, and has not published it. */
    void met(EventId id) {
        met.add(id);
    }

    /** A group has answered with this boundary. */
    void boundary(long micros) {
        boundaryMicros = Math.max(boundaryMicros, micros);
    }

    /**
     * After the scan: those that a repair row has removed. Somebody has joined the event since, or
     * the row is on its way still, or it is gone with its dispatcher's state.
     *
     * @param held at some time
     */
    Map<EventId, CommitToken> removed(Map<EventId, CommitToken> held) {
        return unmet(held, id -> id.micros() >= boundaryMicros);
    }

    /**
     * After the scan: those that a boundary has passed. The registry tells nothing of them any
     * more, so nobody can say whether their rows were finished.
     *
     * @param held at some time
     */
    Map<EventId, CommitToken> tooOld(Map<EventId, CommitToken> held) {
        return unmet(held, id -> id.micros() < boundaryMicros);
    }

    private Map<EventId, CommitToken> unmet(
            Map<EventId, CommitToken> held, Predicate<EventId> which) {
        Map<EventId, CommitToken> unmet = new LinkedHashMap<>();
        held.forEach(
                (id, token) -> {
                    if (which.test(id) && !met.contains(id)) {
                        unmet.put(id, token);
                    }
                });
        return unmet;
    }
}
