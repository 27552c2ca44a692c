package photon.core.id;

import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Ids and tokens as they travel: n of them, one behind the other, without a header. */
public final class Packed {
    private Packed() {}

    public static ByteString ids(Collection<EventId> ids) {
        ByteBuffer buffer = ByteBuffer.allocate(ids.size() * EventId.BYTES);
        for (EventId id : ids) {
            id.write(buffer);
        }
        return UnsafeByteOperations.unsafeWrap(buffer.array());
    }

    public static ByteString tokens(Collection<CommitToken> tokens) {
        ByteBuffer buffer = ByteBuffer.allocate(tokens.size() * CommitToken.BYTES);
        for (CommitToken token : tokens) {
            token.write(buffer);
        }
        return UnsafeByteOperations.unsafeWrap(buffer.array());
    }

    /**
     * @throws photon.core.error.BugException if the bytes are not a whole number of ids
     */
    public static List<EventId> ids(ByteString packed) {
        check(
                packed.size() % EventId.BYTES == 0,
                "Expected whole ids, but got %s bytes",
                packed.size());
        ByteBuffer buffer = packed.asReadOnlyByteBuffer();
        List<EventId> ids = new ArrayList<>(packed.size() / EventId.BYTES);
        while (buffer.hasRemaining()) {
            ids.add(EventId.read(buffer));
        }
        return ids;
    }

    /**
     * @throws photon.core.error.BugException if the bytes are not a whole number of tokens
     */
    public static List<CommitToken> tokens(ByteString packed) {
        check(
                packed.size() % CommitToken.BYTES == 0,
                "Expected whole tokens, but got %s bytes",
                packed.size());
        ByteBuffer buffer = packed.asReadOnlyByteBuffer();
        List<CommitToken> tokens = new ArrayList<>(packed.size() / CommitToken.BYTES);
        while (buffer.hasRemaining()) {
            tokens.add(CommitToken.read(buffer));
        }
        return tokens;
    }
}
