package photon.core.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Reads a stream's {@code id} or {@code primaryId}. */
final class IdReader {
    private IdReader() {}

    static Optional<IdConfig> read(ConfigNode stream, String key, FormatConfig format) {
        String expected =
                "{from: [field, ...]}, {server: field, process: field, timestamp: field}, or native (framed only)";
        if (stream.has(key) && "native".equals(nativeText(stream, key))) {
            if (!(format instanceof FormatConfig.Framed)) {
                stream.problem(
                        key, "a native id only with format {type: framed}; else " + expected);
            }
            return Optional.of(new IdConfig.Native());
        }
        Optional<ConfigNode> found = stream.child(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ConfigNode node = found.get();
        if (node.has("server") || node.has("process")) {
            return Optional.of(
                    new IdConfig.NativeFields(
                            Objects.requireNonNullElse(
                                    node.text("server", null, "the address's field"), ""),
                            Objects.requireNonNullElse(
                                    node.text("process", null, "the process id's field"), ""),
                            Objects.requireNonNullElse(
                                    node.text(
                                            "timestamp",
                                            null,
                                            "the timestamp's field, microseconds"),
                                    "")));
        }
        List<String> from = node.texts("from", "one or more fields");
        if (new LinkedHashSet<>(from).size() != from.size()) {
            node.problem("from", "each field once");
        }
        return Optional.of(new IdConfig.User(from));
    }

    private static String nativeText(ConfigNode stream, String key) {
        return stream.isText(key) ? Objects.requireNonNullElse(stream.text(key, "", ""), "") : "";
    }
}
