package photon.core.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    /**
     * @throws ConfigException if Photon cannot read it; its message goes on behind the text's name
     */
    static YamlText read(String text) {
        try {
            JsonNode tree = YAML.readTree(text);
            Map<String, Integer> lines = new TreeMap<>();
            try (YAMLParser parser = ((YAMLFactory) YAML.getFactory()).createParser(text)) {
                parser.nextToken();
                walk(parser, "", lines);
                if (parser.nextToken() != null) {
                    throw new ConfigException(
                            "holds more than one document (line %d)".formatted(line(parser)));
                }
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
    private static void walk(YAMLParser parser, String path, Map<String, Integer> lines)
            throws IOException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String key =
                        path.isEmpty() ? parser.currentName() : path + "." + parser.currentName();
                // Of a key that is there twice, the last one counts, with what is below it.
                lines.keySet()
                        .removeIf(old -> old.startsWith(key + ".") || old.startsWith(key + "["));
                lines.put(key, line(parser));
                parser.nextToken();
                walk(parser, key, lines);
            }
        } else if (token == JsonToken.START_ARRAY) {
            for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                String key = path + "[" + i + "]";
                lines.put(key, line(parser));
                walk(parser, key, lines);
            }
        } else if (token != null && parser.isCurrentAlias()) {
            throw new ConfigException(
                    "holds the alias *%s (line %d), which Photon does not read. Put a text that begins with * into quotes"
                            .formatted(parser.getText(), line(parser)));
        }
    }
}
