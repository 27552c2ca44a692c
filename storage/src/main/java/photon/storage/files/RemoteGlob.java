package photon.storage.files;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.GlobFilter;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * Files of a remote file system that match a pattern, with one listing per directory. On HDFS that
 * listing is the one that tells which files are being written: the length that a NameNode knows of
 * these stands still for as long as their writer only flushes.
 */
final class RemoteGlob {
    private RemoteGlob() {}

    /** Files and what else matches, in no order. */
    static List<FileStatus> expand(FileSystem fileSystem, String pattern) throws IOException {
        int slash = pattern.lastIndexOf('/');
        String parent = pattern.substring(0, slash);
        String name = pattern.substring(slash + 1);
        if (!(fileSystem instanceof DistributedFileSystem) || isCutInBraces(parent)) {
            return globbed(fileSystem, pattern);
        }
        List<FileStatus> found = new ArrayList<>();
        if (!Globs.isWild(name)) {
            for (Path directory : directories(fileSystem, parent)) {
                addFile(fileSystem, new Path(directory, name), found);
            }
            return found;
        }
        GlobFilter filter = new GlobFilter(name);
        for (Path directory : directories(fileSystem, parent)) {
            addEntries(fileSystem, directory, filter, found);
        }
        return found;
    }

    /** A file is listed as its own only entry. */
    private static void addFile(FileSystem fileSystem, Path path, List<FileStatus> found)
            throws IOException {
        RemoteIterator<LocatedFileStatus> entries = listed(fileSystem, path);
        if (entries != null && entries.hasNext()) {
            FileStatus first = entries.next();
            if (first.getPath().depth() == path.depth()) {
                found.add(first);
            }
        }
    }

    private static void addEntries(
            FileSystem fileSystem, Path directory, GlobFilter filter, List<FileStatus> found)
            throws IOException {
        RemoteIterator<LocatedFileStatus> entries = listed(fileSystem, directory);
        while (entries != null && entries.hasNext()) {
            FileStatus entry = entries.next();
            boolean within = entry.getPath().depth() > directory.depth();
            if (within && filter.accept(entry.getPath())) {
                found.add(entry);
            }
        }
    }

    /** Null: nothing stands there. */
    private static @Nullable RemoteIterator<LocatedFileStatus> listed(
            FileSystem fileSystem, Path path) throws IOException {
        try {
            return fileSystem.listLocatedStatus(path);
        } catch (FileNotFoundException e) {
            return null;
        } catch (AccessControlException e) {
            if (isBelowAFile(fileSystem, path)) {
                return null;
            }
            throw e;
        }
    }

    private static List<Path> directories(FileSystem fileSystem, String pattern)
            throws IOException {
        if (!Globs.isWild(pattern)) {
            return List.of(new Path(pattern + "/"));
        }
        List<Path> directories = new ArrayList<>();
        for (FileStatus match : globbed(fileSystem, pattern)) {
            if (match.isDirectory()) {
                directories.add(match.getPath());
            }
        }
        return directories;
    }

    /** HDFS denies access to what lies below a file, but says of each such path what it is. */
    static boolean isBelowAFile(FileSystem fileSystem, Path path) throws IOException {
        try {
            fileSystem.getFileStatus(path);
            return false;
        } catch (FileNotFoundException | ParentNotDirectoryException e) {
            return true;
        }
    }

    /** True: an alternative such as {@code {a/b,c}} goes on behind the last slash. */
    private static boolean isCutInBraces(String parent) {
        long opened = parent.chars().filter(character -> character == '{').count();
        return opened != parent.chars().filter(character -> character == '}').count();
    }

    private static List<FileStatus> globbed(FileSystem fileSystem, String pattern)
            throws IOException {
        FileStatus[] matches = fileSystem.globStatus(new Path(pattern));
        return matches == null ? List.of() : List.of(matches);
    }
}
