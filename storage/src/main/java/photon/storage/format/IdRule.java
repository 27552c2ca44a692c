package photon.storage.format;

import com.google.common.net.InetAddresses;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import photon.core.config.IdConfig;
import photon.core.id.EventId;
import photon.core.id.UserKey;

/** How a record names an event (docs/protocol.md section 2). */
sealed interface IdRule {
    Identity read(RecordFields fields) throws BadRecordException;

    /**
     * One of {@code nativeId} and {@code userKey} is there.
     *
     * @param key as {@link photon.core.event.LogEvent#key()}
     */
    record Identity(
            ByteString key, String text, @Nullable EventId nativeId, @Nullable UserKey userKey) {
        static Identity of(EventId id, String text) {
            return new Identity(UnsafeByteOperations.unsafeWrap(id.toBytes()), text, id, null);
        }
    }

    /**
     * @param ofPrimary true: the id of the primary event that a foreign record names
     * @param indexOf gives a field its index
     */
    static IdRule of(IdConfig config, boolean ofPrimary, ToIntFunction<String> indexOf) {
        if (config instanceof IdConfig.User user) {
            int[] indexes = user.from().stream().mapToInt(indexOf).toArray();
            return new OfUserFields(user.from().toArray(String[]::new), indexes);
        }
        if (config instanceof IdConfig.NativeFields fields) {
            return new OfNativeFields(
                    fields,
                    indexOf.applyAsInt(fields.server()),
                    indexOf.applyAsInt(fields.process()),
                    indexOf.applyAsInt(fields.timestamp()));
        }
        return new OfFrame(ofPrimary);
    }

    /** A value of a field that an id is made of: not missing, not empty. */
    private static String value(RecordFields fields, int index, String name)
            throws BadRecordException {
        String text = fields.text(index);
        if (text == null) {
            throw BadRecordException.missing(name);
        }
        if (text.isEmpty()) {
            throw BadRecordException.of(name, "part of an id", text);
        }
        return text;
    }

    /** A user's own id. */
    record OfUserFields(String[] names, int[] indexes) implements IdRule {
        @Override
        public Identity read(RecordFields fields) throws BadRecordException {
            String[] values = new String[indexes.length];
            for (int i = 0; i < indexes.length; i++) {
                values[i] = value(fields, indexes[i], names[i]);
            }
            UserKey key = UserKey.of(Arrays.asList(values));
            String text = values.length == 1 ? values[0] : String.join(":", List.of(values));
            return new Identity(key.encodedBytes(), text, null, key);
        }
    }

    /** A native id in three fields. Thread-safe. */
    final class OfNativeFields implements IdRule {
        /** Few servers write most of a log, and the text of an address costs more than the rest. */
        private static final int SERVERS_KEPT = 256;

        private final IdConfig.NativeFields names;
        private final int server;
        private final int process;
        private final int timestamp;
        private final AtomicReferenceArray<@Nullable Server> servers =
                new AtomicReferenceArray<>(SERVERS_KEPT);

        OfNativeFields(IdConfig.NativeFields names, int server, int process, int timestamp) {
            this.names = names;
            this.server = server;
            this.process = process;
            this.timestamp = timestamp;
        }

        /** A server's address as it is written, and its halves. */
        private record Server(String text, long high, long low) {}

        @Override
        public Identity read(RecordFields fields) throws BadRecordException {
            String serverText = value(fields, server, names.server());
            String processText = value(fields, process, names.process());
            String timestampText = value(fields, timestamp, names.timestamp());
            Server from = server(serverText);
            EventId id =
                    new EventId(
                            micros(timestampText), from.high(), from.low(), process(processText));
            return Identity.of(id, serverText + ":" + processText + ":" + timestampText);
        }

        private Server server(String text) throws BadRecordException {
            int slot = text.hashCode() & (SERVERS_KEPT - 1);
            Server known = servers.get(slot);
            if (known != null && known.text().equals(text)) {
                return known;
            }
            ByteBuffer address = ByteBuffer.wrap(address(text));
            Server read = new Server(text, address.getLong(), address.getLong());
            servers.set(slot, read);
            return read;
        }

        /** Never asks the DNS: a name would mean another machine tomorrow. */
        private byte[] address(String text) throws BadRecordException {
            if (text.indexOf('%') >= 0 || !InetAddresses.isInetAddress(text)) {
                throw BadRecordException.of(names.server(), "an IPv4 or IPv6 address", text);
            }
            InetAddress address = InetAddresses.forString(text);
            byte[] bytes = address.getAddress();
            if (bytes.length == 16) {
                return bytes;
            }
            byte[] mapped = new byte[16];
            mapped[10] = (byte) 0xFF;
            mapped[11] = (byte) 0xFF;
            System.arraycopy(bytes, 0, mapped, 12, 4);
            return mapped;
        }

        private int process(String text) throws BadRecordException {
            long process = TimestampRule.digits(text);
            if (process < 0 || process >= 0xFFFFFFFEL) {
                throw BadRecordException.of(
                        names.process(), "a process id from 0 to 4294967293", text);
            }
            return (int) process;
        }

        private long micros(String text) throws BadRecordException {
            long micros = TimestampRule.digits(text);
            if (micros < 0) {
                throw BadRecordException.of(
                        names.timestamp(), "a number of microseconds since 1970", text);
            }
            return micros;
        }
    }

    /** A native id that a frame carries packed. */
    record OfFrame(boolean ofPrimary) implements IdRule {
        @Override
        public Identity read(RecordFields fields) throws BadRecordException {
            String name = ofPrimary ? "primary_id" : "id";
            ByteString packed = ofPrimary ? fields.nativePrimaryId() : fields.nativeId();
            if (packed.size() != EventId.BYTES) {
                throw BadRecordException.of(name, "28 bytes", packed.size() + " bytes");
            }
            ByteBuffer buffer = packed.asReadOnlyByteBuffer();
            long micros = buffer.getLong();
            if (micros < 0) {
                throw BadRecordException.of(name, "of a time since 1970", micros + " microseconds");
            }
            EventId id =
                    ofThisStream(
                            new EventId(
                                    micros, buffer.getLong(), buffer.getLong(), buffer.getInt()),
                            fields.joined());
            if (!id.isNative() && !fields.joined()) {
                throw BadRecordException.of(
                        name, "of a process other than 4294967294 and 4294967295", id.toString());
            }
            if (!ofPrimary && fields.ordinal() != 0) {
                // Its id is that of the one before: it would count as a repeat, and be lost.
                throw new BadRecordException(
                        "Expected the one joined event of its foreign event for id: native, but got number %d of %s: take the id from fields of the event, id: {from: [...]}"
                                .formatted(fields.ordinal() + 1L, id));
            }
            return Identity.of(id, id.toString());
        }

        /**
         * An upgrade in the output of another pipeline is an event like any other here: else it
         * would be taken for the upgrade of an event of this stream.
         */
        private static EventId ofThisStream(EventId id, boolean joined) {
            return joined && id.isUpgrade()
                    ? new EventId(
                            id.micros(), id.serverHigh(), id.serverLow(), EventId.USER_PROCESS)
                    : id;
        }
    }
}
