package photon.core.id;

import static photon.core.error.Checks.check;
import static photon.core.hash.SplitMix.mix;

import com.google.protobuf.ByteString;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * Names one event, for ever and everywhere: 28 bytes, big-endian, timestamp first, so that byte
 * order is time order (docs/protocol.md section 2).
 *
 * @param micros when the event happened, microseconds since 1970 UTC; never negative, so that the
 *     order holds
 * @param serverHigh upper half of the server's IPv6 address (IPv4 is mapped), or of the hash of a
 *     user's own id
 * @param serverLow lower half
 * @param process the logging process, or {@link #USER_PROCESS} where a user's own id stands behind
 *     it, or {@link #UPGRADE_PROCESS}
 */
public record EventId(long micros, long serverHigh, long serverLow, int process)
        implements Comparable<EventId> {

    /** Packed size. */
    public static final int BYTES = 28;

    /** Reserved for ids made from a user's own fields; refused in native ids. */
    public static final int USER_PROCESS = 0xFFFFFFFF;

    /** Reserved for the keys of upgrades ({@link #upgrade()}); refused in native ids. */
    public static final int UPGRADE_PROCESS = 0xFFFFFFFE;

    public EventId {
        // Hundreds of millions are read in one repair: no box for a message that nobody wants.
        if (micros < 0) {
            check(false, "Expected a timestamp from 1970 on, but got %s microseconds", micros);
        }
    }

    /** An id made from a user's own fields. */
    public static EventId ofUser(long micros, UserKey key) {
        ByteBuffer hash = ByteBuffer.wrap(key.hash());
        return new EventId(micros, hash.getLong(), hash.getLong(), USER_PROCESS);
    }

    /**
     * The key under which the event is joined once more, with its primary event, after it was
     * joined without (docs/protocol.md section 13): of the same time, and the same everywhere. It
     * is no other event's id and no other event's key, as far as two hashes of 128 bits differ.
     */
    public EventId upgrade() {
        ByteBuffer hash = ByteBuffer.wrap(UserKey.ofEncoded(toBytes()).hash());
        return new EventId(micros, hash.getLong(), hash.getLong(), UPGRADE_PROCESS);
    }

    /** True for what {@link #upgrade()} has made. */
    public boolean isUpgrade() {
        return process == UPGRADE_PROCESS;
    }

    /** Reads {@link #BYTES} bytes at the buffer's position and moves it on. */
    public static EventId read(ByteBuffer from) {
        return new EventId(from.getLong(), from.getLong(), from.getLong(), from.getInt());
    }

    /** Reads the first {@link #BYTES} bytes. */
    public static EventId read(ByteString packed) {
        return new EventId(
                micros(packed),
                longAt(packed, Long.BYTES),
                longAt(packed, 2 * Long.BYTES),
                (int) longAt(packed, BYTES - Long.BYTES));
    }

    /** Only the timestamp of a packed id. */
    public static long micros(ByteString packed) {
        return longAt(packed, 0);
    }

    /** No buffer is made for it: it is done for each event of a log. */
    private static long longAt(ByteString bytes, int from) {
        long value = 0;
        for (int i = from; i < from + Long.BYTES; i++) {
            value = value << 8 | (bytes.byteAt(i) & 0xFF);
        }
        return value;
    }

    /** Writes {@link #BYTES} bytes at the buffer's position and moves it on. */
    public void write(ByteBuffer to) {
        to.putLong(micros).putLong(serverHigh).putLong(serverLow).putInt(process);
    }

    public byte[] toBytes() {
        byte[] bytes = new byte[BYTES];
        write(ByteBuffer.wrap(bytes));
        return bytes;
    }

    /** True for an id that one of our id libraries made, false for a user's own and an upgrade. */
    public boolean isNative() {
        return process != USER_PROCESS && process != UPGRADE_PROCESS;
    }

    /**
     * Well mixed and the same in every process and version: shards and preferred datacenters are
     * chosen by it. Never change it: ids would move between shards.
     */
    public long stableHash() {
        return stableHash(micros, serverHigh, serverLow, process);
    }

    /** The same of an id that is no object. */
    public static long stableHash(long micros, long serverHigh, long serverLow, int process) {
        long h = mix(micros + 0x9E3779B97F4A7C15L);
        h = mix(h ^ serverHigh);
        h = mix(h ^ serverLow);
        return mix(h ^ process);
    }

    @Override
    public int compareTo(EventId other) {
        int c = Long.compareUnsigned(micros, other.micros);
        if (c == 0) {
            c = Long.compareUnsigned(serverHigh, other.serverHigh);
        }
        if (c == 0) {
            c = Long.compareUnsigned(serverLow, other.serverLow);
        }
        return c != 0 ? c : Integer.compareUnsigned(process, other.process);
    }

    @Override
    public int hashCode() {
        long h = stableHash();
        return (int) (h ^ (h >>> 32));
    }

    @Override
    public String toString() {
        if (!isNative()) {
            return "%d/%s/%016x%016x"
                    .formatted(micros, isUpgrade() ? "upgrade" : "user", serverHigh, serverLow);
        }
        return "%d/%s/%s".formatted(micros, serverText(), Integer.toUnsignedString(process));
    }

    private String serverText() {
        byte[] address = ByteBuffer.allocate(16).putLong(serverHigh).putLong(serverLow).array();
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("16 bytes are always an address", e);
        }
    }
}
