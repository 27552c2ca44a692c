package photon.joiner.adapters;

import java.util.List;
import photon.storage.output.WorkRecord.JoinedEvent;

/** What an adapter decided. */
public sealed interface AdapterDecision {
    /**
     * @param events one at least, in order
     */
    record Emit(List<JoinedEvent> events) implements AdapterDecision {
        public Emit {
            events = List.copyOf(events);
        }
    }

    /** Left out for good. */
    record Skip(String reason) implements AdapterDecision {}

    /** None: it could not be asked, so nothing counts against the event. To be tried again. */
    record NotAsked(String reason) implements AdapterDecision {}

    /** Try again later. */
    record Retry(String reason) implements AdapterDecision {}

    /** For the dead-letter log. */
    record Reject(String reason) implements AdapterDecision {}
}
