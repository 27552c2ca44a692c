package photon.storage.format;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.StreamConfig;
import photon.core.error.ConfigException;
import photon.core.event.LogEvent;
import photon.core.id.EventId;

/** From a record's fields to an event: filters first, then identity. Immutable. */
final class EventRules {
    /**
     * Larger ones could not be sent, and would stop all that come after them: escapes make JSON of
     * a record up to six times as long.
     */
    private static final int EVENT_BYTES_MAX = 16 << 20;

    private final List<String> fieldNames;
    private final List<Filter> filters;
    private final IdRule id;
    private final @Nullable TimestampRule timestamp;
    private final @Nullable IdRule primaryId;

    /**
     * A field without a value matches nothing: {@code where} drops it, {@code whereNot} keeps it.
     */
    private record Filter(int field, Set<String> values, boolean keepMatches) {
        boolean keeps(@Nullable String text) {
            return (text != null && values.contains(text)) == keepMatches;
        }
    }

    private EventRules(
            List<String> fieldNames,
            List<Filter> filters,
            IdRule id,
            @Nullable TimestampRule timestamp,
            @Nullable IdRule primaryId) {
        this.fieldNames = fieldNames;
        this.filters = filters;
        this.id = id;
        this.timestamp = timestamp;
        this.primaryId = primaryId;
    }

    static EventRules of(StreamConfig stream) {
        List<String> problems = new ArrayList<>();
        boolean framed = stream.format() instanceof FormatConfig.Framed;
        if (stream.id() instanceof IdConfig.User && stream.timestamp().isEmpty()) {
            problems.add(
                    "Expected a timestamp beside an id of one's own fields, but there is none");
        }
        if (!framed && stream.id() instanceof IdConfig.Native) {
            problems.add("Expected id: native only with the format framed");
        }
        if (!framed && stream.primaryId().orElse(null) instanceof IdConfig.Native) {
            problems.add("Expected primaryId: native only with the format framed");
        }
        if (stream.id() instanceof IdConfig.User user && user.from().isEmpty()) {
            problems.add("Expected one field or more in id.from, but it is empty");
        }
        if (stream.primaryId().orElse(null) instanceof IdConfig.User user
                && user.from().isEmpty()) {
            problems.add("Expected one field or more in primaryId.from, but it is empty");
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        List<String> names = new ArrayList<>();
        List<Filter> filters = new ArrayList<>();
        addFilters(stream.where(), true, names, filters);
        addFilters(stream.whereNot(), false, names, filters);
        IdRule id = IdRule.of(stream.id(), false, field -> indexOf(names, field));
        boolean timed = stream.id() instanceof IdConfig.User;
        TimestampRule timestamp =
                stream.timestamp()
                        .filter(config -> timed)
                        .map(config -> TimestampRule.of(config, indexOf(names, config.field())))
                        .orElse(null);
        IdRule primaryId =
                stream.primaryId()
                        .map(config -> IdRule.of(config, true, field -> indexOf(names, field)))
                        .orElse(null);
        return new EventRules(List.copyOf(names), filters, id, timestamp, primaryId);
    }

    /** The fields that the rules ask for. */
    List<String> fieldNames() {
        return fieldNames;
    }

    Parsed judge(RecordFields fields) {
        try {
            for (Filter filter : filters) {
                if (!filter.keeps(fields.text(filter.field()))) {
                    return Parsed.FILTERED;
                }
            }
            LogEvent event = event(fields);
            if (event.weight() > EVENT_BYTES_MAX) {
                throw new BadRecordException(
                        "Expected an event of at most %s bytes in all, but it has %s"
                                .formatted(EVENT_BYTES_MAX, event.weight()));
            }
            return new Parsed.Event(event);
        } catch (BadRecordException e) {
            return e.bad();
        }
    }

    private LogEvent event(RecordFields fields) throws BadRecordException {
        IdRule.Identity identity = id.read(fields);
        EventId eventId = identity.nativeId();
        if (identity.userKey() != null && timestamp != null) {
            eventId = EventId.ofUser(timestamp.micros(fields), identity.userKey());
        }
        if (eventId == null) {
            throw new BadRecordException("Expected an id, but the record has none");
        }
        if (primaryId == null) {
            return new LogEvent(
                    eventId, identity.key(), identity.text(), ByteString.EMPTY, "", fields.json());
        }
        IdRule.Identity primary = primaryId.read(fields);
        return new LogEvent(
                eventId,
                identity.key(),
                identity.text(),
                primary.key(),
                primary.text(),
                fields.json());
    }

    private static void addFilters(
            Map<String, List<String>> config,
            boolean keepMatches,
            List<String> names,
            List<Filter> filters) {
        config.forEach(
                (field, values) ->
                        filters.add(
                                new Filter(
                                        indexOf(names, field), Set.copyOf(values), keepMatches)));
    }

    /** Place of the name in the list, which gets it if it is new. */
    private static int indexOf(List<String> names, String name) {
        if (!names.contains(name)) {
            names.add(name);
        }
        return names.indexOf(name);
    }
}
