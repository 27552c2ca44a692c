package photon.joiner.adapters;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.adapter.SourceEvent;
import photon.proto.v1.Event;

/** An event for a user's adapter. Its fields are parsed when the first is asked for. */
final class JsonSourceEvent implements SourceEvent {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Event event;
    private final long micros;
    private volatile @Nullable JsonNode fields;

    JsonSourceEvent(Event event, long micros) {
        this.event = event;
        this.micros = micros;
    }

    @Override
    public String id() {
        return event.getIdText();
    }

    @Override
    public long timestampMicros() {
        return micros;
    }

    @Override
    public byte[] json() {
        return event.getJson().toByteArray();
    }

    @Override
    public Optional<String> field(String path) {
        JsonNode node = fields();
        // A column's name may itself contain dots.
        JsonNode found = node.path(path);
        if (found.isMissingNode()) {
            found = node;
            for (String name : path.split("\\.", -1)) {
                found = found.path(name);
            }
        }
        if (found.isMissingNode() || found.isNull()) {
            return Optional.empty();
        }
        return Optional.of(found.isValueNode() ? found.asText() : found.toString());
    }

    private JsonNode fields() {
        JsonNode parsed = fields;
        if (parsed == null) {
            try {
                parsed =
                        event.getJson().isEmpty()
                                ? JSON.createObjectNode()
                                : JSON.readTree(event.getJson().newInput());
            } catch (IOException e) {
                throw new UncheckedIOException("Fields of " + id() + " are not JSON", e);
            }
            fields = parsed;
        }
        return parsed;
    }
}
