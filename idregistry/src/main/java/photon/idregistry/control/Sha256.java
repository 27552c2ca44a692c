package photon.idregistry.control;

import com.google.protobuf.ByteString;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The digest by which pieces are known to be whole. */
public final class Sha256 {
    private Sha256() {}

    /** 32 bytes. */
    public static ByteString of(byte[] bytes) {
        try {
            return ByteString.copyFrom(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
