package photon.core.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The configuration that a command works with: what the file says, the variables that override it,
 * and the defaults of all keys that have one. Read again, its tree gives the same configuration.
 */
public final class EffectiveConfig {
    /** Where a key has its value from. */
    public sealed interface Origin {
        /** From the file. */
        record InFile(int line) implements Origin {}

        /** From the environment. */
        record InVariable(String name) implements Origin {}

        /** Photon's own. */
        record OfPhoton() implements Origin {}
    }

    private final ConfigSource source;
    private final ObjectNode tree;

    private EffectiveConfig(ConfigSource source, ObjectNode tree) {
        this.source = source;
        this.tree = tree;
    }

    /**
     * What {@link ConfigLoader#load(Path)} reads.
     *
     * @throws photon.core.error.ConfigException that names every problem
     */
    public static EffectiveConfig load(Path file) {
        return load(file, System.getenv());
    }

    /**
     * What {@link ConfigLoader#load(Path, Map)} reads.
     *
     * @throws photon.core.error.ConfigException that names every problem
     */
    public static EffectiveConfig load(Path file, Map<String, String> environment) {
        return of(ConfigSource.load(file, environment));
    }

    static EffectiveConfig of(ConfigSource source) {
        return new EffectiveConfig(source, withDefaults(source));
    }

    /** The file that was read, as it was named. */
    public Path file() {
        return source.file();
    }

    /** Every key with its value. */
    public JsonNode tree() {
        return tree;
    }

    /**
     * @param key with its path, such as {@code deployment.registry[0].name}
     */
    public Origin originOf(String key) {
        Optional<ConfigVariables.Variable> variable = source.variables().setterOf(key);
        if (variable.isPresent()) {
            return new Origin.InVariable(variable.get().name());
        }
        Integer line = source.lines().get(key);
        return line == null ? new Origin.OfPhoton() : new Origin.InFile(line);
    }

    /** Adds each default that does not change what the configuration means. */
    private static ObjectNode withDefaults(ConfigSource source) {
        ConfigLoader.Reading said = source.read();
        ObjectNode tree = source.tree().deepCopy();
        List<String> sections = new ArrayList<>();
        Set<String> tried = new HashSet<>();
        List<ConfigKey> keys = said.keys();
        for (int i = 0; i < keys.size(); i++) {
            ConfigKey key = keys.get(i);
            Optional<JsonNode> otherwise = otherwise(key);
            if (otherwise.isEmpty() || !tried.add(key.path())) {
                continue;
            }
            ObjectNode more = tree.deepCopy();
            if (!putIfAbsent(more, key, otherwise.get())) {
                continue;
            }
            ConfigLoader.Reading reading = ConfigLoader.reading(more, source.baseDirectory());
            if (!reading.found().isEmpty() || !reading.loaded().equals(said.loaded())) {
                continue;
            }
            tree = more;
            if (key.kind() == ConfigKey.Kind.MAPPING) {
                sections.add(key.path());
                // The keys of the new section come now, and those that were tried are skipped.
                keys = reading.keys();
                i = -1;
            }
        }
        for (String section : sections) {
            removeIfEmpty(tree, section);
        }
        return tree;
    }

    private static Optional<JsonNode> otherwise(ConfigKey key) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (key.kind() == ConfigKey.Kind.MAPPING) {
            return Optional.of(nodes.objectNode());
        }
        return key.otherwise()
                .map(
                        text ->
                                switch (key.kind()) {
                                    case FLAG -> nodes.booleanNode(Boolean.parseBoolean(text));
                                    case NUMBER -> nodes.numberNode(Integer.parseInt(text));
                                    default -> nodes.textNode(text);
                                });
    }

    /** Whether it was absent. */
    private static boolean putIfAbsent(ObjectNode tree, ConfigKey key, JsonNode value) {
        JsonNode around = around(tree, key.path());
        String name = name(key.path());
        boolean empty = key.kind() == ConfigKey.Kind.MAPPING && around.path(name).isNull();
        if (around instanceof ObjectNode mapping && (empty || !mapping.has(name))) {
            mapping.set(name, value);
            return true;
        }
        return false;
    }

    private static void removeIfEmpty(ObjectNode tree, String path) {
        if (around(tree, path) instanceof ObjectNode mapping
                && mapping.path(name(path)).isObject()
                && mapping.path(name(path)).isEmpty()) {
            mapping.remove(name(path));
        }
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    /** The mapping that holds the key. */
    private static JsonNode around(JsonNode tree, String path) {
        JsonNode at = tree;
        int end = path.lastIndexOf('.');
        if (end < 0) {
            return at;
        }
        for (String part : path.substring(0, end).split("\\.", -1)) {
            int bracket = part.indexOf('[');
            at = at.path(bracket < 0 ? part : part.substring(0, bracket));
            if (bracket >= 0) {
                at = at.path(Integer.parseInt(part, bracket + 1, part.length() - 1, 10));
            }
        }
        return Objects.requireNonNull(at);
    }
}
