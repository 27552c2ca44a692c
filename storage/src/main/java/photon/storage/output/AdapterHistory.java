package photon.storage.output;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;

/**
 * Remembers beside an output which adapters have made it, and since when: {@code _work/adapter.N}.
 * It is for people: nothing is decided by it. Each joiner of the datacenter notes its adapter when
 * it starts.
 */
public final class AdapterHistory {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int VERSION = 1;
    private static final int KEPT_MAX = 100;
    private static final int TRIES_MAX = 10;

    private final VersionedDocument document;

    /**
     * @param outputDirectory which exists
     */
    public AdapterHistory(FileStore files, String outputDirectory) {
        this.document =
                new VersionedDocument(
                        files, outputDirectory + "/" + OutputNames.WORK, OutputNames.ADAPTER);
    }

    /**
     * An adapter that began to join.
     *
     * @param digest of all that makes it what it is
     * @param text for people
     * @param details what the digest is of
     * @param sinceMicros microseconds since 1970, by its machine's clock
     * @param by the joiner's slot
     */
    public record Use(String digest, String text, JsonNode details, long sinceMicros, String by) {}

    /**
     * Takes down that this adapter joins from now on, if the last one was another.
     *
     * @param isDefault it need not be taken down where no other was before
     * @return the one before; empty: it was the same, or there was none
     */
    public Optional<String> note(Use now, boolean isDefault) throws IOException {
        for (int i = 0; i < TRIES_MAX; i++) {
            Optional<VersionedDocument.Version> standing = document.read();
            List<JsonNode> uses = standing.isEmpty() ? new ArrayList<>() : uses(standing.get());
            JsonNode last = uses.isEmpty() ? null : uses.get(uses.size() - 1);
            if (last == null ? isDefault : last.path("fingerprint").asText().equals(now.digest())) {
                return Optional.empty();
            }
            uses.add(json(now));
            long number = standing.map(VersionedDocument.Version::number).orElse(0L);
            if (document.write(number, encode(uses))) {
                return Optional.ofNullable(last).map(before -> before.path("adapter").asText());
            }
        }
        throw new IOException("The list of adapters is written by others all the time");
    }

    private static List<JsonNode> uses(VersionedDocument.Version version) throws IOException {
        List<JsonNode> uses = new ArrayList<>();
        JSON.readTree(version.content()).path("adapters").forEach(uses::add);
        return uses;
    }

    private static ObjectNode json(Use use) {
        ObjectNode node = JSON.createObjectNode();
        node.put("adapter", use.text());
        node.put("fingerprint", use.digest());
        node.set("details", use.details());
        node.put("since", Instant.EPOCH.plus(use.sinceMicros(), ChronoUnit.MICROS).toString());
        node.put("by", use.by());
        return node;
    }

    private static byte[] encode(List<JsonNode> uses) throws IOException {
        ObjectNode root = JSON.createObjectNode().put("version", VERSION);
        ArrayNode list = root.putArray("adapters");
        uses.subList(Math.max(0, uses.size() - KEPT_MAX), uses.size()).forEach(list::add);
        return JSON.writeValueAsBytes(root);
    }
}
