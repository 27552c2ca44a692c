package photon.demo;

import com.google.common.net.InetAddresses;
import java.nio.ByteBuffer;
import photon.core.id.EventId;

/** Which foreign event a joined line is of, by what the {@code merge} adapter writes into it. */
public interface JoinedIdentity {
    /**
     * @param id the line's {@code id}
     * @param timestampMicros the line's
     * @throws IllegalArgumentException if no event is named so
     */
    EventId of(String id, long timestampMicros);

    /** Native ids in three fields: the text is {@code server:process:micros}. */
    static JoinedIdentity ofNativeFields() {
        return JoinedIdentity::nativeId;
    }

    private static EventId nativeId(String id, long timestampMicros) {
        int timeAt = id.lastIndexOf(':');
        int processAt = id.lastIndexOf(':', timeAt - 1); // an IPv6 address has colons of its own
        if (processAt <= 0) {
            throw new IllegalArgumentException(
                    "Expected server:process:micros, but got '%s'".formatted(id));
        }
        if (Long.parseLong(id, timeAt + 1, id.length(), 10) != timestampMicros) {
            throw new IllegalArgumentException(
                    "Expected the id of an event at %d, but got '%s'"
                            .formatted(timestampMicros, id));
        }
        byte[] address = InetAddresses.forString(id.substring(0, processAt)).getAddress();
        ByteBuffer server = ByteBuffer.allocate(16);
        if (address.length == 4) {
            server.putLong(0).putInt(0x0000FFFF);
        }
        server.put(address).flip();
        int process = Integer.parseUnsignedInt(id, processAt + 1, timeAt, 10);
        return new EventId(timestampMicros, server.getLong(), server.getLong(), process);
    }
}
