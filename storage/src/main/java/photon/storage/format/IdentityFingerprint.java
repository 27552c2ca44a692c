package photon.storage.format;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.List;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;

/**
 * Hash of the settings that decide which id an event gets: id fields and their order, timestamp
 * field, unit, pattern, zone, and for columns without a header their places, of both streams. With
 * other settings every event would be joined a second time (docs/protocol.md section 1).
 */
public final class IdentityFingerprint {
    private static final String VERSION = "photon-identity-1";

    private IdentityFingerprint() {}

    /** SHA-256, hex. Stable: it is compared with what earlier versions stored. */
    public static String of(PipelineConfig config) {
        StringBuilder text = new StringBuilder();
        put(text, VERSION);
        stream(text, "primary", config.primary());
        stream(text, "foreign", config.foreign());
        return Hashing.sha256().hashString(text, StandardCharsets.UTF_8).toString();
    }

    private static void stream(StringBuilder text, String name, StreamConfig stream) {
        put(text, name);
        if (stream.id() instanceof IdConfig.User user) {
            put(text, "user");
            fields(text, stream, user.from());
            stream.timestamp().ifPresent(timestamp -> timestamp(text, stream, timestamp));
        } else if (stream.id() instanceof IdConfig.NativeFields id) {
            put(text, "native-fields");
            fields(text, stream, List.of(id.server(), id.process(), id.timestamp()));
        } else {
            put(text, "native");
        }
    }

    private static void timestamp(
            StringBuilder text, StreamConfig stream, TimestampConfig timestamp) {
        fields(text, stream, List.of(timestamp.field()));
        if (timestamp instanceof TimestampConfig.Numeric numeric) {
            put(text, "numeric");
            put(text, numeric.unit().name());
        } else if (timestamp instanceof TimestampConfig.Pattern pattern) {
            put(text, "pattern");
            put(text, pattern.pattern());
            put(text, pattern.zone().getId());
        }
    }

    private static void fields(StringBuilder text, StreamConfig stream, List<String> names) {
        put(text, Integer.toString(names.size()));
        for (String name : names) {
            put(text, name);
            if (stream.format() instanceof FormatConfig.Csv csv && !csv.header()) {
                put(text, "at " + csv.columns().indexOf(name));
            }
        }
    }

    /** Length first, so that no two lists of values read alike. */
    private static void put(StringBuilder text, String value) {
        text.append(value.length()).append(':').append(value).append('\n');
    }
}
