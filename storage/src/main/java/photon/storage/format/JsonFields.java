package photon.storage.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Picks fields out of one JSON object by dotted path, reading it once. A value's text is as it
 * stands in the source: numbers as written, so that no identity depends on how a number is printed.
 * Null, objects, arrays and what is missing have no text. Not thread-safe.
 */
final class JsonFields {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();

    private final List<String> paths;
    private final Node root = new Node();
    private final @Nullable String[] texts;
    private final boolean[] seen;

    /** Where a path may go on. */
    private static final class Node {
        private final Map<String, Node> children = new HashMap<>();
        private final List<Integer> wanted = new ArrayList<>(1);
    }

    JsonFields(List<String> paths) {
        this.paths = paths;
        this.texts = new String[paths.size()];
        this.seen = new boolean[paths.size()];
        for (int i = 0; i < paths.size(); i++) {
            Node node = root;
            for (String name : paths.get(i).split("\\.", -1)) {
                node = node.children.computeIfAbsent(name, key -> new Node());
            }
            node.wanted.add(i);
        }
    }

    /** Reads exactly one object. */
    void read(byte[] bytes, int from, int to) throws BadRecordException {
        Arrays.fill(texts, null);
        Arrays.fill(seen, false);
        try (JsonParser parser = FACTORY.createParser(bytes, from, to - from)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new BadRecordException("Expected a JSON object, but the record is none");
            }
            readObject(parser, root);
            if (parser.nextToken() != null) {
                throw new BadRecordException("Expected one JSON object, but more follows it");
            }
        } catch (JsonProcessingException e) {
            throw new BadRecordException(
                    "Expected a JSON object, but it is broken: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new BadRecordException("Expected a JSON object in UTF-8: " + e.getMessage());
        }
    }

    @Nullable String text(int index) {
        return texts[index];
    }

    private void readObject(JsonParser parser, Node node) throws IOException, BadRecordException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            Node child = node.children.get(parser.currentName());
            JsonToken value = parser.nextToken();
            if (child == null) {
                parser.skipChildren();
                continue;
            }
            take(parser, value, child);
            if (value == JsonToken.START_OBJECT) {
                readObject(parser, child);
            } else {
                parser.skipChildren();
            }
        }
    }

    private void take(JsonParser parser, JsonToken value, Node node)
            throws IOException, BadRecordException {
        for (int index : node.wanted) {
            if (seen[index]) {
                // Readers differ in which one they take: no identity may hang on that.
                throw new BadRecordException(
                        "Expected the field %s once, but it is there twice"
                                .formatted(paths.get(index)));
            }
            seen[index] = true;
            texts[index] =
                    value.isScalarValue() && value != JsonToken.VALUE_NULL
                            ? parser.getText()
                            : null;
        }
    }
}
