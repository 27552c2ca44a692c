package photon.core.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import photon.core.config.OutputConfig.Compression;
import photon.core.config.OutputConfig.Field;
import photon.core.config.OutputConfig.FieldType;
import photon.core.config.OutputConfig.Format;

/** Reads a configuration's section {@code output}. */
final class OutputReader {
    /** What Avro takes for a name, and what every engine that reads Parquet takes. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private static final String TYPES = "json-lines, avro, parquet or framed";
    private static final String COMPRESSIONS = "none, gzip, snappy or zstd";
    private static final String FIELDS =
            "the columns, such as [{name: id, type: string}, {name: campaign, type: string, from: primary.campaign}]";
    private static final String FIELD_TYPES =
            Arrays.stream(FieldType.values())
                    .map(FieldType::text)
                    .collect(Collectors.joining(", "));

    /** What adapters may call an output; it is the name of a folder. */
    private static final Pattern OUTPUT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}");

    private static final String NAMED =
            "outputs that differ from the main one, such as [{name: late, format: json-lines}]";

    private OutputReader() {}

    static OutputConfig read(ConfigNode root) {
        return root.child("output").map(OutputReader::all).orElse(OutputConfig.DEFAULTS);
    }

    private static OutputConfig all(ConfigNode node) {
        OutputConfig main = section(node);
        Map<String, OutputConfig> named = new TreeMap<>();
        if (node.has("named")) {
            for (ConfigNode each : node.childList("named", NAMED)) {
                String expected = "a name of letters, digits, '-' and '_', at most 100 of them";
                String name = Objects.requireNonNullElse(each.text("name", null, expected), "");
                OutputConfig output = section(each);
                if (!name.isEmpty() && !OUTPUT.matcher(name).matches()) {
                    each.problem("name", expected);
                } else if (!name.isEmpty() && named.put(name, output) != null) {
                    each.problem("name", "each name once");
                }
            }
        }
        return new OutputConfig(main.format(), main.compression(), main.fields(), named);
    }

    private static OutputConfig section(ConfigNode node) {
        Format format =
                Format.of(Objects.requireNonNullElse(node.text("format", "json-lines", TYPES), ""))
                        .orElseGet(
                                () -> {
                                    node.problem("format", TYPES);
                                    return Format.JSON_LINES;
                                });
        return new OutputConfig(format, compression(node, format), fields(node, format));
    }

    private static Compression compression(ConfigNode node, Format format) {
        if (!node.has("compression")) {
            return format.defaultCompression();
        }
        String text = node.text("compression", null, COMPRESSIONS);
        return Compression.of(Objects.requireNonNullElse(text, ""))
                .filter(format.compressions()::contains)
                .orElseGet(
                        () -> {
                            if (text != null) {
                                node.problem(
                                        "compression",
                                        format.compressions().stream()
                                                        .map(Compression::text)
                                                        .collect(Collectors.joining(", "))
                                                + " with format "
                                                + format.text());
                            }
                            return format.defaultCompression();
                        });
    }

    private static List<Field> fields(ConfigNode node, Format format) {
        if (!node.has("fields")) {
            if (format.hasSchema()) {
                node.problem("fields", FIELDS + ", as format " + format.text() + " has a schema");
            }
            return List.of();
        }
        List<Field> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ConfigNode each : node.childList("fields", FIELDS)) {
            Field field = field(each);
            if (!names.add(field.name())) {
                each.problem("name", "each name once");
            }
            fields.add(field);
        }
        if (!format.hasSchema()) {
            node.problem(
                    "fields",
                    "no fields with format " + format.text() + ", which writes whole events");
            return List.of();
        }
        if (fields.isEmpty()) {
            node.problem("fields", FIELDS);
        }
        return fields;
    }

    private static Field field(ConfigNode node) {
        String named = "a name of letters, digits and '_' that does not begin with a digit";
        String name = Objects.requireNonNullElse(node.text("name", null, named), "");
        if (!name.isEmpty() && !NAME.matcher(name).matches()) {
            node.problem("name", named);
        }
        String type = node.text("type", null, FIELD_TYPES);
        if (type != null && FieldType.of(type).isEmpty()) {
            node.problem("type", FIELD_TYPES);
        }
        // Without a name of its own it is the column's: a default that differs from column to
        // column.
        String from =
                node.has("from") ? node.text("from", null, "a field, such as primary.id") : name;
        return new Field(
                name,
                FieldType.of(Objects.requireNonNullElse(type, "")).orElse(FieldType.STRING),
                Objects.requireNonNullElse(from, name));
    }
}
