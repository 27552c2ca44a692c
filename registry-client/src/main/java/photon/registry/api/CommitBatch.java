package photon.registry.api;

import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/**
 * Ids and the token that is to hold each, as they travel: {@link EventId#BYTES} and {@link
 * CommitToken#BYTES} bytes and no object an id. Immutable, provided that nobody writes into the
 * arrays that it was made of.
 */
public final class CommitBatch {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final IdBatch ids;
    private final byte[] tokens;

    private CommitBatch(IdBatch ids, byte[] tokens) {
        this.ids = ids;
        this.tokens = tokens;
    }

    /**
     * @param tokens packed, as many as ids, in the same order; not copied: from now on they are
     *     this batch's
     */
    public static CommitBatch of(IdBatch ids, byte[] tokens) {
        check(
                tokens.length == ids.size() * CommitToken.BYTES,
                "Expected %s tokens, but got %s bytes",
                ids.size(),
                tokens.length);
        for (int at = 0; at < tokens.length; at += CommitToken.BYTES) {
            checkToken((int) INTS.get(tokens, at), (int) INTS.get(tokens, at + 4));
        }
        return new CommitBatch(ids, tokens);
    }

    private static void checkToken(int slot, int generation) {
        if (slot <= 0 || generation <= 0) {
            check(false, "Expected slot and generation above 0, but got %s-%s", slot, generation);
        }
    }

    /**
     * @param capacity commits that fit without growing
     */
    public static Builder builder(int capacity) {
        return new Builder(capacity);
    }

    public int size() {
        return ids.size();
    }

    public IdBatch ids() {
        return ids;
    }

    public CommitToken token(int i) {
        int at = i * CommitToken.BYTES;
        return new CommitToken(
                (int) INTS.get(tokens, at),
                (int) INTS.get(tokens, at + 4),
                (long) LONGS.get(tokens, at + 8));
    }

    /** All tokens, not copied. */
    public ByteString tokens() {
        return UnsafeByteOperations.unsafeWrap(tokens);
    }

    /** Copies some tokens' bytes. */
    public void copyTokensTo(ByteBuffer out, int from, int count) {
        out.put(tokens, from * CommitToken.BYTES, count * CommitToken.BYTES);
    }

    /** Adds up a batch. Not thread-safe. */
    public static final class Builder {
        private final IdBatch.Builder ids;
        private byte[] bytes;
        private int at;

        private Builder(int capacity) {
            ids = IdBatch.builder(capacity);
            bytes = new byte[Math.max(1, capacity) * CommitToken.BYTES];
        }

        public Builder add(EventId id, CommitToken token) {
            ids.add(id);
            return addToken(token.slot(), token.generation(), token.sequence());
        }

        /** The same without objects. */
        public Builder add(
                long micros,
                long serverHigh,
                long serverLow,
                int process,
                int slot,
                int generation,
                long sequence) {
            checkToken(slot, generation);
            ids.add(micros, serverHigh, serverLow, process);
            return addToken(slot, generation, sequence);
        }

        private Builder addToken(int slot, int generation, long sequence) {
            if (at == bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, 16 * CommitToken.BYTES));
            }
            INTS.set(bytes, at, slot);
            INTS.set(bytes, at + 4, generation);
            LONGS.set(bytes, at + 8, sequence);
            at += CommitToken.BYTES;
            return this;
        }

        public int size() {
            return ids.size();
        }

        /** The batch; the builder is used up. */
        public CommitBatch build() {
            byte[] whole = at == bytes.length ? bytes : Arrays.copyOf(bytes, at);
            bytes = new byte[0];
            at = 0;
            return new CommitBatch(ids.build(), whole);
        }
    }
}
