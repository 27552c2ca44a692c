package photon.storage.files;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.FileStore.ReadFile;

/**
 * Files that fit in memory and that nobody ever sees half written: each is written and synced under
 * a name that nobody else has, and then given its own.
 */
public final class WholeFile {
    private static final Logger log = LoggerFactory.getLogger(WholeFile.class);
    private static final int ASIDE_NAMES_MAX = 10_000;
    private static final int CHUNK_BYTES = 16 << 10;

    private WholeFile() {}

    /**
     * All bytes of a file.
     *
     * @throws java.nio.file.NoSuchFileException if there is no such file
     */
    public static byte[] read(FileStore files, String path) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] chunk = new byte[CHUNK_BYTES];
        try (ReadFile file = files.open(path)) {
            for (int n; (n = file.read(all.size(), chunk, 0, chunk.length)) > 0; ) {
                all.write(chunk, 0, n);
            }
        }
        return all.toByteArray();
    }

    /**
     * Writes {@code name} in a directory, which must exist, as {@link #publish(FileStore, String,
     * String, byte[])} does; aside it is {@code _NAME.aside-0} or a later number.
     */
    public static boolean publishIn(FileStore files, String directory, String name, byte[] content)
            throws IOException {
        return publish(files, directory + "/_" + name + ".aside-", directory + "/" + name, content);
    }

    /**
     * Writes a file, unless one stands there. Its bytes are durable on return; its name is once the
     * caller has synced the directory. Leaves nothing aside, but for a crash: what is tried again
     * and again on a full disk must not run out of names.
     *
     * @param asidePrefix path to write it under before, to which a number is added
     * @return false if something stands at the path; it is not touched
     */
    public static boolean publish(FileStore files, String asidePrefix, String path, byte[] content)
            throws IOException {
        Aside aside = create(files, asidePrefix);
        boolean published = false;
        try {
            try (AppendFile file = aside.file()) {
                file.write(content, 0, content.length);
                file.sync();
            }
            published = files.publish(aside.path(), path);
            return published;
        } finally {
            if (!published) {
                discard(files, aside.path());
            }
        }
    }

    private record Aside(String path, AppendFile file) {}

    private static Aside create(FileStore files, String prefix) throws IOException {
        for (int i = 0; i < ASIDE_NAMES_MAX; i++) {
            try {
                return new Aside(prefix + i, files.create(prefix + i));
            } catch (FileAlreadyExistsException e) {
                // of another writer, or left behind by a crash
            }
        }
        throw new IOException(
                "Expected a free name among %s0 to %s%d, but all are taken"
                        .formatted(prefix, prefix, ASIDE_NAMES_MAX - 1));
    }

    private static void discard(FileStore files, String path) {
        try {
            files.delete(path);
        } catch (IOException e) {
            log.debug("{} could not be deleted, and only takes space: {}", path, e.toString());
        }
    }
}
