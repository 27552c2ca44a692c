package photon.storage.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.google.common.base.Utf8;
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
    private static final byte BOM_2 = (byte) 0xBB;

    private final List<String> paths;
    private final JsonScan scan;
    private boolean scanned;
    private final Node root = new Node("");
    private final List<Node> nodes = new ArrayList<>();
    private final @Nullable String[] texts;

    /** Why a field's text may not be used, by its index. */
    private final @Nullable String[] problems;

    /** Where a path may go on. */
    private static final class Node {
        private final String path;
        private final Map<String, Node> children = new HashMap<>();
        private final List<Integer> wanted = new ArrayList<>(1);
        private final List<Integer> wantedBelow = new ArrayList<>(1);
        private boolean seen;

        Node(String path) {
            this.path = path;
        }
    }

    JsonFields(List<String> paths) {
        this.paths = paths;
        this.scan = new JsonScan(paths);
        this.texts = new String[paths.size()];
        this.problems = new String[paths.size()];
        for (int i = 0; i < paths.size(); i++) {
            Node node = root;
            for (String name : paths.get(i).split("\\.", -1)) {
                Node parent = node;
                node = parent.children.computeIfAbsent(name, key -> child(parent, key));
                node.wantedBelow.add(i);
            }
            node.wanted.add(i);
        }
    }

    private Node child(Node parent, String name) {
        Node child = new Node(parent == root ? name : parent.path + "." + name);
        nodes.add(child);
        return child;
    }

    /** Reads exactly one object. The bytes may not change while its texts are asked for. */
    void read(byte[] bytes, int from, int to) throws BadRecordException {
        if (scan.read(bytes, from, to)) {
            scanned = true;
        } else {
            parse(bytes, from, to);
        }
    }

    /** The same, whatever the object holds. */
    void parse(byte[] bytes, int from, int to) throws BadRecordException {
        scanned = false;
        Arrays.fill(texts, null);
        Arrays.fill(problems, null);
        for (Node node : nodes) {
            node.seen = false;
        }
        checkText(bytes, from, to);
        try (JsonParser parser = FACTORY.createParser(bytes, from, to - from)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw BadRecordException.noJson("Expected a JSON object, but the record is none");
            }
            readObject(parser, root);
            if (parser.nextToken() != null) {
                throw new BadRecordException("Expected one JSON object, but more follows it");
            }
        } catch (JsonProcessingException e) {
            throw BadRecordException.noJson(
                    "Expected a JSON object, but it is broken: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw BadRecordException.noJson("Expected a JSON object in UTF-8: " + e.getMessage());
        }
    }

    /**
     * The parser takes more than UTF-8: overlong forms, halves of surrogate pairs (so that one
     * identity has several spellings), other encodings and a byte order mark, which would end up in
     * the midst of a joined line.
     */
    private static void checkText(byte[] bytes, int from, int to) throws BadRecordException {
        if (!Utf8.isWellFormed(bytes, from, to - from)) {
            throw BadRecordException.noJson("Expected a JSON object in UTF-8, but it is not");
        }
        boolean marked = to - from >= 3 && bytes[from] == (byte) 0xEF && bytes[from + 1] == BOM_2;
        boolean wide = false;
        for (int i = from; i < Math.min(to, from + 4); i++) {
            wide |= bytes[i] == 0;
        }
        if (marked || wide) {
            throw BadRecordException.noJson(
                    "Expected a JSON object, but other bytes come before it");
        }
    }

    /**
     * Null: it has none.
     *
     * @throws BadRecordException if it may not be used
     */
    @Nullable String text(int index) throws BadRecordException {
        if (scanned) {
            return scan.text(index);
        }
        String problem = problems[index];
        if (problem != null) {
            throw new BadRecordException(problem);
        }
        return texts[index];
    }

    private void readObject(JsonParser parser, Node node) throws IOException {
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

    private void take(JsonParser parser, JsonToken value, Node node) throws IOException {
        if (node.seen) {
            // Readers differ in which one they take: no identity may hang on that.
            for (int index : node.wantedBelow) {
                problem(index, "Expected the field %s once, but it is there twice", node.path);
            }
        }
        node.seen = true;
        for (int index : node.wanted) {
            boolean hasText = value.isScalarValue() && value != JsonToken.VALUE_NULL;
            String text = hasText ? parser.getText() : null;
            if (text != null && !isText(text)) {
                // UTF-8 has no such thing: replacing it would make one identity of several.
                problem(
                        index,
                        "Expected the field %s to be text, but it has half of a surrogate pair",
                        paths.get(index));
            }
            texts[index] = text;
        }
    }

    private void problem(int index, String what, String path) {
        if (problems[index] == null) {
            problems[index] = what.formatted(path);
        }
    }

    private static boolean isText(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return false;
            }
        }
        return true;
    }
}
