package photon.verifier.books;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import photon.core.id.EventId;

/** The first few identities of a kind. */
final class IdentitySample {
    private final List<EventId> ids = new ArrayList<>();

    void add(EventId id) {
        if (ids.size() < Bookkeeper.SAMPLES_MAX) {
            ids.add(id);
        }
    }

    List<EventId> ids() {
        return ids;
    }

    /**
     * As people know them.
     *
     * @param names those that the foreign logs hold
     */
    List<String> texts(Map<EventId, String> names) {
        return ids.stream().map(id -> names.getOrDefault(id, id.toString())).toList();
    }
}
