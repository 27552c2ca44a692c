package photon.storage.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.fs.GlobExpander;
import org.apache.hadoop.fs.GlobFilter;
import org.apache.hadoop.fs.Path;

/**
 * Hadoop's globs over local files: the same patterns mean the same on HDFS and here. Not by
 * Hadoop's own expansion: that asks for each file's attributes, which takes most of the time of a
 * listing of thousands, and fails at a name with a colon, which no file of HDFS has.
 */
final class LocalGlob {
    /**
     * Paths of what matches now, files and directories, in no order.
     *
     * @param leftOut names that no wildcard finds: directories of such names are not opened
     */
    List<String> expand(String pattern, Predicate<String> leftOut) throws IOException {
        List<String> found = new ArrayList<>();
        // Braces that hold a slash come out of it as several patterns, all others stay.
        for (String flat : GlobExpander.expand(pattern)) {
            found.addAll(expandFlat(flat, leftOut));
        }
        return found;
    }

    private static List<String> expandFlat(String pattern, Predicate<String> leftOut)
            throws IOException {
        List<String> paths = List.of("");
        boolean wild = false;
        for (String component : components(pattern)) {
            GlobFilter filter = new GlobFilter(component);
            wild = filter.hasPattern();
            List<String> next = new ArrayList<>();
            for (String path : paths) {
                if (wild) {
                    next.addAll(matching(path + "/", filter, leftOut));
                } else {
                    next.add(path + "/" + component.replaceAll("\\\\(.)", "$1"));
                }
            }
            paths = next;
        }
        return wild ? paths : paths.stream().filter(LocalGlob::stands).toList();
    }

    /** As Hadoop takes a path: the dots are gone before anything is looked for. */
    private static List<String> components(String pattern) {
        List<String> components = new ArrayList<>();
        for (String component : pattern.split("/+", -1)) {
            if (component.equals("..")) {
                if (!components.isEmpty()) {
                    components.remove(components.size() - 1);
                }
            } else if (!component.isEmpty() && !component.equals(".")) {
                components.add(component);
            }
        }
        return components;
    }

    private static boolean stands(String path) {
        return Files.exists(java.nio.file.Path.of(path), LinkOption.NOFOLLOW_LINKS);
    }

    private static List<String> matching(
            String directory, GlobFilter filter, Predicate<String> leftOut) throws IOException {
        List<String> paths = new ArrayList<>();
        try (DirectoryStream<java.nio.file.Path> entries =
                Files.newDirectoryStream(java.nio.file.Path.of(directory))) {
            for (java.nio.file.Path entry : entries) {
                String path = entry.toString();
                if (filter.accept(new Path(null, null, path))
                        && !leftOut.test(String.valueOf(entry.getFileName()))) {
                    paths.add(path);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (FileSystemException e) {
            if (Files.isDirectory(java.nio.file.Path.of(directory))) {
                throw e;
            }
            return List.of(); // a socket, say
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return paths;
    }
}
