package photon.storage.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import photon.core.id.Incarnation;

/**
 * Which incarnations of an output directory are retired, and what they had together
 * (docs/protocol.md section 6, Retention). It does not grow with their number: generations are kept
 * as ranges by slot, and what they had is summed. Immutable.
 */
public final class RetiredIncarnations {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int VERSION = 1;

    /** Nobody is. */
    public static final RetiredIncarnations NONE =
            new RetiredIncarnations(new TreeMap<>(), Left.NOTHING);

    /** By slot, ranges of generations: each range's last by its first. */
    private final TreeMap<Integer, NavigableMap<Integer, Integer>> ranges;

    private final Left sum;

    private RetiredIncarnations(Map<Integer, NavigableMap<Integer, Integer>> ranges, Left sum) {
        this.ranges = new TreeMap<>(ranges);
        this.sum = sum;
    }

    /**
     * What is known for good of an incarnation, or of several together.
     *
     * @param incarnations how many
     * @param manifests how many, without those whose files were declared lost
     * @param events how many entries these have
     * @param lost events that its repairs had found lost
     * @param lastMicros the highest timestamp of its ids, published or lost, in microseconds since
     *     1970; -1 if it had none
     */
    public record Left(long incarnations, long manifests, long events, long lost, long lastMicros) {
        public static final Left NOTHING = new Left(0, 0, 0, 0, -1);

        Left plus(Left other) {
            return new Left(
                    incarnations + other.incarnations,
                    manifests + other.manifests,
                    events + other.events,
                    lost + other.lost,
                    Math.max(lastMicros, other.lastMicros));
        }
    }

    public boolean contains(Incarnation incarnation) {
        NavigableMap<Integer, Integer> of = ranges.get(incarnation.slot());
        Map.Entry<Integer, Integer> range =
                of == null ? null : of.floorEntry(incarnation.generation());
        return range != null && range.getValue() >= incarnation.generation();
    }

    /** What all of them had. */
    public Left sum() {
        return sum;
    }

    /** Of each slot the highest generation. */
    public SortedMap<Integer, Integer> highest() {
        SortedMap<Integer, Integer> highest = new TreeMap<>();
        ranges.forEach((slot, of) -> highest.put(slot, of.lastEntry().getValue()));
        return highest;
    }

    /** How many ranges of generations are kept. */
    int size() {
        return ranges.values().stream().mapToInt(Map::size).sum();
    }

    /** With one more, which is not among them. */
    RetiredIncarnations with(Incarnation incarnation, Left left) {
        TreeMap<Integer, NavigableMap<Integer, Integer>> all = new TreeMap<>(ranges);
        TreeMap<Integer, Integer> of =
                new TreeMap<>(all.getOrDefault(incarnation.slot(), new TreeMap<>()));
        int first = incarnation.generation();
        int last = first;
        Map.Entry<Integer, Integer> below = of.lowerEntry(first);
        if (below != null && below.getValue() == first - 1) {
            first = below.getKey();
        }
        Integer above = of.remove(last + 1);
        of.put(first, above == null ? last : above);
        all.put(incarnation.slot(), of);
        return new RetiredIncarnations(all, sum.plus(left));
    }

    byte[] encode() {
        ObjectNode node = JSON.createObjectNode().put("version", VERSION);
        node.put("incarnations", sum.incarnations())
                .put("manifests", sum.manifests())
                .put("events", sum.events())
                .put("lost", sum.lost())
                .put("lastMicros", sum.lastMicros());
        ObjectNode slots = node.putObject("slots");
        ranges.forEach(
                (slot, of) -> {
                    ArrayNode pairs = slots.putArray(slot.toString());
                    of.forEach((first, last) -> pairs.addArray().add(first).add(last));
                });
        try {
            return JSON.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static RetiredIncarnations decode(byte[] content) throws IOException {
        JsonNode node = JSON.readTree(content);
        if (node.path("version").asInt() != VERSION) {
            throw new IOException(
                    "Expected version %d of the list of retired incarnations, but got %s"
                            .formatted(VERSION, node.path("version")));
        }
        TreeMap<Integer, NavigableMap<Integer, Integer>> ranges = new TreeMap<>();
        Iterator<String> slots = node.path("slots").fieldNames();
        while (slots.hasNext()) {
            String slot = slots.next();
            TreeMap<Integer, Integer> of = new TreeMap<>();
            node.path("slots")
                    .path(slot)
                    .forEach(pair -> of.put(pair.path(0).asInt(), pair.path(1).asInt()));
            ranges.put(Integer.parseInt(slot), of);
        }
        return new RetiredIncarnations(
                ranges,
                new Left(
                        node.path("incarnations").asLong(),
                        node.path("manifests").asLong(),
                        node.path("events").asLong(),
                        node.path("lost").asLong(),
                        node.path("lastMicros").asLong(-1)));
    }
}
