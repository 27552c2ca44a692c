package photon.core.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One mapping of a configuration file while it is read. Every trouble is collected, so that a user
 * sees all of them at once, each with key, value and what would be right. What was never asked for
 * is an unknown key.
 */
final class ConfigNode {
    /** As in YAML. */
    private static final Set<String> YES = Set.of("true", "yes", "on");

    private static final Set<String> NO = Set.of("false", "no", "off");
    private static final Pattern SIZE = Pattern.compile("(\\d+)\\s*(B|KiB|MiB|GiB)");

    private final String path;
    private final JsonNode node;
    private final ConfigProblems problems;
    private final Consumer<ConfigKey> keys;
    private final Set<String> asked = new TreeSet<>();
    private final List<ConfigNode> children = new ArrayList<>();

    /** Of these children, by name: one that is asked for again knows what it was asked before. */
    private final Map<String, ConfigNode> mappings = new HashMap<>();

    private ConfigNode(
            String path, JsonNode node, ConfigProblems problems, Consumer<ConfigKey> keys) {
        this.path = path;
        this.node = node;
        this.problems = problems;
        this.keys = keys;
    }

    /**
     * @param keys hears of each key that is asked for, with what it may hold
     */
    static ConfigNode root(JsonNode node, ConfigProblems problems, Consumer<ConfigKey> keys) {
        if (!node.isObject()) {
            problems.add(
                    "",
                    "Expected a mapping of keys at the top of the file, but found "
                            + describe(node));
        }
        return new ConfigNode("", node, problems, keys);
    }

    String key(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    void problem(String name, String expected) {
        JsonNode value = node.path(name);
        problems.add(
                key(name),
                value.isMissingNode()
                        ? "%s is missing: expected %s".formatted(key(name), expected)
                        : "%s is %s: expected %s".formatted(key(name), describe(value), expected));
    }

    private static String describe(JsonNode value) {
        return value.isTextual()
                ? "'" + value.asText() + "'"
                : value.isMissingNode() ? "nothing" : value.toString();
    }

    private void ask(String name, ConfigKey.Kind kind, String values, @Nullable String otherwise) {
        asked.add(name);
        keys.accept(new ConfigKey(key(name), kind, values, Optional.ofNullable(otherwise)));
    }

    /** Whether the key has a value. One that is asked for only then has no default. */
    boolean has(String name) {
        asked.add(name);
        keys.accept(ConfigKey.optional(key(name)));
        return node.hasNonNull(name);
    }

    boolean isEmptyList(String name) {
        return node.path(name).isArray() && node.path(name).isEmpty();
    }

    boolean isText(String name) {
        return node.path(name).isTextual();
    }

    /** A mapping; empty where the key is absent. */
    Optional<ConfigNode> child(String name) {
        ask(name, ConfigKey.Kind.MAPPING, "mapping", null);
        JsonNode value = node.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isObject()) {
            problem(name, "a mapping, such as {key: value}");
            return Optional.empty();
        }
        return Optional.of(
                mappings.computeIfAbsent(
                        name,
                        same -> {
                            ConfigNode child = new ConfigNode(key(name), value, problems, keys);
                            children.add(child);
                            return child;
                        }));
    }

    /** The mappings of a list, in order. */
    List<ConfigNode> childList(String name, String expected) {
        ask(name, ConfigKey.Kind.MAPPINGS, "list of mappings", null);
        JsonNode value = node.path(name);
        List<ConfigNode> list = new ArrayList<>();
        if (!value.isArray()) {
            problem(name, expected);
            return list;
        }
        for (int i = 0; i < value.size(); i++) {
            if (!value.get(i).isObject()) {
                problem(name, expected);
                return list;
            }
            list.add(new ConfigNode(key(name) + "[" + i + "]", value.get(i), problems, keys));
        }
        children.addAll(list);
        return list;
    }

    /** A text, or a number or truth value as it was written. */
    @Nullable String text(String name, @Nullable String otherwise, String expected) {
        ask(name, ConfigKey.Kind.TEXT, expected.isEmpty() ? "text" : expected, otherwise);
        JsonNode value = node.path(name);
        if (value.isMissingNode() && otherwise != null) {
            return otherwise;
        }
        if (!value.isValueNode()
                || value.isNull()
                || value.isMissingNode()
                || value.asText().isEmpty()) {
            problem(name, expected);
            return otherwise;
        }
        return value.asText();
    }

    /** One text or a list of them. */
    List<String> texts(String name, String expected) {
        ask(name, ConfigKey.Kind.TEXTS, expected, null);
        JsonNode value = node.path(name);
        List<String> texts = textsOf(value);
        if (texts.isEmpty()) {
            problem(name, expected);
        }
        return texts;
    }

    private static List<String> textsOf(JsonNode value) {
        List<String> texts = new ArrayList<>();
        if (value.isValueNode() && !value.isNull()) {
            texts.add(value.asText());
        } else if (value.isArray()) {
            for (JsonNode element : value) {
                if (!element.isValueNode() || element.isNull()) {
                    return List.of();
                }
                texts.add(element.asText());
            }
        }
        return texts;
    }

    /** A mapping from field to the values that it may have. */
    Map<String, List<String>> valuesByField(String name) {
        ask(
                name,
                ConfigKey.Kind.TEXTS_BY_NAME,
                "mapping from a name to one value or a list of values",
                null);
        JsonNode value = node.path(name);
        Map<String, List<String>> result = new LinkedHashMap<>();
        if (value.isMissingNode() || value.isNull()) {
            return result;
        }
        if (!value.isObject()) {
            problem(name, "a mapping from field to values, such as {event_type: [\"0\"]}");
            return result;
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            List<String> texts = textsOf(field.getValue());
            if (texts.isEmpty()) {
                problems.add(
                        key(name) + "." + field.getKey(),
                        "%s.%s is %s: expected a value or a list of values"
                                .formatted(key(name), field.getKey(), describe(field.getValue())));
            }
            result.put(field.getKey(), texts);
        }
        return result;
    }

