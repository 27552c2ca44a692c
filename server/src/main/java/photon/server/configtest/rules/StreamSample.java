package photon.server.configtest.rules;

import java.util.ArrayList;
import java.util.List;
import photon.core.config.IdConfig;
import photon.core.config.StreamConfig;
import photon.core.event.LogEvent;

/**
 * What was read of the head of one stream's files.
 *
 * @param name {@code primary} or {@code foreign}
 * @param files that match, each once
 * @param events in the order in which they were read, by turns over the files
 * @param leftOut records that are none by the configuration: filtered out, comments, headers, empty
 *     lines
 * @param troubles files that cannot be read on
 * @param halfWritten files whose last record is not whole yet
 * @param atEnd every file was read to its end
 */
public record StreamSample(
        String name,
        StreamConfig stream,
        List<GlobMatch> globs,
        int files,
        List<LogEvent> events,
        long leftOut,
        BadRecordReasons bad,
        List<FileTrouble> troubles,
        List<HalfWritten> halfWritten,
        boolean atEnd) {
    public StreamSample {
        globs = List.copyOf(globs);
        events = List.copyOf(events);
        troubles = List.copyOf(troubles);
        halfWritten = List.copyOf(halfWritten);
    }

    /**
     * One glob.
     *
     * @param directory in which all that it can match lies
     * @param neighbours some of what stands in the directory
     */
    public record GlobMatch(
            String pattern,
            int files,
            String directory,
            boolean directoryMissing,
            List<String> neighbours) {
        public GlobMatch {
            neighbours = List.copyOf(neighbours);
        }
    }

    /** A file that cannot be read on. */
    public record FileTrouble(String path, String reason) {}

    /**
     * A file that ends within a record, or within a compressed stream.
     *
     * @param bytes of the last record that were read; may be 0 in a compressed file
     */
    public record HalfWritten(String path, long bytes) {}

    public long records() {
        return events.size() + leftOut + bad.count();
    }

    /** Fields that the id is made of; empty if it is native. */
    public List<String> idFields() {
        return fields(stream.id());
    }

    /** Fields that the primary event's id is made of; empty if it is native, or of a primary. */
    public List<String> primaryIdFields() {
        return stream.primaryId().map(StreamSample::fields).orElse(List.of());
    }

    /** The event's key as people read it: what a foreign event names, or the primary event is. */
    public String keyText(LogEvent event) {
        return stream.primaryId().isPresent() ? event.primaryIdText() : event.idText();
    }

    /** The key of the configuration that says where that stands. */
    public String keyPath() {
        return stream.primaryId().isPresent() ? name + ".primaryId" : name + ".id";
    }

    /** From the first to the last event, as people read it; empty: there is no event. */
    public String dates() {
        return events.isEmpty() ? "" : Dates.span(Dates.micros(this));
    }

    /** The first different ones. */
    public List<String> ids(int max) {
        return events.stream().map(LogEvent::idText).distinct().limit(max).toList();
    }

    /** The first different ones. */
    public List<String> keys(int max) {
        return events.stream().map(this::keyText).distinct().limit(max).toList();
    }

    private static List<String> fields(IdConfig id) {
        return id instanceof IdConfig.User user ? user.from() : List.of();
    }

    /** Where the configuration names this field, such as {@code primary.id.from}. */
    List<String> keysNaming(String field) {
        List<String> keys = new ArrayList<>();
        if (names(stream.id(), field)) {
            keys.add(name + ".id");
        }
        if (stream.timestamp().filter(t -> t.field().equals(field)).isPresent()) {
            keys.add(name + ".timestamp.field");
        }
        if (stream.primaryId().filter(id -> names(id, field)).isPresent()) {
            keys.add(name + ".primaryId");
        }
        if (stream.where().containsKey(field)) {
            keys.add(name + ".where");
        }
        if (stream.whereNot().containsKey(field)) {
            keys.add(name + ".whereNot");
        }
        return keys;
    }

    private static boolean names(IdConfig id, String field) {
        if (id instanceof IdConfig.NativeFields fields) {
            return List.of(fields.server(), fields.process(), fields.timestamp()).contains(field);
        }
        return fields(id).contains(field);
    }
}
