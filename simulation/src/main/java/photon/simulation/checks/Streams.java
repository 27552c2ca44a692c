package photon.simulation.checks;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.id.EventId;
import photon.core.id.UserKey;

/** How the input of every world is written: JSON lines with ids of two user fields. */
public final class Streams {
    static final String KEPT = "click";
    static final String DROPPED = "robot";

    /** The field of a foreign event that tells the adapter what to make of it. */
    public static final String EMIT = "emit";

    /** The field that names the primary event. */
    public static final String QUERY = "query";

    private Streams() {}

    /**
     * @param paths globs, absolute
     */
    public static StreamConfig primary(List<String> paths) {
        return new StreamConfig(
                paths,
                new FormatConfig.JsonLines(),
                Map.of(),
                Map.of(),
                new IdConfig.User(List.of(QUERY)),
                Optional.of(new TimestampConfig.Numeric("at", TimestampConfig.Unit.MICROS)),
                Optional.empty());
    }

    /**
     * @param paths globs, absolute
     */
    public static StreamConfig foreign(List<String> paths) {
        return new StreamConfig(
                paths,
                new FormatConfig.JsonLines(),
                Map.of("kind", List.of(KEPT)),
                Map.of(),
                new IdConfig.User(List.of("user", "click")),
                Optional.of(new TimestampConfig.Numeric("at", TimestampConfig.Unit.MICROS)),
                Optional.of(new IdConfig.User(List.of(QUERY))));
    }

    /** A foreign event's id fields and timestamp. */
    record ForeignKey(String user, String click, long micros) {
        EventId id() {
            return EventId.ofUser(micros, UserKey.of(List.of(user, click)));
        }

        String text() {
            return user + ":" + click;
        }

        String line(String kind, String query, int version, String padding, Emission emission) {
            return "{\"kind\":\"%s\",\"user\":\"%s\",\"click\":\"%s\",\"at\":%d,\"query\":\"%s\",\"version\":%d,\"padding\":\"%s\"%s}"
                    .formatted(
                            kind,
                            user,
                            click,
                            micros,
                            query,
                            version,
                            padding,
                            emission.text()
                                    .map(text -> ",\"%s\":\"%s\"".formatted(EMIT, text))
                                    .orElse(""));
        }
    }

    static String primaryLine(String query, long micros, int version, String padding) {
        return "{\"query\":\"%s\",\"at\":%d,\"version\":%d,\"padding\":\"%s\"}"
                .formatted(query, micros, version, padding);
    }

    /** As it writes an event whose primary event has not come. */
    static String unmatched(ForeignKey key, String query, String foreign) {
        return "{\"id\": \"%s\", \"primaryId\": \"%s\", \"timestampMicros\": %d, \"foreign\": %s, \"primary\": null, \"unmatched\": true}"
                .formatted(key.text(), query, key.micros(), foreign);
    }

    /** As it writes a pair whose event it has written without the primary event before. */
    static String upgraded(String pair) {
        return pair.substring(0, pair.length() - 1) + ", \"upgrade\": true}";
    }

    /** As the built-in adapter writes a pair; written anew here, so that both must agree. */
    static String joined(ForeignKey key, String query, String foreign, String primary) {
        return "{\"id\": \"%s\", \"primaryId\": \"%s\", \"timestampMicros\": %d, \"foreign\": %s, \"primary\": %s}"
                .formatted(key.text(), query, key.micros(), foreign, primary);
    }
}
