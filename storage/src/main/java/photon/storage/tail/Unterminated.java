package photon.storage.tail;

import java.io.IOException;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.FileStore.ReadFile;

/**
 * What stands half-written at the end of a file.
 *
 * @param offset in a compressed file counted in uncompressed bytes
 * @param length uncompressed bytes that can be read of it; may be 0 in a compressed file
 */
public record Unterminated(String path, long offset, long length) {
    /**
     * Whether a file of lines ends within one, as it stands now. What is compressed is not looked
     * into.
     */
    public static boolean isAtTheEndOf(FileStore files, FileInfo file) throws IOException {
        byte[] bytes = new byte[Integer.BYTES];
        try (ReadFile open = files.open(file.path())) {
            int first = Math.max(0, open.read(0, bytes, 0, bytes.length));
            if (first == 0 || OpenFile.kind(bytes, first) != OpenFile.Kind.PLAIN) {
                return false;
            }
            return open.read(file.length() - 1, bytes, 0, 1) == 1 && bytes[0] != '\n';
        }
    }

    static Unterminated of(TailedFile file) {
        long offset = file.badFrom >= 0 ? file.badFrom : file.offset;
        return new Unterminated(file.path, offset, file.leftoverLength);
    }
}
