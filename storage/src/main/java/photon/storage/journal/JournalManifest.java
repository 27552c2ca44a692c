package photon.storage.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Which segments make up the journal, oldest first. All but the last are sealed: bytes behind a
 * sealed length are never read, whoever wrote them (docs/protocol.md section 7).
 *
 * @param owner number of the start that wrote it
 */
record JournalManifest(long owner, List<Segment> segments) {
    static final long OPEN = -1;
    private static final ObjectMapper JSON = new ObjectMapper();

    JournalManifest {
        segments = List.copyOf(segments);
    }

    /**
     * @param number grows with each segment of the journal
     * @param sealedLength {@link #OPEN}: it is being written
     */
    record Segment(long number, String name, long sealedLength) {}

    byte[] encode() {
        ObjectNode node = JSON.createObjectNode();
        node.put("owner", owner);
        for (Segment segment : segments) {
            node.withArray("segments")
                    .addObject()
                    .put("number", segment.number())
                    .put("name", segment.name())
                    .put("sealedLength", segment.sealedLength());
        }
        return node.toString().getBytes(StandardCharsets.UTF_8);
    }

    static JournalManifest decode(byte[] json) throws IOException {
        JsonNode node = JSON.readTree(json);
        List<Segment> segments = new ArrayList<>();
        for (JsonNode segment : node.path("segments")) {
            segments.add(
                    new Segment(
                            segment.path("number").asLong(),
                            segment.path("name").asText(),
                            segment.path("sealedLength").asLong(OPEN)));
        }
        return new JournalManifest(node.path("owner").asLong(), segments);
    }
}
