package photon.core.config;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import photon.core.config.ConfigKey.Kind;

/**
 * The JSON Schema of a configuration file (draft 7, which editors know best): every key, where it
 * may be, what form its value has, its default and its text. What depends on other keys it does not
 * say; the loader does.
 */
final class ConfigSchema {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Both streams are read alike, but for the key that only one has. */
    private static final String STREAM = "stream.";

    private static final String FOREIGN_ONLY = "primaryId";

    private static final String DURATION = "\\s*\\d+\\s*(ms|s|m|h|d)\\s*";
    private static final String SIZE = "^\\s*\\d+\\s*(B|KiB|MiB|GiB)\\s*$";
    private static final Pattern RANGE = Pattern.compile("a whole number from (\\d+) to (\\d+)");
    private static final Pattern CHOICE =
            Pattern.compile("[a-z][a-z-]*(, [a-z][a-z-]*)*( or [a-z][a-z-]*)?");
    private static final Pattern OTHER_WORD =
            Pattern.compile("a duration .*, or ([a-z]+)", Pattern.DOTALL);

    /** A key in all samples. */
    private static final class Known {
        private final Map<Kind, ConfigKey> kinds = new LinkedHashMap<>();

        /** How often it is there, and how often the loader needs it: always, or it depends. */
        private int asked;

        private int required;
        private final Map<String, Known> below = new LinkedHashMap<>();
    }

    private final Known root = new Known();
    private final Map<String, String> texts = new LinkedHashMap<>();

    private ConfigSchema() {}

