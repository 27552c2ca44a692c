package photon.storage.output;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.ReadFile;

/** Reads a file that fits in memory. */
final class SmallFile {
    private static final int BYTES_MAX = 16 << 20;

    private SmallFile() {}

    static byte[] read(FileStore files, String path) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        try (ReadFile file = files.open(path)) {
            int count;
            while ((count = file.read(content.size(), buffer, 0, buffer.length)) > 0) {
                content.write(buffer, 0, count);
                if (content.size() > BYTES_MAX) {
                    throw new IOException("Expected a small file, but " + path + " is large");
                }
            }
        }
        return content.toByteArray();
    }
}
