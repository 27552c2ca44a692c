package photon.idregistry.server.groups;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.Packed;

/**
 * What a peer sent is asked here whether it can be what it says: to take it for granted would let
 * one bad message halt every replica.
 */
public final class RequestValidation {
    /** Ids of one lookup, and rows of one scan page: apply waits while they are looked up. */
    public static final int READ_MAX = 8_192;

    private static final Logger LOG = LoggerFactory.getLogger(RequestValidation.class);

    private RequestValidation() {}

    public static boolean wholeIds(ByteString ids) {
        if (ids.size() % EventId.BYTES != 0) {
            return false;
        }
        ByteBuffer packed = ids.asReadOnlyByteBuffer().slice();
        for (int at = 0; at < packed.limit(); at += EventId.BYTES) {
            if (packed.get(at) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Null if there is none. */
    public static @Nullable EventId oneId(ByteString id) {
        List<EventId> ids = Packed.ids(id);
        return ids.isEmpty() ? null : ids.get(0);
    }

    /** Null if it cannot be one. */
    public static @Nullable Incarnation incarnation(photon.proto.v1.Incarnation wire) {
        return slot(wire.getSlot()) && wire.getGeneration() > 0
                ? new Incarnation(wire.getSlot(), wire.getGeneration())
                : null;
    }

    /** Whether a joiner can have that slot. */
    public static boolean slot(int number) {
        return number > 0 && number != CommitToken.JOIN_UNMATCHED.slot();
    }

    /** A request that none of our clients sends: answered with no progress at all. */
    public static void malformed(String request) {
        LOG.warn("A {} request is not of its form and is not carried out", request);
    }
}
