package photon.core.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import photon.core.config.EffectiveConfig.Origin;

/** Writes a configuration as one JSON document. */
public final class EffectiveJson {
    private EffectiveJson() {}

    /**
     * Ends with a line feed.
     *
     * @param origins whether it says where each key has its value from
     */
    public static String of(EffectiveConfig config, boolean origins) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("file", config.file().toString());
        root.set("configuration", config.tree());
        if (origins) {
            mapping(config, config.tree(), "", root.putArray("origins"));
        }
        return root.toPrettyString() + "\n";
    }

    private static void mapping(
            EffectiveConfig config, JsonNode mapping, String path, ArrayNode origins) {
        for (Map.Entry<String, JsonNode> each : mapping.properties()) {
            String key = path.isEmpty() ? each.getKey() : path + "." + each.getKey();
            JsonNode value = each.getValue();
            if (value.isObject() && !value.isEmpty()) {
                mapping(config, value, key, origins);
            } else if (EffectiveYaml.isListOfMappings(value)) {
                for (int i = 0; i < value.size(); i++) {
                    mapping(config, value.get(i), key + "[" + i + "]", origins);
                }
            } else {
                tell(config.originOf(key), origins.addObject().put("key", key));
            }
        }
    }

    private static void tell(Origin origin, ObjectNode into) {
        if (origin instanceof Origin.InFile inFile) {
            into.put("origin", "file").put("line", inFile.line());
        } else if (origin instanceof Origin.InVariable variable) {
            into.put("origin", "variable").put("variable", variable.name());
        } else {
            into.put("origin", "default");
        }
    }
}
