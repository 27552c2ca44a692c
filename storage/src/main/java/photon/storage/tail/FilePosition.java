package photon.storage.tail;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import photon.storage.files.FileStore.FileInfo;

/**
 * How far a file has been read; what a checkpoint stores. A file is known again by its key and its
 * first bytes together: each alone has lost data elsewhere (keys are used again, first bytes are
 * alike). Of a key the part behind the last colon is enough, the file's number: what comes before
 * it may differ between machines, as it does for files on NFS.
 *
 * @param path where it stood last, for people
 * @param key {@link photon.storage.files.FileStore.FileInfo#key()}
 * @param prefixLength how many first bytes the hash covers
 * @param prefixHash hex
 * @param offset the next byte to read; in a compressed file counted in uncompressed bytes
 * @param modifiedMillis when the file was last modified, as far as its reader has seen, in
 *     milliseconds since 1970; 0: not known
 * @param contentCrc CRC-32 of all bytes before the offset; null: not known, or the file is
 *     compressed
 */
public record FilePosition(
        String path,
        String key,
        int prefixLength,
        String prefixHash,
        long offset,
        long modifiedMillis,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer contentCrc) {

    /** Of a file of whose content nothing is known. */
    public FilePosition(
            String path,
            String key,
            int prefixLength,
            String prefixHash,
            long offset,
            long modifiedMillis) {
        this(path, key, prefixLength, prefixHash, offset, modifiedMillis, null);
    }

    /** Of a file of which it is not known when it was modified. */
    public FilePosition(String path, String key, int prefixLength, String prefixHash, long offset) {
        this(path, key, prefixLength, prefixHash, offset, 0);
    }

    /** At the start of a file that was never opened. */
    public static FilePosition unread(FileInfo file) {
        return new FilePosition(
                file.path(),
                file.key(),
                Prefix.NONE.length(),
                Prefix.NONE.hash(),
                0,
                file.modifiedMillis());
    }

    /** Whether anything of the file was ever read, though nothing of it may be done. */
    public boolean wasReadFrom() {
        return offset > 0 || prefixLength > 0;
    }

    /**
     * The same position.
     *
     * @param crc of all bytes before it; null: not known
     */
    FilePosition withContent(@Nullable Integer crc) {
        return new FilePosition(path, key, prefixLength, prefixHash, offset, modifiedMillis, crc);
    }

    /** What of a key is the same on each machine that sees the file. */
    public static String number(String key) {
        return key.substring(key.lastIndexOf(':') + 1);
    }

    /** The same position, in a file that has this key by now. */
    public FilePosition under(String now) {
        return new FilePosition(
                path, now, prefixLength, prefixHash, offset, modifiedMillis, contentCrc);
    }

    /** The same position, of a file that was last modified then. */
    public FilePosition modifiedAt(long millis) {
        return new FilePosition(path, key, prefixLength, prefixHash, offset, millis, contentCrc);
    }
}
