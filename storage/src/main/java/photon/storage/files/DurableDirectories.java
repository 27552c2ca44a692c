package photon.storage.files;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Makes directories whose names survive a power cut. */
public final class DurableDirectories {
    private DurableDirectories() {}

    /** Creates the directory with its parents; what exists already is fine. */
    public static void create(FileStore files, String directory) throws IOException {
        List<String> parentsOfNew = new ArrayList<>();
        String at = directory;
        do {
            at = parent(at);
            parentsOfNew.add(at);
        } while (!at.equals("/") && files.stat(at) == null);
        files.createDirectories(directory);
        for (String parent : parentsOfNew) {
            files.syncDirectory(parent);
        }
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }
}
