package photon.storage.files;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What globs say of themselves, without a look at any file that they match. */
public final class Globs {
    private static final String WILD = "*?[{\\";

    private Globs() {}

    /**
     * The directory in which all that a glob can match lies: its part before the first component
     * that has a wildcard, or of a plain path the parent.
     *
     * @param pattern absolute, with or without a scheme such as {@code hdfs://name}
     */
    public static String fixedDirectory(String pattern) {
        int literal = 0;
        while (literal < pattern.length() && WILD.indexOf(pattern.charAt(literal)) < 0) {
            literal++;
        }
        int slash = pattern.lastIndexOf('/', literal - 1);
        int root = pattern.indexOf("://");
        int first = root < 0 ? 0 : pattern.indexOf('/', root + 3);
        return slash <= first ? pattern.substring(0, slash + 1) : pattern.substring(0, slash);
    }

    /** Whether a path, or a component of one, has a wildcard or an escape. */
    public static boolean isWild(String text) {
        return text.chars().anyMatch(character -> WILD.indexOf(character) >= 0);
    }

    /** True: an alternative such as {@code {a/b,c}} goes on behind a slash. */
    static boolean isCutInBraces(String pattern) {
        int open = 0;
        for (int i = 0; i < pattern.length(); i++) {
            char character = pattern.charAt(i);
            open += character == '{' ? 1 : character == '}' ? -1 : 0;
            if (character == '/' && open != 0) {
                return true;
            }
        }
        return false;
    }

    /** A pattern that matches this path alone. */
    public static String escape(String path) {
        StringBuilder pattern = new StringBuilder();
        for (int i = 0; i < path.length(); i++) {
            char character = path.charAt(i);
            pattern.append(WILD.indexOf(character) < 0 ? "" : "\\").append(character);
        }
        return pattern.toString();
    }

    /** The {@link #fixedDirectory}s that are not there now, each once. */
    public static List<String> missingDirectories(FileStore files, List<String> patterns)
            throws IOException {
        List<String> missing = new ArrayList<>();
        for (String pattern : patterns) {
            String directory = fixedDirectory(pattern);
            FileStore.FileInfo there = files.stat(directory);
            if ((there == null || !there.directory()) && !missing.contains(directory)) {
                missing.add(directory);
            }
        }
        return missing;
    }
}
