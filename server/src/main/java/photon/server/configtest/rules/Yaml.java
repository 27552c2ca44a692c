package photon.server.configtest.rules;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.TimestampConfig;

/** Settings as a configuration has them, each in one line. */
public final class Yaml {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");
    private static final Set<String> WORDS =
            Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");

    private Yaml() {}

    /** A text, in quotes where YAML would take it for something else. */
    public static String text(String text) {
        if (PLAIN.matcher(text).matches() && !WORDS.contains(text.toLowerCase(Locale.ROOT))) {
            return text;
        }
        try {
            return JSON.writeValueAsString(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e); // A text always can.
        }
    }

    public static String list(List<String> texts) {
        return texts.stream().map(Yaml::text).collect(Collectors.joining(", ", "[", "]"));
    }

    /** Each in quotes, as paths are written. */
    public static String quotedList(List<String> texts) {
        return texts.stream().map(Yaml::quoted).collect(Collectors.joining(", ", "[", "]"));
    }

    public static String format(FormatConfig format) {
        if (format instanceof FormatConfig.Csv csv) {
            return "{type: csv, header: %s, separator: %s%s%s}"
                    .formatted(
                            csv.header(),
                            quoted(String.valueOf(csv.separator())),
                            csv.comment().isEmpty() ? "" : ", comment: " + quoted(csv.comment()),
                            csv.header() ? "" : ", columns: " + list(csv.columns()));
        }
        if (format instanceof FormatConfig.Avro) {
            return "{type: avro}";
        }
        return format instanceof FormatConfig.Framed ? "{type: framed}" : "{type: json-lines}";
    }

    public static String id(IdConfig id) {
        if (id instanceof IdConfig.User user) {
            return "{from: %s}".formatted(list(user.from()));
        }
        if (id instanceof IdConfig.NativeFields fields) {
            return "{server: %s, process: %s, timestamp: %s}"
                    .formatted(
                            text(fields.server()),
                            text(fields.process()),
                            text(fields.timestamp()));
        }
        return "native";
    }

    public static String timestamp(TimestampConfig timestamp) {
        if (timestamp instanceof TimestampConfig.Pattern pattern) {
            return "{field: %s, pattern: %s, zone: %s}"
                    .formatted(
                            text(pattern.field()),
                            quoted(pattern.pattern()),
                            text(pattern.zone().getId()));
        }
        TimestampConfig.Numeric numeric = (TimestampConfig.Numeric) timestamp;
        return "{field: %s, unit: %s}"
                .formatted(text(numeric.field()), numeric.unit().name().toLowerCase(Locale.ROOT));
    }

    public static String filter(Map<String, List<String>> filter) {
        return new TreeMap<>(filter)
                .entrySet().stream()
                        .map(one -> text(one.getKey()) + ": " + quotedList(one.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String quoted(String text) {
        String written = text(text);
        return written.startsWith("\"") ? written : '"' + written + '"';
    }
}
