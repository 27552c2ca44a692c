package photon.core.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import photon.core.config.EffectiveConfig.Origin;

/** Writes a configuration as YAML, a key per line. */
public final class EffectiveYaml {
    /** What every reader of YAML takes for a text as it is; words for truth values are not. */
    private static final Pattern PLAIN =
            Pattern.compile("[A-Za-z_][A-Za-z0-9_./-]*|\\d+(ms|s|m|h|d|B|KiB|MiB|GiB)");

    private static final Set<String> WORDS =
            Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");

    private final StringBuilder text = new StringBuilder();
    private final Function<String, String> comment;

    private EffectiveYaml(Function<String, String> comment) {
        this.comment = comment;
    }

    /**
     * @param origins whether a comment says where each key has its value from
     */
    public static String of(EffectiveConfig config, boolean origins) {
        EffectiveYaml yaml =
                new EffectiveYaml(
                        key -> origins ? "  # " + text(config, config.originOf(key)) : "");
        yaml.mapping(config.tree(), "", "");
        return yaml.text.toString();
    }

    private static String text(EffectiveConfig config, Origin origin) {
        if (origin instanceof Origin.InFile inFile) {
            return config.file() + ":" + inFile.line();
        }
        return origin instanceof Origin.InVariable variable ? variable.name() : "default";
    }

    private void mapping(JsonNode mapping, String path, String indent) {
        // The first key of a list's element stands behind its hyphen.
        String rest = indent.replace('-', ' ');
        String before = indent;
        for (Map.Entry<String, JsonNode> each : mapping.properties()) {
            String key = path.isEmpty() ? each.getKey() : path + "." + each.getKey();
            text.append(before).append(scalar(each.getKey())).append(':');
            value(each.getValue(), key, rest);
            before = rest;
        }
    }

    private void value(JsonNode value, String key, String indent) {
        String inner = indent + "  ";
        if (value.isObject() && !value.isEmpty()) {
            text.append('\n');
            mapping(value, key, inner);
        } else if (isListOfMappings(value)) {
            text.append('\n');
            for (int i = 0; i < value.size(); i++) {
                mapping(value.get(i), key + "[" + i + "]", inner + "- ");
            }
        } else {
            text.append(' ').append(flow(value)).append(comment.apply(key)).append('\n');
        }
    }

    static boolean isListOfMappings(JsonNode value) {
        return value.isArray()
                && !value.isEmpty()
                && StreamSupport.stream(value.spliterator(), false)
                        .allMatch(element -> element.isObject() && !element.isEmpty());
    }

    private static String flow(JsonNode value) {
        if (value.isArray()) {
            return StreamSupport.stream(value.spliterator(), false)
                    .map(EffectiveYaml::flow)
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        return value.isTextual() ? scalar(value.asText()) : value.toString();
    }

    private static String scalar(String value) {
        return PLAIN.matcher(value).matches() && !WORDS.contains(value.toLowerCase(Locale.ROOT))
                ? value
                : TextNode.valueOf(value).toString();
    }
}
