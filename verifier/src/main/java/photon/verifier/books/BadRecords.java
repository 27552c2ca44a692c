package photon.verifier.books;

import java.util.HashMap;
import java.util.Map;
import photon.core.id.EventId;
import photon.verifier.source.IdIndex;

/**
 * Records without a usable identity, once a (file, offset), whoever found them. About 40 bytes
 * each.
 */
final class BadRecords {
    private final Map<String, Integer> files = new HashMap<>();
    private final IdIndex places = new IdIndex();
    private final IdIndex exported = new IdIndex();

    void add(String file, long offset) {
        places.add(place(file, offset));
    }

    int size() {
        return places.size();
    }

    /** True the first time that this place is asked for. */
    boolean export(String file, long offset) {
        int before = exported.size();
        exported.add(place(file, offset));
        return exported.size() > before;
    }

    /** Any 28 bytes do for the set of identities: here the offset (-1: not known) and the file. */
    private EventId place(String file, long offset) {
        int number = files.computeIfAbsent(file, unknown -> files.size());
        return new EventId(0, offset, number, 0);
    }
}
