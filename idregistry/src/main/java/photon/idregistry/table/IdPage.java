package photon.idregistry.table;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/**
 * Some ids and their holders, in id order, packed as they travel: without an object an id. Not to
 * be changed by whom it is given to.
 */
public final class IdPage {
    private ByteBuffer ids = ByteBuffer.allocate(16 * EventId.BYTES);
    private ByteBuffer holders = ByteBuffer.allocate(16 * CommitToken.BYTES);
    private @Nullable EventId resumeAfter;

    void add(long micros, long serverHigh, long serverLow, int process, long owner, long sequence) {
        ids = withRoom(ids, EventId.BYTES);
        ids.putLong(micros).putLong(serverHigh).putLong(serverLow).putInt(process);
        holders = withRoom(holders, CommitToken.BYTES);
        holders.putLong(owner).putLong(sequence);
    }

    private static ByteBuffer withRoom(ByteBuffer buffer, int bytes) {
        return buffer.remaining() >= bytes
                ? buffer
                : ByteBuffer.allocate(buffer.capacity() * 2).put(buffer.flip());
    }

    void resumeAfter(EventId id) {
        resumeAfter = id;
    }

    public int size() {
        return ids.position() / EventId.BYTES;
    }

    /** The last id; only if there is one. */
    EventId last() {
        return EventId.read(ids.duplicate().flip().position(ids.position() - EventId.BYTES));
    }

    /** The packed ids, in the page's own memory. */
    public ByteBuffer ids() {
        return ids.duplicate().flip();
    }

    /** A packed token for each id, likewise. */
    public ByteBuffer holders() {
        return holders.duplicate().flip();
    }

    /** True if there may be more, behind {@link #resumeAfter()}. */
    public boolean more() {
        return resumeAfter != null;
    }

    /**
     * Where the next page begins, behind this id: the last one, or, of a page that was ended
     * because it took long, one that need not exist. Only if there may be more.
     */
    public EventId resumeAfter() {
        return Objects.requireNonNull(resumeAfter);
    }
}
