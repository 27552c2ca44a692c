package photon.storage.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What stands for the entries that retention has taken from a ledger: how many there were, by kind
 * and reason (docs/protocol.md section 8). It does not grow with their number. Immutable.
 *
 * @param lastSegment the highest number of a segment that was taken, which is not used again; 0:
 *     none was
 * @param going the segment whose removal may not have ended; 0: none
 * @param sums by kind, then by reason
 */
public record EndedEntries(
        long lastSegment, long going, Map<LedgerEntry.Kind, SortedMap<String, Sum>> sums) {
    /** Nothing was taken. */
    public static final EndedEntries NONE = new EndedEntries(0, 0, Map.of());

    /** Of reasons beyond so many, which can come from an adapter. */
    public static final String OTHER_REASONS = "other reasons";

    static final int REASONS_MAX = 1_000;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int VERSION = 1;

    public EndedEntries {
        Map<LedgerEntry.Kind, SortedMap<String, Sum>> all = new EnumMap<>(LedgerEntry.Kind.class);
        sums.forEach((kind, reasons) -> all.put(kind, new TreeMap<>(reasons)));
        sums = Map.copyOf(all);
    }

    /**
     * Entries of one kind and reason.
     *
     * @param entries how many identities they named, each counted once in a segment; of bad
     *     records, which have none, how many entries
     * @param lastMicros the highest timestamp of an identity, in microseconds since 1970; -1
     *     without any
     */
    public record Sum(long entries, long lastMicros) {
        Sum plus(Sum other) {
            return new Sum(entries + other.entries, Math.max(lastMicros, other.lastMicros));
        }
    }

    /** How many entries were taken. */
    public long entries() {
        return sums.values().stream()
                .flatMap(reasons -> reasons.values().stream())
                .mapToLong(Sum::entries)
                .sum();
    }

    /** With those of one more segment. */
    EndedEntries with(long segment, Map<LedgerEntry.Kind, ? extends Map<String, Sum>> more) {
        Map<LedgerEntry.Kind, SortedMap<String, Sum>> all = new EnumMap<>(LedgerEntry.Kind.class);
        sums.forEach((kind, reasons) -> all.put(kind, new TreeMap<>(reasons)));
        more.forEach(
                (kind, reasons) -> {
                    SortedMap<String, Sum> of = all.computeIfAbsent(kind, k -> new TreeMap<>());
                    reasons.forEach((reason, sum) -> of.merge(room(of, reason), sum, Sum::plus));
                });
        return new EndedEntries(Math.max(lastSegment, segment), segment, all);
    }

    private static String room(SortedMap<String, Sum> of, String reason) {
        return of.size() < REASONS_MAX || of.containsKey(reason) ? reason : OTHER_REASONS;
    }

    byte[] encode() {
        ObjectNode node = JSON.createObjectNode().put("version", VERSION);
        node.put("lastSegment", lastSegment).put("going", going);
        ObjectNode kinds = node.putObject("kinds");
        sums.forEach(
                (kind, reasons) -> {
                    ObjectNode of = kinds.putObject(kind.name());
                    reasons.forEach(
                            (reason, sum) ->
                                    of.putObject(reason)
                                            .put("entries", sum.entries())
                                            .put("lastMicros", sum.lastMicros()));
                });
        try {
            return JSON.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static EndedEntries decode(byte[] content) throws IOException {
        JsonNode node = JSON.readTree(content);
        if (node.path("version").asInt() != VERSION) {
            throw new IOException(
                    "Expected version %d of the sums of a ledger, but got %s"
                            .formatted(VERSION, node.path("version")));
        }
        Map<LedgerEntry.Kind, SortedMap<String, Sum>> sums = new EnumMap<>(LedgerEntry.Kind.class);
        for (LedgerEntry.Kind kind : LedgerEntry.Kind.values()) {
            JsonNode of = node.path("kinds").path(kind.name());
            SortedMap<String, Sum> reasons = new TreeMap<>();
            for (Iterator<String> names = of.fieldNames(); names.hasNext(); ) {
                String reason = names.next();
                JsonNode sum = of.path(reason);
                reasons.put(
                        reason,
                        new Sum(sum.path("entries").asLong(), sum.path("lastMicros").asLong(-1)));
            }
            if (!reasons.isEmpty()) {
                sums.put(kind, reasons);
            }
        }
        return new EndedEntries(
                node.path("lastSegment").asLong(), node.path("going").asLong(), sums);
    }
}
