package photon.storage.files;

/** The parts of paths in a {@link MemoryFileStore}: absolute, with '/'. */
final class MemoryPaths {
    private MemoryPaths() {}

    static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
