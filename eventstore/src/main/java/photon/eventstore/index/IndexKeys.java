package photon.eventstore.index;

import com.google.common.hash.Hashing;
import com.google.protobuf.ByteString;
import java.util.Arrays;
import photon.core.config.IdConfig;

/**
 * Where a primary event's record stands in the index. Two keys may share a place: the record holds
 * the whole key, and only that decides.
 */
@FunctionalInterface
public interface IndexKeys {
    /** Bytes of a hashed place. */
    int HASH_BYTES = 16;

    /** The place of an event with this key ({@code Event.key}). */
    byte[] place(ByteString key);

    /** Hashes for a user's own ids, which may be long; the packed id itself for native ones. */
    static IndexKeys of(IdConfig id) {
        return id instanceof IdConfig.User ? IndexKeys::hash : ByteString::toByteArray;
    }

    private static byte[] hash(ByteString key) {
        return Arrays.copyOf(Hashing.sha256().hashBytes(key.toByteArray()).asBytes(), HASH_BYTES);
    }
}
