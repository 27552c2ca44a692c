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
        } while (!isRoot(at) && files.stat(at) == null);
        files.createDirectories(directory);
        for (String parent : parentsOfNew) {
            files.syncDirectory(parent);
        }
    }

    private static String parent(String path) {
        int root = rootLength(path);
        int slash = path.lastIndexOf('/');
        return path.substring(0, Math.max(root, slash));
    }

    private static boolean isRoot(String path) {
        return path.length() == rootLength(path);
    }

    /** Of {@code /}, or of a URI's part such as {@code hdfs://namenode/}. */
    private static int rootLength(String path) {
        int authority = path.indexOf("://");
        return authority < 0 ? 1 : path.indexOf('/', authority + 3) + 1;
    }
}
