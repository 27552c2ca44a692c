package photon.storage.output.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.core.config.OutputConfig;
import photon.core.config.OutputConfig.Compression;
import photon.core.config.OutputConfig.Field;
import photon.core.config.OutputConfig.FieldType;
import photon.core.config.OutputConfig.Format;

/**
 * The formats of one output directory: each output's, by its name. Made from a configuration or
 * from the text that a work log keeps. Thread-safe.
 */
public final class OutputFormats {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final OutputFormat main;
    private final Map<String, OutputFormat> named;
    private final String description;
    private final boolean primaryIds;

    private OutputFormats(OutputFormat main, Map<String, OutputFormat> named, String description) {
        this.main = main;
        this.named = Map.copyOf(named);
        this.description = description;
        this.primaryIds =
                main.needsPrimaryId()
                        || named.values().stream().anyMatch(OutputFormat::needsPrimaryId);
    }

    public static OutputFormats of(OutputConfig config) {
        Map<String, OutputFormat> named = new TreeMap<>();
        config.named().forEach((name, each) -> named.put(name, format(each)));
        return new OutputFormats(format(config), named, description(config));
    }

    private static OutputFormat format(OutputConfig config) {
        return switch (config.format()) {
            case JSON_LINES -> new JsonLinesFormat(config.compression());
            case AVRO -> new AvroFiles(config);
            case PARQUET -> new ParquetFiles(config);
            case FRAMED -> new FramedFiles(config.compression());
        };
    }

    /**
     * @param description as {@link #description} gives it
     * @throws IOException if this version does not know it
     */
    public static OutputFormats described(String description) throws IOException {
        if (description.isEmpty()) {
            return of(OutputConfig.DEFAULTS);
        }
        try {
            JsonNode node = JSON.readTree(description);
            OutputConfig main = config(node);
            Map<String, OutputConfig> named = new TreeMap<>();
            for (Map.Entry<String, JsonNode> each : node.path("named").properties()) {
                named.put(each.getKey(), config(each.getValue()));
            }
            return of(new OutputConfig(main.format(), main.compression(), main.fields(), named));
        } catch (JsonProcessingException | NoSuchElementException e) {
            throw new IOException(
                    "Expected the description of an output format, but got " + description, e);
        }
    }

    /** The names of outputs that have a format of their own. */
    public Set<String> named() {
        return named.keySet();
    }

    /**
     * Describes these formats for {@link #described}. A work log keeps it, so that anyone who
     * publishes the log later writes the same, also under a changed configuration. Empty: plain
     * JSON lines, so that such work logs stay as they were.
     */
    public String description() {
        return description;
    }

    /**
     * @param output its name; empty: the main output
     */
    public OutputFormat of(String output) {
        return named.getOrDefault(output, main);
    }

    /** Why this event cannot be written to that output; null: it can. */
    public @Nullable String refusal(String output, ByteString event) {
        return of(output).refusal(event);
    }

    /** True: some output needs the ids of primary events. */
    public boolean needPrimaryIds() {
        return primaryIds;
    }

    private static OutputConfig config(JsonNode node) {
        List<Field> fields = new ArrayList<>();
        for (JsonNode field : node.path("fields")) {
            fields.add(
                    new Field(
                            field.path("name").asText(),
                            FieldType.of(field.path("type").asText()).orElseThrow(),
                            field.path("from").asText()));
        }
        return new OutputConfig(
                Format.of(node.path("format").asText()).orElseThrow(),
                Compression.of(node.path("compression").asText()).orElseThrow(),
                fields);
    }

    private static String description(OutputConfig config) {
        if (config.equals(OutputConfig.DEFAULTS)) {
            return "";
        }
        ObjectNode node = node(config);
        if (!config.named().isEmpty()) {
            ObjectNode named = node.putObject("named");
            new TreeMap<>(config.named()).forEach((name, each) -> named.set(name, node(each)));
        }
        return node.toString();
    }

    private static ObjectNode node(OutputConfig config) {
        ObjectNode node = JSON.createObjectNode();
        node.put("format", config.format().text());
        node.put("compression", config.compression().text());
        ArrayNode fields = node.putArray("fields");
        for (Field field : config.fields()) {
            fields.addObject()
                    .put("name", field.name())
                    .put("type", field.type().text())
                    .put("from", field.from());
        }
        return node;
    }
}
