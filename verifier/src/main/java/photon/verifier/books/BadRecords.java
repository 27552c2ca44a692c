package photon.verifier.books;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import photon.core.id.EventId;
import photon.verifier.source.IdIndex;

/**
 * Records without a usable identity, once a (file, offset), whoever found them. About 40 bytes
 * each.
 */
final class BadRecords {
    private static final int KINDS_MAX = 3;

    private final Map<String, Integer> files = new HashMap<>();
    private final IdIndex places = new IdIndex();
    private final IdIndex exported = new IdIndex();
    private final Map<String, Books.BadRecord> first = new LinkedHashMap<>();

    void add(String file, long offset, String reason) {
        int before = places.size();
        places.add(place(file, offset));
        if (places.size() > before && first.size() < KINDS_MAX) {
            first.putIfAbsent(likeness(reason), new Books.BadRecord(file, offset, reason));
        }
    }

    int size() {
        return places.size();
    }

    /** The first of each of the first few kinds of reason. */
    List<Books.BadRecord> first() {
        return List.copyOf(first.values());
    }

    /** True the first time that this place is asked for. */
    boolean export(String file, long offset) {
        int before = exported.size();
        exported.add(place(file, offset));
        return exported.size() > before;
    }

    /** Reasons that differ in their values only are alike. */
    private static String likeness(String reason) {
        return reason.replaceAll("'[^']*'", "''").replaceAll("\\d+", "0");
    }

    /** Any 28 bytes do for the set of identities: here the offset (-1: not known) and the file. */
    private EventId place(String file, long offset) {
        int number = files.computeIfAbsent(file, unknown -> files.size());
        return new EventId(0, offset, number, 0);
    }
}
