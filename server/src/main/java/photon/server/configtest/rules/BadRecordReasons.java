package photon.server.configtest.rules;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import photon.storage.format.BadCause;

/** Bad records by what is wrong with them: reasons that differ in their values only are one. */
public final class BadRecordReasons {
    private static final int KINDS_MAX = 20;
    private static final int HEADS_MAX = 50;
    private static final String FURTHER = "further reasons";

    private final Map<String, Kind> kinds = new LinkedHashMap<>();
    private final List<String> heads = new ArrayList<>();
    private long count;

    /**
     * Records with one kind of reason.
     *
     * @param reason of the first of them
     * @param cause of the first of them
     * @param path where the first of them stands
     * @param offset where it begins in that file, uncompressed
     */
    public record Kind(long count, String reason, BadCause cause, String path, long offset) {}

    /**
     * @param head its first bytes
     */
    public void add(String path, long offset, String reason, BadCause cause, byte[] head) {
        count++;
        String likeness = reason.replaceAll("'[^']*'", "''").replaceAll("\\d+", "0");
        boolean known = kinds.containsKey(likeness) || kinds.size() < KINDS_MAX;
        kinds.merge(
                known ? likeness : FURTHER,
                new Kind(1, known ? reason : FURTHER, known ? cause : BadCause.OTHER, path, offset),
                (old, one) -> new Kind(old.count + 1, old.reason, old.cause, old.path, old.offset));
        if (heads.size() < HEADS_MAX) {
            heads.add(new String(head, StandardCharsets.UTF_8));
        }
    }

    public long count() {
        return count;
    }

    /** The most frequent first. */
    public List<Kind> kinds() {
        return kinds.values().stream()
                .sorted(Comparator.comparingLong(Kind::count).reversed())
                .toList();
    }

    /** How the first of them begin. */
    List<String> heads() {
        return List.copyOf(heads);
    }
}