    Map<String, String> textByKey(String name) {
        Map<String, String> result = new LinkedHashMap<>();
        valuesByField(name)
                .forEach(
                        (key, values) -> {
                            if (SecretName.isOne(key)) {
                                refuseSecret(
                                        name + "." + key,
                                        "an option that names a file with it, which the adapter reads");
                            }
                            result.put(key, String.join(",", values));
                        });
        return result;
    }

    /** Without the value, which may be a secret. */
    private void refuseSecret(String name, String expected) {
        problems.add(
                key(name),
                "%s would hold a secret, and a configuration holds none: expected %s"
                        .formatted(key(name), expected));
    }

    /** The texts of this mapping that were not asked for by name, whatever they are called. */
    Map<String, String> otherTexts() {
        Map<String, String> result = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> each : node.properties()) {
            if (asked.contains(each.getKey())) {
                continue;
            }
            asked.add(each.getKey());
            if (SecretName.isOne(each.getKey())) {
                refuseSecret(
                        each.getKey(),
                        "it in core-site.xml, or in a file that hadoop.security.credential.provider.path names");
            } else if (each.getValue().isValueNode() && !each.getValue().isNull()) {
                result.put(each.getKey(), each.getValue().asText());
            } else {
                problem(each.getKey(), "a value, with the whole name of its key before it");
            }
        }
        return result;
    }

    boolean flag(String name, boolean otherwise) {
        ask(name, ConfigKey.Kind.FLAG, "true or false", String.valueOf(otherwise));
        JsonNode value = node.path(name);
        if (value.isMissingNode()) {
            return otherwise;
        }
        String text = value.asText().toLowerCase(Locale.ROOT);
        if (!YES.contains(text) && !NO.contains(text)) {
            problem(name, "true or false");
            return otherwise;
        }
        return YES.contains(text);
    }

    /**
     * @param otherwise what holds where the key is absent; out of range: it has no default
     */
    int number(String name, int otherwise, int min, int max) {
        String range = "a whole number from " + min + " to " + max;
        ask(
                name,
                ConfigKey.Kind.NUMBER,
                range,
                otherwise < min || otherwise > max ? null : String.valueOf(otherwise));
        JsonNode value = node.path(name);
        if (value.isMissingNode()) {
            return otherwise;
        }
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.asLong() < min
                || value.asLong() > max) {
            problem(name, range);
            return otherwise;
        }
        return value.asInt();
    }

    /**
     * @param otherwise what holds where the key is absent; zero: it has no default
     */
    Duration duration(String name, Duration otherwise) {
        return duration(name, otherwise, DurationText.MIN, DurationText.MAX, DurationText.EXPECTED);
    }

    Duration duration(String name, Duration otherwise, Duration min, Duration max) {
        String range = "a duration from " + DurationText.of(min) + " to " + DurationText.of(max);
        return duration(name, otherwise, min, max, range);
    }

    private Duration duration(
            String name, Duration otherwise, Duration min, Duration max, String expected) {
        ask(
                name,
                ConfigKey.Kind.DURATION,
                expected,
                otherwise.isZero() ? null : DurationText.of(otherwise));
        JsonNode value = node.path(name);
        if (value.isMissingNode()) {
            return otherwise;
        }
        Optional<Duration> duration =
                DurationText.parse(value.asText())
                        .filter(d -> d.compareTo(min) >= 0 && d.compareTo(max) <= 0);
        if (duration.isEmpty()) {
            problem(name, expected);
        }
        return duration.orElse(otherwise);
    }

    long bytes(String name, long otherwise) {
        String expected = "a size above 0, such as 64MiB";
        ask(name, ConfigKey.Kind.SIZE, expected, sizeText(otherwise));
        return measured(
                name,
                otherwise,
                expected,
                SIZE,
                m -> {
                    int shift =
                            switch (m.group(2)) {
                                case "B" -> 0;
                                case "KiB" -> 10;
                                case "MiB" -> 20;
                                default -> 30;
                            };
                    long size = Math.multiplyExact(Long.parseLong(m.group(1)), 1L << shift);
                    return size == 0 ? null : size;
                });
    }

    private static String sizeText(long bytes) {
        return bytes % (1 << 20) == 0 ? (bytes >> 20) + "MiB" : bytes + "B";
    }

    private <T> T measured(
            String name,
            T otherwise,
            String expected,
            Pattern pattern,
            Function<Matcher, @Nullable T> read) {
        JsonNode value = node.path(name);
        if (value.isMissingNode()) {
            return otherwise;
        }
        Matcher matcher = pattern.matcher(value.asText().strip());
        if (matcher.matches()) {
            try {
                T result = read.apply(matcher);
                if (result != null) {
                    return result;
                }
            } catch (ArithmeticException | NumberFormatException e) {
                // Too large: falls through to the one message.
            }
        }
        problem(name, expected);
        return otherwise;
    }

    /** To be called once all keys were asked for. */
    void refuseUnknownKeys() {
        node.fieldNames()
                .forEachRemaining(
                        name -> {
                            if (!asked.contains(name)) {
                                problems.add(
                                        key(name),
                                        "%s is not a known key%s"
                                                .formatted(
                                                        key(name), NearestName.hint(name, asked)));
                            }
                        });
        children.forEach(ConfigNode::refuseUnknownKeys);
    }
}
