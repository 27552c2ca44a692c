package photon.core.hash;

import com.google.protobuf.ByteString;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The digest by which files and pieces are known to be whole, and users' ids are told apart. */
public final class Sha256 {
    private Sha256() {}

    /** A new one, for bytes that come piece by piece. */
    public static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected every Java runtime to have SHA-256", e);
        }
    }

    /** Of these bytes: 32 bytes. */
    public static ByteString of(byte[] bytes) {
        return ByteString.copyFrom(begin().digest(bytes));
    }
}