    static String text() throws IOException {
        ConfigSchema schema = new ConfigSchema();
        for (String line : DocumentedKeys.texts()) {
            Matcher text = DocumentedKeys.TEXT.matcher(line);
            if (text.matches()) {
                schema.texts.put(
                        text.group(1), text.group(2).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1"));
            }
        }
        DocumentedKeys.samples().forEach(schema::learn);
        ObjectNode node = JSON.createObjectNode();
        node.put("$schema", "http://json-schema.org/draft-07/schema#");
        node.put("title", "A configuration of Photon");
        node.put(
                "description",
                "Generated from the code that reads a configuration; docs/configuration.md says how to use it.");
        node.setAll(schema.mapping(schema.root, "", List.of("primary", "foreign")));
        ObjectNode properties = (ObjectNode) node.get("properties");
        for (String stream : List.of("primary", "foreign")) {
            Known known = requireNonNull(schema.root.below.get("stream"), "no streams");
            ObjectNode made =
                    schema.mapping(
                            known,
                            STREAM,
                            stream.equals("foreign") ? List.of(FOREIGN_ONLY) : List.of());
            if (stream.equals("primary")) {
                ((ObjectNode) made.get("properties")).remove(FOREIGN_ONLY);
            }
            made.put("description", schema.texts.get(stream));
            properties.set(stream, made);
        }
        return node.toPrettyString() + "\n";
    }

    private void learn(DocumentedKeys.Sample sample) {
        root.asked++;
        // A key may be asked for more than once; it counts once for each mapping that it is in.
        Set<String> counted = new TreeSet<>();
        for (DocumentedKeys.Asked asked : sample.asked()) {
            String path = asked.key().path();
            if (path.equals("primary") || path.equals("foreign")) {
                Known stream = root.below.computeIfAbsent("stream", any -> new Known());
                stream.kinds.putIfAbsent(Kind.MAPPING, asked.key());
                stream.asked += counted.add(path) ? 1 : 0;
                continue;
            }
            Known known = at(path);
            known.kinds.putIfAbsent(asked.key().kind(), asked.key());
            if (!counted.add(path)) {
                continue;
            }
            known.asked += instances(sample.tree(), path);
            if (asked.required()) {
                known.required++;
            }
        }
    }

    private Known at(String path) {
        Known known = root;
        String general =
                path.replaceFirst("^(primary|foreign)\\.", STREAM).replaceAll("\\[\\d+]", "");
        for (String part : parts(general)) {
            known = known.below.computeIfAbsent(part, any -> new Known());
        }
        return known;
    }

    private static List<String> parts(String path) {
        return List.of(path.split("\\."));
    }

    /** How many values, or elements of a list, are there. */
    private static int instances(JsonNode tree, String path) {
        JsonNode value = tree.at("/" + path.replaceAll("\\[(\\d+)]", "/$1").replace('.', '/'));
        return value.isMissingNode() ? 0 : value.isArray() ? value.size() : 1;
    }

    /**
     * @param path of the mapping, with a dot at its end
     * @param alsoRequired keys that are, whatever the samples say
     */
    private ObjectNode mapping(Known mapping, String path, List<String> alsoRequired) {
        ObjectNode node = JSON.createObjectNode();
        node.put("type", "object");
        ObjectNode properties = node.putObject("properties");
        Set<String> required = new LinkedHashSet<>(alsoRequired);
        mapping.below.forEach(
                (name, known) -> {
                    if (mapping == root && name.equals("stream")) {
                        return;
                    }
                    if (known.required == mapping.asked && !name.equals(FOREIGN_ONLY)) {
                        required.add(name);
                    }
                    properties.set(name, property(known, path + name));
                });
        if (!required.isEmpty()) {
            required.forEach(node.putArray("required")::add);
        }
        if (path.equals("hadoop.")) {
            node.set("additionalProperties", scalar());
        } else {
            node.put("additionalProperties", false);
        }
        return node;
    }

    private ObjectNode property(Known known, String path) {
        List<ObjectNode> forms = new ArrayList<>();
        known.kinds.forEach((kind, key) -> forms.addAll(forms(kind, key, known, path)));
        ObjectNode node = JSON.createObjectNode();
        if (forms.size() == 1) {
            node.setAll(forms.get(0));
        } else {
            forms.forEach(node.putArray("anyOf")::add);
        }
        description(path, node);
        known.kinds.forEach(
                (kind, key) ->
                        key.otherwise().ifPresent(text -> node.set("default", value(kind, text))));
        return node;
    }

    private static JsonNode value(Kind kind, String text) {
        return switch (kind) {
            case NUMBER -> JSON.getNodeFactory().numberNode(Long.parseLong(text));
            case FLAG -> JSON.getNodeFactory().booleanNode(Boolean.parseBoolean(text));
            default -> JSON.getNodeFactory().textNode(text);
        };
    }

    private void description(String path, ObjectNode node) {
        String listed = path.replaceFirst("^stream\\.", "").replaceFirst("^primaryId\\.", "id.");
        String text = texts.get(listed);
        // Elements of lists are written with brackets there.
        if (text == null) {
            text =
                    texts.entrySet().stream()
                            .filter(each -> each.getKey().replace("[]", "").equals(listed))
                            .map(Map.Entry::getValue)
                            .findFirst()
                            .orElseThrow(() -> new IllegalStateException("no text of " + path));
        }
        node.put("description", text);
    }

    private List<ObjectNode> forms(Kind kind, ConfigKey key, Known known, String path) {
        String expected = key.values();
        return switch (kind) {
            case MAPPING -> List.of(mapping(known, path + ".", List.of()));
            case MAPPINGS -> {
                ObjectNode node = JSON.createObjectNode().put("type", "array");
                node.set("items", mapping(known, path + ".", List.of()));
                yield List.of(node);
            }
            case TEXT -> List.of(text(expected));
            case TEXTS -> List.of(text(elementOf(expected)), listOf(text(elementOf(expected))));
            case TEXTS_BY_NAME -> {
                ObjectNode node = JSON.createObjectNode().put("type", "object");
                ArrayNode either = node.putObject("additionalProperties").putArray("anyOf");
                either.add(scalar()).add(listOf(scalar()));
                yield List.of(node);
            }
            case FLAG -> List.of(JSON.createObjectNode().put("type", "boolean"));
            case NUMBER -> List.of(number(expected));
            case DURATION -> List.of(pattern("^" + DURATION + "$"));
            case SIZE -> List.of(pattern(SIZE));
            case ANY -> throw new IllegalStateException(path + " is only looked for");
        };
    }

    private static String elementOf(String expected) {
        return expected.startsWith("a list of names of small letters")
                ? "a name of small letters"
                : expected;
    }

    private static ObjectNode listOf(ObjectNode items) {
        ObjectNode node = JSON.createObjectNode().put("type", "array");
        node.set("items", items);
        return node.put("minItems", 1);
    }

    private static ObjectNode number(String expected) {
        Matcher range = RANGE.matcher(expected);
        if (!range.matches()) {
            throw new IllegalStateException("no range: " + expected);
        }
        return JSON.createObjectNode()
                .put("type", "integer")
                .put("minimum", Long.parseLong(range.group(1)))
                .put("maximum", Long.parseLong(range.group(2)));
    }

    private static ObjectNode text(String expected) {
        Matcher word = OTHER_WORD.matcher(expected);
        if (word.matches()) {
            ObjectNode either = JSON.createObjectNode();
            ArrayNode forms = either.putArray("anyOf");
            forms.add(pattern("^" + DURATION + "$"));
            ArrayNode words = forms.addObject().putArray("enum").add(word.group(1));
            // YAML reads a bare off as a truth value.
            if (word.group(1).equals("off")) {
                words.add(false);
            }
            return either;
        }
        if (expected.startsWith("host:port")) {
            return pattern("^\\s*\\S+:\\d{1,5}\\s*$");
        }
        if (expected.contains("a name of small letters")) {
            return pattern("^" + ConfigLoader.NAME.pattern() + "$");
        }
        String plain = expected.replaceAll(" \\([^)]*\\)", "");
        if (!plain.equals("text") && CHOICE.matcher(plain).matches()) {
            ObjectNode node = JSON.createObjectNode();
            List.of(plain.split(", | or ")).forEach(node.putArray("enum")::add);
            return node;
        }
        return scalar();
    }

    private static ObjectNode pattern(String pattern) {
        return JSON.createObjectNode().put("type", "string").put("pattern", pattern);
    }

    /** A text, or what YAML takes for something else and Photon for a text. */
    private static ObjectNode scalar() {
        ObjectNode node = JSON.createObjectNode();
        node.putArray("type").add("string").add("number").add("boolean");
        return node;
    }
}
