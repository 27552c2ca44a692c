package photon.verifier.repair;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/**
 * Finds, of an incarnation that was reopened since the state with its repair rows was lost, the
 * events that the boundary has passed meanwhile (docs/protocol.md section 6): the registry tells
 * nothing of them any more, so nobody can say whether their rows were finished.
 */
final class LapsedRows {
    private final Set<EventId> met = new HashSet<>();
    private long boundaryMicros = Long.MIN_VALUE;

    /** The scan has found that the incarnation holds it still: it is handed over once more. */
    void met(EventId id) {
        met.add(id);
    }

    /** The scan was answered by a group with this boundary. */
    void boundary(long micros) {
        boundaryMicros = Math.max(boundaryMicros, micros);
    }

    /**
     * After the scan. An id that is not held and above every boundary was removed by its row: its
     * event is joined again, or is read again by the state that came in the place of the lost one.
     *
     * @param recorded all that earlier repairs have found lost
     */
    Map<EventId, CommitToken> of(Map<EventId, CommitToken> recorded) {
        Map<EventId, CommitToken> lapsed = new LinkedHashMap<>();
        recorded.forEach(
                (id, token) -> {
                    if (id.micros() < boundaryMicros && !met.contains(id)) {
                        lapsed.put(id, token);
                    }
                });
        return lapsed;
    }
}
