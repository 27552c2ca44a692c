package photon.storage.format;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;

/**
 * The settings behind {@link IdentityFingerprint}, as their configuration writes them: so that a
 * change of them can be told.
 */
public final class IdentitySettings {
    private static final String ABSENT = "not set";

    private IdentitySettings() {}

    /** By key of the configuration, such as {@code foreign.id}. */
    public static Map<String, String> of(PipelineConfig config) {
        Map<String, String> settings = new LinkedHashMap<>();
        stream(settings, "primary", config.primary());
        stream(settings, "foreign", config.foreign());
        return settings;
    }

    /** What was changed, a sentence each; empty: nothing that is known. */
    public static List<String> differences(Map<String, String> was, Map<String, String> is) {
        Set<String> keys = new LinkedHashSet<>(is.keySet());
        keys.addAll(was.keySet());
        List<String> differences = new ArrayList<>();
        for (String key : keys) {
            String before = was.getOrDefault(key, ABSENT);
            String now = is.getOrDefault(key, ABSENT);
            if (!before.equals(now)) {
                differences.add(
                        "%s was %s and is now %s; %s"
                                .formatted(
                                        key,
                                        before,
                                        now,
                                        key.startsWith("foreign")
                                                ? "events already joined would be joined again"
                                                : "foreign events would meet other primary events than before"));
            }
        }
        return differences;
    }

    private static void stream(Map<String, String> settings, String name, StreamConfig stream) {
        List<String> fields = new ArrayList<>();
        if (stream.id() instanceof IdConfig.User user) {
            settings.put(name + ".id", user.from().toString());
            fields.addAll(user.from());
            stream.timestamp()
                    .ifPresent(
                            timestamp -> {
                                settings.put(name + ".timestamp", text(timestamp));
                                fields.add(timestamp.field());
                            });
        } else if (stream.id() instanceof IdConfig.NativeFields id) {
            settings.put(
                    name + ".id",
                    "{server: %s, process: %s, timestamp: %s}"
                            .formatted(id.server(), id.process(), id.timestamp()));
            fields.addAll(List.of(id.server(), id.process(), id.timestamp()));
        } else {
            settings.put(name + ".id", "native");
        }
        if (stream.format() instanceof FormatConfig.Csv csv && !csv.header()) {
            settings.put(name + ".format.columns", places(csv.columns(), fields));
        }
    }

    /** Without a header the place is what a name means. */
    private static String places(List<String> columns, List<String> fields) {
        List<String> places = new ArrayList<>();
        for (String field : new LinkedHashSet<>(fields)) {
            int place = columns.indexOf(field);
            places.add(place < 0 ? field : "%s as column %d".formatted(field, place + 1));
        }
        return places.toString();
    }

    private static String text(TimestampConfig timestamp) {
        if (timestamp instanceof TimestampConfig.Pattern pattern) {
            return "{field: %s, pattern: \"%s\", zone: %s}"
                    .formatted(pattern.field(), pattern.pattern(), pattern.zone().getId());
        }
        TimestampConfig.Numeric numeric = (TimestampConfig.Numeric) timestamp;
        return "{field: %s, unit: %s}"
                .formatted(numeric.field(), numeric.unit().name().toLowerCase(Locale.ROOT));
    }
}
