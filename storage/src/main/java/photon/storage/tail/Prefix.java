package photon.storage.tail;

import com.google.common.hash.Hashing;
import java.io.IOException;
import photon.storage.files.FileStore.ReadFile;

/**
 * The first bytes of a file, as far as they were there, by their hash: with the file's key they
 * tell whether it is still the one that was read.
 *
 * @param length of what is hashed, at most {@link #BYTES_MAX}
 * @param hash hex
 */
record Prefix(int length, String hash) {
    /**
     * Enough to reach behind the comments and the header of a wide table, which are alike in one
     * file after the other, while file systems use the keys of deleted files again at once.
     */
    static final int BYTES_MAX = 8 << 10;

    static final Prefix NONE = of(new byte[0], 0);

    static Prefix of(byte[] first, int length) {
        return new Prefix(length, Hashing.sha256().hashBytes(first, 0, length).toString());
    }

    /** Fills the array with the file's first bytes, as many as there are. */
    static int readFirst(ReadFile file, byte[] into) throws IOException {
        int length = 0;
        int n;
        do {
            n = file.read(length, into, length, into.length - length);
            length += Math.max(n, 0);
        } while (n > 0 && length < into.length);
        return length;
    }

    /** True if a file that begins with these bytes may be the same, grown since. */
    boolean fits(byte[] first, int available) {
        return available >= length && of(first, length).equals(this);
    }
}
