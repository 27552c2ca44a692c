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

    /** The directory above the part of a pattern that is one. */
    static String literalDirectory(String pattern) {
        int literal = 0;
        while (literal < pattern.length() && "*?[{\\".indexOf(pattern.charAt(literal)) < 0) {
            literal++;
        }
        return parent(pattern.substring(0, literal));
    }
}
