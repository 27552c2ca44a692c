package photon.demo.hdfs;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import photon.storage.files.FileStore;

/** Copies files out of a file system, for programs that know local files alone. */
public final class CopyOut {
    private static final int BUFFER_BYTES = 1 << 20;

    private final FileStore files;
    private final byte[] buffer = new byte[BUFFER_BYTES];

    public CopyOut(FileStore files) {
        this.files = files;
    }

    /** A directory with all in it, as {@code hdfs dfs -get} does. */
    public void copy(String from, Path to) throws IOException {
        Files.createDirectories(to);
        for (FileStore.FileInfo entry : files.list(from)) {
            Path place = to.resolve(entry.path().substring(entry.path().lastIndexOf('/') + 1));
            if (entry.directory()) {
                copy(entry.path(), place);
            } else {
                copyFile(entry.path(), place);
            }
        }
    }

    private void copyFile(String from, Path to) throws IOException {
        try (FileStore.ReadFile in = files.open(from);
                OutputStream out = Files.newOutputStream(to)) {
            long at = 0;
            for (int got = in.read(at, buffer, 0, BUFFER_BYTES);
                    got >= 0;
                    got = in.read(at, buffer, 0, BUFFER_BYTES)) {
                out.write(buffer, 0, got);
                at += got;
            }
        }
    }
}
