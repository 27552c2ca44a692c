package photon.server.configtest.rules;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import photon.core.config.FormatConfig;
import photon.core.config.NearestName;
import photon.storage.format.BadCause;

/** What to write instead, where records are bad because the configuration misreads them. */
final class FieldHints {
    private static final String SEPARATORS = ";\t|,";

    private FieldHints() {}

    /** Empty: nothing is known that would be right. */
    static String of(StreamSample sample, BadCause cause) {
        List<String> heads = sample.bad().heads();
        if (!heads.isEmpty() && heads.get(0).startsWith("Obj\u0001")) {
            return "The log is an Avro container file. Write %s.format: {type: avro}"
                    .formatted(sample.name());
        }
        boolean csv = sample.stream().format() instanceof FormatConfig.Csv;
        if (csv && !heads.isEmpty() && heads.get(0).strip().startsWith("{")) {
            return "The records look like JSON. Write %s.format: {type: json-lines}"
                    .formatted(sample.name());
        }
        if (cause instanceof BadCause.NoColumn none) {
            return column(sample, none.column(), none.header());
        }
        if (cause instanceof BadCause.NoValue none && !csv) {
            Set<String> known = new LinkedHashSet<>();
            heads.forEach(head -> known.addAll(fields(head)));
            return known.isEmpty() ? "" : field(sample, none.field(), known);
        }
        if (cause instanceof BadCause.NoJson
                && sample.stream().format() instanceof FormatConfig.JsonLines) {
            return notJson(sample);
        }
        return "";
    }

    /** The column that a header lacks; empty: the reason is another one. */
    static Optional<String> missingColumn(BadCause cause) {
        return cause instanceof BadCause.NoColumn none
                ? Optional.of(none.column())
                : Optional.empty();
    }

    /** Of a frame, its JSON alone. */
    private static Set<String> fields(String head) {
        int from = head.indexOf('{');
        return from < 0 ? Set.of() : FlatRecord.of(head.substring(from)).keySet();
    }

    private static String column(StreamSample sample, String wanted, List<String> columns) {
        if (columns.stream().anyMatch(column -> column.indexOf('\0') >= 0)) {
            return "The file is UTF-16. Write the logs in UTF-8: iconv -f UTF-16 -t UTF-8 converts one";
        }
        if (columns.size() == 1) {
            for (int i = 0; i < SEPARATORS.length(); i++) {
                char separator = SEPARATORS.charAt(i);
                if (columns.get(0).indexOf(separator) >= 0) {
                    return "The header has other separators. Write %s.format: {type: csv, header: true, separator: \"%s\"}"
                            .formatted(sample.name(), separator == '\t' ? "\\t" : separator);
                }
            }
        }
        return field(sample, wanted, columns);
    }

    private static String field(StreamSample sample, String wanted, Collection<String> known) {
        if (known.contains(wanted)) {
            return "Other records have the field '%s'. Use %s.where to leave out records that are not events of this stream"
                    .formatted(wanted, sample.name());
        }
        List<String> keys = sample.keysNaming(wanted);
        String named = String.join(" and ", keys) + (keys.size() == 1 ? " names" : " name");
        Optional<String> nearest = NearestName.find(wanted, known);
        if (nearest.isEmpty()) {
            return "%s '%s'. Expected one of these fields: %s"
                    .formatted(named, wanted, String.join(", ", known));
        }
        List<String> fixes = new ArrayList<>();
        for (String key : keys) {
            fixes.add(yaml(sample, key, wanted, nearest.get()));
        }
        return "%s '%s', and the nearest field is '%s'. Write %s"
                .formatted(named, wanted, nearest.get(), String.join(" and ", fixes));
    }

    private static String yaml(StreamSample sample, String key, String wanted, String right) {
        List<String> from =
                key.endsWith(".primaryId") ? sample.primaryIdFields() : sample.idFields();
        if ((key.endsWith(".primaryId") || key.endsWith(".id")) && from.contains(wanted)) {
            List<String> corrected =
                    from.stream().map(field -> field.equals(wanted) ? right : field).toList();
            return "%s: {from: %s}".formatted(key, Yaml.list(corrected));
        }
        return key.endsWith(".field")
                ? "%s: %s".formatted(key, right)
                : "'%s' in %s".formatted(right, key);
    }

    private static String notJson(StreamSample sample) {
        List<String> heads = sample.bad().heads();
        if (heads.isEmpty() || heads.get(0).strip().startsWith("{")) {
            return "";
        }
        String first = heads.get(0).lines().findFirst().orElse("");
        return SEPARATORS.chars().anyMatch(separator -> first.indexOf(separator) >= 0)
                ? "The first line looks like CSV: '%s'. Write %s.format: {type: csv, header: true}, or with columns instead of header"
                        .formatted(
                                first.length() > 100 ? first.substring(0, 100) + "..." : first,
                                sample.name())
                : "";
    }
}
