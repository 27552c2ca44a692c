package photon.core.event;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import photon.core.id.EventId;
import photon.proto.v1.Event;

/**
 * One event of an input log.
 *
 * @param id its identity (for a primary event of a user's own id: the hash and its own timestamp)
 * @param key the length-prefixed encoding of its id fields, or the packed id where it is native
 * @param idText for people: the id fields joined by ':'
 * @param primaryKey foreign events: the key of the primary event it refers to; primary events:
 *     empty
 * @param primaryIdText foreign events: the same for people; primary events: empty
 * @param json the record's fields, one JSON object, UTF-8
 */
public record LogEvent(
        EventId id,
        ByteString key,
        String idText,
        ByteString primaryKey,
        String primaryIdText,
        ByteString json) {

    public Event toProto() {
        return Event.newBuilder()
                .setId(UnsafeByteOperations.unsafeWrap(id.toBytes()))
                .setKey(key)
                .setIdText(idText)
                .setPrimaryKey(primaryKey)
                .setPrimaryIdText(primaryIdText)
                .setJson(json)
                .build();
    }

    public static LogEvent fromProto(Event event) {
        return new LogEvent(
                EventId.read(event.getId()),
                event.getKey(),
                event.getIdText(),
                event.getPrimaryKey(),
                event.getPrimaryIdText(),
                event.getJson());
    }

    /** Rough size in memory, bytes: what bounds on held events count. */
    public int weight() {
        return 200
                + key.size()
                + 2 * idText.length()
                + primaryKey.size()
                + 2 * primaryIdText.length()
                + json.size();
    }
}
