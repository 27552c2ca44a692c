package photon.core.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import photon.core.error.ConfigException;

/**
 * A text of YAML as a tree, with the line of each key, counted from 1.
 *
 * @param lines by path, such as {@code deployment.registry[0].name}
 */
record YamlText(JsonNode tree, Map<String, Integer> lines) {
    private static final YAMLFactory YAML = new YAMLFactory();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /**
     * @throws ConfigException if Photon cannot read it; its message goes on behind the text's name
     */
    static YamlText read(String text) {
        try (YAMLParser parser = YAML.createParser(text)) {
            Map<String, Integer> lines = new TreeMap<>();
            parser.nextToken();
            JsonNode tree = node(parser, "", lines);
            if (parser.nextToken() != null) {
                throw new ConfigException(
                        "holds more than one document (line %d)".formatted(line(parser)));
            }
            return new YamlText(tree, lines);
        } catch (JsonProcessingException e) {
            throw new ConfigException(
                    "is not YAML: %s (line %d, column %d)"
                            .formatted(
                                    e.getOriginalMessage().lines().findFirst().orElse(""),
                                    e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                                    e.getLocation() == null ? 0 : e.getLocation().getColumnNr()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int line(YAMLParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }

    /** The parser is at the first token of a value, and then at its last. */
    private static JsonNode node(YAMLParser parser, String path, Map<String, Integer> lines)
            throws IOException {
        JsonToken token = parser.currentToken();
        if (token == null) {
            return MissingNode.getInstance();
        }
        return switch (token) {
            case START_OBJECT -> mapping(parser, path, lines);
            case START_ARRAY -> list(parser, path, lines);
            default -> value(parser, token);
        };
    }

    private static JsonNode mapping(YAMLParser parser, String path, Map<String, Integer> lines)
            throws IOException {
        ObjectNode mapping = NODES.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            String key = path.isEmpty() ? name : path + "." + name;
            if (mapping.has(name)) {
                // One of them would silently count for nothing.
                throw new ConfigException(
                        "holds the key %s twice (lines %d and %d)"
                                .formatted(key, lines.get(key), line(parser)));
            }
            lines.put(key, line(parser));
            parser.nextToken();
            mapping.set(name, node(parser, key, lines));
        }
        return mapping;
    }

    private static JsonNode list(YAMLParser parser, String path, Map<String, Integer> lines)
            throws IOException {
        ArrayNode list = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            String key = path + "[" + list.size() + "]";
            lines.put(key, line(parser));
            list.add(node(parser, key, lines));
        }
        return list;
    }

    /**
     * A number or truth value is one only if it is written as Photon would write it. For YAML, NO
     * is false, 01234 is 668 and 1.10 is 1.1; in a filter, say, they are what stands in the logs.
     */
    private static JsonNode value(YAMLParser parser, JsonToken token) throws IOException {
        String text = parser.getText();
        if (parser.isCurrentAlias()) {
            throw new ConfigException(
                    "holds the alias *%s (line %d), which Photon does not read. Put a text that begins with * into quotes"
                            .formatted(text, line(parser)));
        }
        JsonNode value =
                switch (token) {
                    case VALUE_NULL -> NODES.nullNode();
                    case VALUE_TRUE -> NODES.booleanNode(true);
                    case VALUE_FALSE -> NODES.booleanNode(false);
                    case VALUE_NUMBER_INT -> NODES.numberNode(parser.getBigIntegerValue());
                    // No key is one, and YAML's may be none for Java, such as 12:30:45.5.
                    default -> NODES.textNode(text);
                };
        return value.isNull() || value.asText().equals(text) ? value : NODES.textNode(text);
    }
}
