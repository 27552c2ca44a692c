package photon.eventstore.index;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
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
            return place(EventId.read(event.getId().asReadOnlyByteBuffer()));
        }

        private static Place place(EventId id) {
            return new Place(id.serverHigh(), id.serverLow());
        }
    }

    /** Native ids come from our own producers. */
    final class OfNatives implements IndexKeys {
        private static final HashFunction MURMUR = Hashing.murmur3_128();

        @Override
        public Place place(ByteString key) {
            ByteBuffer hash = ByteBuffer.wrap(MURMUR.hashBytes(key.toByteArray()).asBytes());
            return new Place(hash.getLong(), hash.getLong());
        }
    }
}
