package photon.core.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Reads a stream's {@code format}. */
final class FormatReader {
    private FormatReader() {}

    static FormatConfig read(ConfigNode stream) {
        String types = "{type: csv}, {type: json-lines}, {type: avro} or {type: framed}";
        Optional<ConfigNode> found = stream.child("format");
        if (found.isEmpty()) {
            if (!stream.has("format")) {
                stream.problem("format", types);
            }
            return new FormatConfig.JsonLines();
        }
        ConfigNode node = found.get();
        String type = node.text("type", null, "csv, json-lines, avro or framed");
        if ("csv".equals(type)) {
            boolean header = node.flag("header", !node.has("columns"));
            String separator = node.text("separator", ",", "one character");
            if (separator != null && (separator.length() != 1 || "\"\r\n".contains(separator))) {
                node.problem("separator", "one character, such as \",\" or \"\\t\", but no quote");
                separator = ",";
            }
            List<String> columns = List.of();
            if (node.has("columns")) {
                columns = node.texts("columns", "the names of the columns, in order");
                if (header) {
                    node.problem("columns", "no columns beside header: true, which names them");
                }
                if (new LinkedHashSet<>(columns).size() != columns.size()) {
                    node.problem("columns", "each name once");
                }
            } else if (!header) {
                node.problem("columns", "the names of the columns, as there is no header");
            }
            String comment =
                    node.has("comment") ? node.text("comment", "", "a prefix, such as \"#\"") : "";
            return new FormatConfig.Csv(
                    header,
                    separator == null ? ',' : separator.charAt(0),
                    columns,
                    comment == null ? "" : comment);
        }
        if ("framed".equals(type)) {
            return new FormatConfig.Framed();
        }
        if ("avro".equals(type)) {
            return new FormatConfig.Avro();
        }
        if (type != null && !"json-lines".equals(type)) {
            node.problem("type", "csv, json-lines, avro or framed");
        }
        return new FormatConfig.JsonLines();
    }
}
