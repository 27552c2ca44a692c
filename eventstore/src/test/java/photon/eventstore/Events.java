package photon.eventstore;

import com.google.protobuf.ByteString;
import java.util.List;
import photon.core.event.LogEvent;
import photon.core.id.EventId;
import photon.core.id.UserKey;
import photon.proto.v1.Event;

/** Primary events for tests. */
public final class Events {
    private Events() {}

    public static LogEvent logEvent(String id, long micros, String json) {
        UserKey key = UserKey.of(List.of(id));
        return new LogEvent(
                EventId.ofUser(micros, key),
                ByteString.copyFrom(key.encoded()),
                id,
                ByteString.EMPTY,
                "",
                ByteString.copyFromUtf8(json));
    }

    public static Event event(String id, String json) {
        return logEvent(id, 1_000, json).toProto();
    }

    /** One that carries its own packed id. */
    public static Event nativeEvent(EventId id, String json) {
        ByteString packed = ByteString.copyFrom(id.toBytes());
        return new LogEvent(
                        id,
                        packed,
                        id.toString(),
                        ByteString.EMPTY,
                        "",
                        ByteString.copyFromUtf8(json))
                .toProto();
    }

    /** The event's timestamp. */
    public static long micros(Event event) {
        return EventId.read(event.getId()).micros();
    }

    public static ByteString key(String id) {
        return ByteString.copyFrom(UserKey.of(List.of(id)).encoded());
    }
}
