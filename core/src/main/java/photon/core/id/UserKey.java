package photon.core.id;

import com.google.common.hash.Hashing;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A user's own id: one or more fields, length-prefixed, so that ("x:y", "z") and ("x", "y:z")
 * differ; and its hash, SHA-256 cut to 128 bits (docs/protocol.md section 2).
 */
public final class UserKey {
    private final byte[] encoded;
    private final long hashHigh;
    private final long hashLow;

    private UserKey(byte[] encoded) {
        this.encoded = encoded;
        ByteBuffer hash = ByteBuffer.wrap(Hashing.sha256().hashBytes(encoded).asBytes());
        this.hashHigh = hash.getLong();
        this.hashLow = hash.getLong();
    }

    public static UserKey of(List<String> fields) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String field : fields) {
            byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
            out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            out.writeBytes(bytes);
        }
        return new UserKey(out.toByteArray());
    }

    /** From the form that {@link #encoded()} gives. */
    public static UserKey ofEncoded(byte[] encoded) {
        return new UserKey(encoded.clone());
    }

    /** Per field its length in bytes (int32, big-endian) and its UTF-8 text. */
    public byte[] encoded() {
        return encoded.clone();
    }

    public long hashHigh() {
        return hashHigh;
    }

    public long hashLow() {
        return hashLow;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof UserKey other && Arrays.equals(encoded, other.encoded);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(hashLow);
    }
}
