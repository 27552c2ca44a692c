package photon.eventstore.index;

import com.google.protobuf.ByteString;
import photon.core.config.IdConfig;
import photon.core.id.EventId;
import photon.core.id.UserKey;
import photon.proto.v1.Event;

/**
 * Where a primary event's row stands in the index. Two keys may share a place: the record holds the
 * whole key, and only that decides.
 */
interface IndexKeys {
    /** The place of an event with this key ({@code Event.key}). */
    Place place(ByteString key);

    /** The same, of an event at hand. */
    default Place place(Event event) {
        return place(event.getKey());
    }

    static IndexKeys of(IdConfig id) {
        return id instanceof IdConfig.User ? new OfUsers() : new OfNatives();
    }

    /** Users' own ids may be chosen to hash alike: SHA-256, which an event's id holds already. */
    final class OfUsers implements IndexKeys {
        @Override
        public Place place(ByteString key) {
            return place(EventId.ofUser(0, UserKey.ofEncoded(key.toByteArray())));
        }

        @Override
        public Place place(Event event) {
            return place(EventId.read(event.getId()));
        }

        private static Place place(EventId id) {
            return new Place(id.serverHigh(), id.serverLow());
        }
    }

    /** Native ids come from our own producers: mixed, each half from another start. */
    final class OfNatives implements IndexKeys {
        @Override
        public Place place(ByteString key) {
            if (key.size() != EventId.BYTES || EventId.micros(key) < 0) {
                return new Place(0, 0); // no event has such a key
            }
            EventId id = EventId.read(key);
            return new Place(
                    id.stableHash(),
                    EventId.stableHash(
                            ~id.micros(), id.serverHigh(), id.serverLow(), id.process()));
        }
    }
}
