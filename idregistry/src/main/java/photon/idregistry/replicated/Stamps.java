package photon.idregistry.replicated;

import static photon.core.error.Checks.check;

import com.google.protobuf.InvalidProtocolBufferException;
import java.nio.ByteBuffer;
import photon.core.error.BugException;
import photon.proto.v1.Stamp;

/**
 * Who and when, in front of an entry: a byte that says so, length int32, a {@link Stamp}, the
 * entry. Apply has no clock and knows no caller, so that it is told, the same on every replica.
 */
public final class Stamps {
    /** In the place of an entry's kind, in every log. */
    public static final byte STAMPED = 64;

    private Stamps() {}

    /** The entry with a stamp. */
    public static byte[] stamped(Stamp stamp, byte[] entry) {
        byte[] packed = stamp.toByteArray();
        return ByteBuffer.allocate(1 + Integer.BYTES + packed.length + entry.length)
                .put(STAMPED)
                .putInt(packed.length)
                .put(packed)
                .put(entry)
                .array();
    }

    /**
     * Reads what is behind the byte. The entry itself is left.
     *
     * @throws BugException if that is no stamp, or nothing is behind it
     */
    public static Stamp read(ByteBuffer in) {
        int length = in.remaining() < Integer.BYTES ? -1 : in.getInt();
        check(
                length >= 0 && length < in.remaining(),
                "Expected a stamp of %s bytes and an entry, but got %s bytes",
                length,
                in.remaining());
        try {
            Stamp stamp = Stamp.parseFrom(in.slice(in.position(), length));
            in.position(in.position() + length);
            return stamp;
        } catch (InvalidProtocolBufferException e) {
            throw new BugException("Expected a readable stamp", e);
        }
    }
}
