package photon.registry.api;

import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collection;
import photon.core.id.EventId;

/**
 * Ids one behind the other, as they travel: {@link EventId#BYTES} bytes each and no object an id.
 * Immutable, provided that nobody writes into the array that it was made of.
 */
public final class IdBatch {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] packed;

    private IdBatch(byte[] packed) {
        this.packed = packed;
    }

    /**
     * @param packed not copied: from now on it is this batch's
     */
    public static IdBatch ofPacked(byte[] packed) {
        check(
                packed.length % EventId.BYTES == 0,
                "Expected whole ids, but got %s bytes",
                packed.length);
        for (int at = 0; at < packed.length; at += EventId.BYTES) {
            if (packed[at] < 0) {
                check(false, "Expected timestamps from 1970 on, but not at byte %s", at);
            }
        }
        return new IdBatch(packed);
    }

    public static IdBatch of(Collection<EventId> ids) {
        Builder builder = builder(ids.size());
        ids.forEach(builder::add);
        return builder.build();
    }

    /**
     * @param capacity ids that fit without growing
     */
    public static Builder builder(int capacity) {
        return new Builder(capacity);
    }

    public int size() {
        return packed.length / EventId.BYTES;
    }

    public EventId get(int i) {
        int at = i * EventId.BYTES;
        return new EventId(
                (long) LONGS.get(packed, at),
                (long) LONGS.get(packed, at + 8),
                (long) LONGS.get(packed, at + 16),
                (int) INTS.get(packed, at + 24));
    }

    public long micros(int i) {
        return (long) LONGS.get(packed, i * EventId.BYTES);
    }

    /** {@link EventId#stableHash()} of the i-th. */
    public long stableHash(int i) {
        int at = i * EventId.BYTES;
        return EventId.stableHash(
                (long) LONGS.get(packed, at),
                (long) LONGS.get(packed, at + 8),
                (long) LONGS.get(packed, at + 16),
                (int) INTS.get(packed, at + 24));
    }

    /** All of it, not copied. */
    public ByteString toByteString() {
        return UnsafeByteOperations.unsafeWrap(packed);
    }

    /** Copies some ids' bytes. */
    public void copyTo(ByteBuffer out, int from, int count) {
        out.put(packed, from * EventId.BYTES, count * EventId.BYTES);
    }

    /** Adds up a batch. Not thread-safe. */
    public static final class Builder {
        private byte[] bytes;
        private int at;

        private Builder(int capacity) {
            bytes = new byte[Math.max(1, capacity) * EventId.BYTES];
        }

        public Builder add(EventId id) {
            return add(id.micros(), id.serverHigh(), id.serverLow(), id.process());
        }

        /** The same without an {@link EventId}. */
        public Builder add(long micros, long serverHigh, long serverLow, int process) {
            if (micros < 0) {
                check(false, "Expected a timestamp from 1970 on, but got %s", micros);
            }
            if (at == bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, 16 * EventId.BYTES));
            }
            LONGS.set(bytes, at, micros);
            LONGS.set(bytes, at + 8, serverHigh);
            LONGS.set(bytes, at + 16, serverLow);
            INTS.set(bytes, at + 24, process);
            at += EventId.BYTES;
            return this;
        }

        public int size() {
            return at / EventId.BYTES;
        }

        /** The batch; the builder is used up. */
        public IdBatch build() {
            byte[] whole = at == bytes.length ? bytes : Arrays.copyOf(bytes, at);
            bytes = new byte[0];
            at = 0;
            return new IdBatch(whole);
        }
    }
}
