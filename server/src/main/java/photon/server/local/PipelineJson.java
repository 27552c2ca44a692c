package photon.server.local;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import photon.core.config.DurationText;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.OutputConfig;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.registry.api.RetiredDatacenter;

/**
 * Leaves the effective settings beside the state, for the auditor and for people
 * (docs/audit/README.md).
 */
public final class PipelineJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private PipelineJson() {}

    /**
     * @param output directory of the published output, or its URI
     * @param state where it is written, as {@code pipeline.json}
     */
    public static void write(PipelineConfig config, String output, Path state) throws IOException {
        write(config, List.of(), output, state);
    }

    /**
     * The same where datacenters were retired.
     *
     * @param retired whose output counts still
     */
    static void write(
            PipelineConfig config, List<RetiredDatacenter> retired, String output, Path state)
            throws IOException {
        ObjectNode root = JSON.createObjectNode();
        root.put("pipeline", config.pipeline());
        root.set("datacenters", texts(config.datacenters()));
        root.set(
                "retiredDatacenters",
                texts(retired.stream().map(RetiredDatacenter::name).toList()));
        root.put("retention", config.retention().map(DurationText::of).orElse("unlimited"));
        root.put("stagger", DurationText.of(config.stagger()));
        config.unmatched()
                .ifPresent(
                        unmatched ->
                                root.putObject("unmatched")
                                        .put("after", DurationText.of(unmatched.after()))
                                        .put("upgrade", unmatched.upgrade()));
        root.set("primary", stream(config.primary()));
        root.set("foreign", stream(config.foreign()));
        root.putObject("adapter")
                .put("type", config.adapter().type())
                .set("jar", texts(config.adapter().jars()));
        output(config.output(), root.putObject("output"));
        root.put("outputDirectory", output);
        root.put("stateDirectory", state.toString());
        Path aside = state.resolve("pipeline.json.new");
        Files.writeString(aside, root.toPrettyString() + "\n");
        Files.move(aside, state.resolve("pipeline.json"), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void output(OutputConfig output, ObjectNode node) {
        node.put("format", output.format().text()).put("compression", output.compression().text());
        if (!output.named().isEmpty()) {
            ObjectNode named = node.putObject("named");
            new TreeMap<>(output.named())
                    .forEach((name, each) -> output(each, named.putObject(name)));
        }
    }

    private static ArrayNode texts(List<String> values) {
        ArrayNode array = JSON.createArrayNode();
        values.forEach(array::add);
        return array;
    }

    private static ObjectNode stream(StreamConfig stream) {
        ObjectNode node = JSON.createObjectNode();
        node.set("paths", texts(stream.paths()));
        node.set("format", format(stream.format()));
        node.set("where", valuesByField(stream.where()));
        node.set("whereNot", valuesByField(stream.whereNot()));
        node.set("id", id(stream.id()));
        stream.timestamp().ifPresent(timestamp -> node.set("timestamp", timestamp(timestamp)));
        stream.primaryId().ifPresent(id -> node.set("primaryId", id(id)));
        node.putObject("input")
                .put("openMembers", stream.input().openMembers().name().toLowerCase(Locale.ROOT))
                .put("finishedAfter", DurationText.of(stream.input().finishedAfter()))
                .put("listEvery", DurationText.of(stream.input().listEvery()))
                .put("backlogPercent", stream.input().backlogPercent())
                .set("exclude", texts(stream.input().exclude()));
        return node;
    }

    private static ObjectNode valuesByField(Map<String, List<String>> filter) {
        ObjectNode node = JSON.createObjectNode();
        new TreeMap<>(filter).forEach((field, values) -> node.set(field, texts(values)));
        return node;
    }

    private static ObjectNode format(FormatConfig format) {
        ObjectNode node = JSON.createObjectNode();
        if (format instanceof FormatConfig.Csv csv) {
            node.put("type", "csv");
            node.put("header", csv.header());
            node.put("separator", String.valueOf(csv.separator()));
            node.set("columns", texts(csv.columns()));
            node.put("comment", csv.comment());
        } else {
            node.put("type", type(format));
        }
        return node;
    }

    private static String type(FormatConfig format) {
        if (format instanceof FormatConfig.Avro) {
            return "avro";
        }
        return format instanceof FormatConfig.Framed ? "framed" : "json-lines";
    }

    private static ObjectNode id(IdConfig id) {
        ObjectNode node = JSON.createObjectNode();
        if (id instanceof IdConfig.User user) {
            node.set("from", texts(user.from()));
        } else if (id instanceof IdConfig.NativeFields fields) {
            node.put("server", fields.server())
                    .put("process", fields.process())
                    .put("timestamp", fields.timestamp());
        } else {
            node.put("native", true);
        }
        return node;
    }

    private static ObjectNode timestamp(TimestampConfig timestamp) {
        ObjectNode node = JSON.createObjectNode().put("field", timestamp.field());
        if (timestamp instanceof TimestampConfig.Numeric numeric) {
            node.put("unit", numeric.unit().name().toLowerCase(Locale.ROOT));
        } else if (timestamp instanceof TimestampConfig.Pattern pattern) {
            node.put("pattern", pattern.pattern()).put("zone", pattern.zone().getId());
        }
        node.put("plausible", timestamp.dates() == TimestampConfig.Dates.ANY ? "any" : "required");
        return node;
    }
}
