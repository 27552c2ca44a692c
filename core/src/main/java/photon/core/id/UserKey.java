package photon.core.id;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import photon.core.hash.Sha256;

/**
 * A user's own id: one or more fields, length-prefixed, so that ("x:y", "z") and ("x", "y:z")
 * differ; and its hash, SHA-256 cut to 128 bits (docs/protocol.md section 2).
 */
public final class UserKey {
    private static final int HASH_BYTES = 16;

    /** A new one per key would cost more than the hash of a short key does. */
    private static final ThreadLocal<MessageDigest> SHA_256 =
            ThreadLocal.withInitial(Sha256::begin);

    private final byte[] encoded;

    private UserKey(byte[] encoded) {
        this.encoded = encoded;
    }

    public static UserKey of(List<String> fields) {
        byte[][] texts = new byte[fields.size()][];
        int length = 0;
        for (int i = 0; i < texts.length; i++) {
            texts[i] = fields.get(i).getBytes(StandardCharsets.UTF_8);
            length += Integer.BYTES + texts[i].length;
        }
        ByteBuffer encoded = ByteBuffer.allocate(length);
        for (byte[] text : texts) {
            encoded.putInt(text.length).put(text);
        }
        return new UserKey(encoded.array());
    }

    /** From the form that {@link #encoded()} gives. */
    public static UserKey ofEncoded(byte[] encoded) {
        return new UserKey(encoded.clone());
    }

    /** Per field its length in bytes (int32, big-endian) and its UTF-8 text. */
    public byte[] encoded() {
        return encoded.clone();
    }

    /** {@link #encoded()} without a copy. */
    public ByteString encodedBytes() {
        return UnsafeByteOperations.unsafeWrap(encoded);
    }

    /**
     * The hash, 16 bytes. It is computed at each call: most keys only say which primary event a
     * foreign one names, and are never asked.
     */
    byte[] hash() {
        return Arrays.copyOf(SHA_256.get().digest(encoded), HASH_BYTES);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof UserKey other && Arrays.equals(encoded, other.encoded);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encoded);
    }
}
