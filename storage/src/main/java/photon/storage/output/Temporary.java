package photon.storage.output;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.AppendFile;

/** A file of a name that nobody else has, to be written, synced and then given its real name. */
record Temporary(String path, AppendFile file) {
    private static final Logger log = LoggerFactory.getLogger(Temporary.class);
    private static final int TRIES_MAX = 10_000;

    /**
     * Unique by exclusive creation: what others have begun, or left behind in a crash, is never
     * written to.
     */
    static Temporary create(FileStore files, String directory, String what) throws IOException {
        for (int i = 0; i < TRIES_MAX; i++) {
            String path = pathPrefix(directory, what) + i;
            try {
                return new Temporary(path, files.create(path));
            } catch (FileAlreadyExistsException e) {
                // somebody else's
            }
        }
        throw new IOException(
                "Expected a free name among %d temporaries %s in %s"
                        .formatted(TRIES_MAX, what, directory));
    }

    /** What the path of such a file begins with; a number follows. */
    static String pathPrefix(String directory, String what) {
        return directory + "/" + prefix(what);
    }

    private static String prefix(String what) {
        return "_tmp-" + what + "-";
    }

    /** Whether a file of this name is one that {@link #create} made for this. */
    static boolean isOf(String name, String what) {
        return name.startsWith(prefix(what));
    }

    /**
     * Deletes temporaries of ours that are closed: a call that is tried again and again must not
     * fill the disk with what it left behind.
     */
    static void discard(FileStore files, Collection<String> paths) {
        for (String path : paths) {
            try {
                files.delete(path);
            } catch (IOException e) {
                // Only space is lost, until the sealing is done and clears the directory.
                log.debug("Temporary {} stays: {}", path, e.toString());
            }
        }
    }
}
