package photon.core.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import photon.core.error.ConfigException;

/**
 * Keys of a configuration that environment variables set: {@code PHOTON_CONFIG_limits_publishEvery}
 * is {@code limits.publishEvery}. No key has a {@code _} in its name and keys keep their case, so
 * each key has exactly one variable. The value is what would stand behind the key's colon.
 */
final class ConfigVariables {
    static final String PREFIX = "PHOTON_CONFIG_";

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9]+(_[A-Za-z0-9]+)*");
    private static final int SHOWN_MAX = 100;

    /** Their values may be meant to hold a secret, though none is allowed there. */
    private static final Set<String> NEVER_SHOWN =
            Set.of("hadoop", "adapter", "adapter.options", "adapter.command");

    /** A key, with the value that it is set to. */
    record Variable(String name, String key, JsonNode value) {}

    private final Map<String, Variable> byKey;

    /** Keys that the variables have added on the way to theirs, though the file lacks them. */
    private final Set<String> made = new TreeSet<>();

    private ConfigVariables(Map<String, Variable> byKey) {
        this.byKey = byKey;
    }

    /**
     * Those variables of an environment that set keys.
     *
     * @throws ConfigException that names each variable that does not
     */
    static ConfigVariables of(Map<String, String> environment) {
        Map<String, Variable> byKey = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        new TreeMap<>(environment)
                .forEach(
                        (name, text) -> {
                            if (name.startsWith(PREFIX)) {
                                try {
                                    Variable variable = variable(name, text);
                                    byKey.put(variable.key, variable);
                                } catch (ConfigException e) {
                                    problems.addAll(e.problems());
                                }
                            }
                        });
        ConfigVariables all = new ConfigVariables(byKey);
        all.refuseOverlaps(problems);
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return all;
    }

    private static Variable variable(String name, String text) {
        String rest = name.substring(PREFIX.length());
        if (!KEY.matcher(rest).matches()) {
            throw new ConfigException(
                    "%s names no key: expected %s and the key with '_' for each '.', such as %slimits_publishEvery"
                            .formatted(name, PREFIX, PREFIX));
        }
        String key = rest.replace('_', '.');
        if (text.isBlank()) {
            throw new ConfigException(
                    "%s is empty: expected a value for %s, or no such variable"
                            .formatted(name, key));
        }
        try {
            JsonNode value = YamlText.read(text).tree();
            if (value.isMissingNode()) {
                throw new ConfigException(
                        "holds only a comment. Put a text that begins with # into quotes");
            }
            return new Variable(name, key, value);
        } catch (ConfigException e) {
            throw new ConfigException(
                    "%s%s: expected what would stand behind '%s:' in the file, as YAML, but it %s"
                            .formatted(name, shown(key, text), lastPart(key), e.getMessage()));
        }
    }

    private static String shown(String key, String text) {
        if (NEVER_SHOWN.contains(key) || key.startsWith("hadoop.")) {
            return "";
        }
        String cut = text.length() > SHOWN_MAX ? text.substring(0, SHOWN_MAX) + "..." : text;
        return " is '" + cut + "'";
    }

    private static String lastPart(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }

    private void refuseOverlaps(List<String> problems) {
        for (Variable outer : byKey.values()) {
            for (Variable inner : byKey.values()) {
                if (isBelow(inner.key, outer.key)) {
                    problems.add(
                            "%s and %s both set %s: expected one of them"
                                    .formatted(outer.name, inner.name, inner.key));
                }
            }
        }
    }

    private static boolean isBelow(String key, String mapping) {
        return key.startsWith(mapping + ".") || key.startsWith(mapping + "[");
    }

    boolean isEmpty() {
        return byKey.isEmpty();
    }

    Collection<String> names() {
        return byKey.values().stream().map(Variable::name).toList();
    }

    /** The variable that sets the key, or a mapping or list around it. */
    Optional<Variable> setterOf(String key) {
        return byKey.values().stream()
                .filter(variable -> variable.key.equals(key) || isBelow(key, variable.key))
                .findFirst();
    }

    /** A variable that sets something below the key, where the file does not have the key. */
    Optional<Variable> madeBy(String key) {
        return byKey.values().stream()
                .filter(variable -> made.contains(key) && isBelow(variable.key, key))
                .findFirst();
    }

    /**
     * The tree with these keys set; the tree itself is not changed.
     *
     * @param file as messages name it
     * @throws ConfigException if a key lies in what is no mapping
     */
    JsonNode over(JsonNode tree, String file) {
        if (byKey.isEmpty()) {
            return tree;
        }
        boolean nothing = tree.isMissingNode() || tree.isNull();
        if (!nothing && !tree.isObject()) {
            return tree; // Refused as it is.
        }
        ObjectNode root = nothing ? JsonNodeFactory.instance.objectNode() : tree.deepCopy();
        List<String> problems = new ArrayList<>();
        byKey.values().forEach(variable -> set(variable, root, file, problems));
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return root;
    }

    private void set(Variable variable, ObjectNode root, String file, List<String> problems) {
        String[] parts = variable.key.split("\\.", -1);
        ObjectNode at = root;
        String path = "";
        for (int i = 0; i < parts.length - 1; i++) {
            path = path.isEmpty() ? parts[i] : path + "." + parts[i];
            JsonNode next = at.path(parts[i]);
            if (next.isMissingNode() || next.isNull()) {
                made.add(path);
                next = at.putObject(parts[i]);
            }
            if (!(next instanceof ObjectNode mapping)) {
                problems.add(
                        "%s: in %s, %s is %s: expected %s%s to hold all of it, as YAML"
                                .formatted(
                                        variable.name,
                                        file,
                                        path,
                                        next.isArray() ? "a list" : "no mapping",
                                        PREFIX,
                                        path.replace('.', '_')));
                return;
            }
            at = mapping;
        }
        at.set(parts[parts.length - 1], variable.value);
    }
}
