package photon.storage.output.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import photon.core.config.OutputConfig;
import photon.core.config.OutputConfig.Compression;
import photon.core.config.OutputConfig.Field;
import photon.core.config.OutputConfig.FieldType;
import photon.core.config.OutputConfig.Format;

/** Makes output formats, from a configuration or from the text that a work log keeps. */
public final class OutputFormats {
    private static final ObjectMapper JSON = new ObjectMapper();

    private OutputFormats() {}

    public static OutputFormat of(OutputConfig config) {
        String description = description(config);
        return switch (config.format()) {
            case JSON_LINES -> new JsonLines(config.compression(), description);
            case AVRO -> new AvroFiles(config, description);
            case PARQUET -> new ParquetFiles(config, description);
        };
    }

    /**
     * @param description as {@link OutputFormat#description} gives it
     * @throws IOException if this version does not know it
     */
    public static OutputFormat described(String description) throws IOException {
        if (description.isEmpty()) {
            return of(OutputConfig.DEFAULTS);
        }
        try {
            JsonNode node = JSON.readTree(description);
            List<Field> fields = new ArrayList<>();
            for (JsonNode field : node.path("fields")) {
                fields.add(
                        new Field(
                                field.path("name").asText(),
                                FieldType.of(field.path("type").asText()).orElseThrow(),
                                field.path("from").asText()));
            }
            return of(
                    new OutputConfig(
                            Format.of(node.path("format").asText()).orElseThrow(),
                            Compression.of(node.path("compression").asText()).orElseThrow(),
                            fields));
        } catch (JsonProcessingException | java.util.NoSuchElementException e) {
            throw new IOException(
                    "Expected the description of an output format, but got " + description, e);
        }
    }

    /** Empty: what is written without a configuration, so that such work logs stay as they were. */
    private static String description(OutputConfig config) {
        if (config.equals(OutputConfig.DEFAULTS)) {
            return "";
        }
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
        return node.toString();
    }
}
