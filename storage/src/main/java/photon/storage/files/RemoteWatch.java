package photon.storage.files;

import static java.util.Objects.requireNonNull;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
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
import photon.storage.files.DirectoryRules.Candidate;
import photon.storage.files.DirectoryRules.Known;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.FileStore.Watch;
import photon.storage.files.FileStore.Writer;

/**
 * A glob of HDFS, looked at again and again at the price of a few calls of the NameNode and not of
 * one for each directory that matches: which are listed, {@link DirectoryRules} says. A listing
 * also tells which files are being written: the length that a NameNode knows of these stands still
 * for as long as their writer only flushes. Not thread-safe.
 */
final class RemoteWatch implements Watch {
    private final DistributedFileSystem fileSystem;
    private final OpenLogs openLogs;
    private final Function<FileStatus, FileInfo> info;
    private final String pattern;
    private final Predicate<String> leftOut;
    private final Path base;

    /** From the first with a wildcard on. */
    private final List<Component> components;

    private final Map<Path, Directory> known = new HashMap<>();

    /** One name of the pattern. */
    private record Component(String name, boolean wild) {}

    /**
     * A directory that was found, before it is listed.
     *
     * @param exact false: the time may be another one's, or have moved since it was found
     */
    private record Found(Path path, long millis, boolean exact) {}

    /** As it was listed last: what of it matches. */
    private record Directory(Known known, List<FileInfo> entries) {}

    /**
     * @param pattern without an alternative that goes on behind a slash
     * @param leftOut as in {@link FileStore#watch}
     */
    RemoteWatch(
            DistributedFileSystem fileSystem,
            OpenLogs openLogs,
            Function<FileStatus, FileInfo> info,
            String pattern,
            Predicate<String> leftOut) {
        this.leftOut = leftOut;
        this.fileSystem = fileSystem;
        this.openLogs = openLogs;
        this.info = info;
        this.pattern = pattern;
        String directory = Globs.fixedDirectory(pattern);
        base = new Path(directory.endsWith("/") ? directory : directory + "/");
        components = new ArrayList<>();
        for (String name : pattern.substring(directory.length()).split("/")) {
            if (!name.isEmpty()) {
                components.add(new Component(name, Globs.isWild(name)));
            }
        }
    }

    @Override
    public List<FileInfo> look(long nanoTime) throws IOException {
        try {
            return lookNow(nanoTime);
        } catch (IOException e) {
            throw RemoteFiles.notListed(pattern, e);
        }
    }

    private List<FileInfo> lookNow(long nanoTime) throws IOException {
        Set<Path> visited = new HashSet<>();
        List<Found> level = List.of(new Found(base, -1, false));
        for (Component component : components.subList(0, components.size() - 1)) {
            List<Found> next = new ArrayList<>();
            if (!component.wild()) {
                for (Found directory : level) {
                    // Where a name comes into being, the time of its directory moves.
                    next.add(
                            new Found(
                                    new Path(directory.path(), component.name()),
                                    directory.millis(),
                                    false));
                }
            } else {
                for (FileInfo entry : entries(level, component, nanoTime, visited)) {
                    if (entry.directory()) {
                        Path path = new Path(entry.path());
                        boolean now = isListedNow(path.getParent(), nanoTime);
                        next.add(new Found(path, entry.modifiedMillis(), now));
                    }
                }
            }
            level = next;
        }
        List<FileInfo> files = new ArrayList<>();
        Component last = components.get(components.size() - 1);
        for (FileInfo entry : entries(level, last, nanoTime, visited)) {
            if (!entry.directory()) {
                files.add(entry);
            }
        }
        known.keySet().retainAll(visited);
        return files;
    }

    private boolean isListedNow(@Nullable Path directory, long nanoTime) {
        Directory listed = directory == null ? null : known.get(directory);
        return listed != null && listed.known().listedNanos() == nanoTime;
    }

    /** What of these directories' entries the component matches; lists those that are due. */
    private List<FileInfo> entries(
            List<Found> directories, Component component, long nanoTime, Set<Path> visited)
            throws IOException {
        List<Candidate<Path>> candidates = new ArrayList<>();
        for (Found directory : directories) {
            Directory before = known.get(directory.path());
            candidates.add(
                    new Candidate<>(
                            directory.path(),
                            directory.millis(),
                            directory.exact(),
                            before == null ? null : before.known()));
        }
        Set<Path> due = DirectoryRules.toList(candidates, nanoTime);
        List<FileInfo> entries = new ArrayList<>();
        for (Found directory : directories) {
            visited.add(directory.path());
            Directory now = known.get(directory.path());
            if (now == null || due.contains(directory.path())) {
                now = list(directory, component, now, nanoTime);
                known.put(directory.path(), now);
            }
            entries.addAll(now.entries());
        }
        return entries;
    }

    private Directory list(
            Found directory, Component component, @Nullable Directory before, long nanoTime)
            throws IOException {
        List<FileInfo> entries = new ArrayList<>();
        boolean writing = false;
        for (FileStatus entry : matching(directory.path(), component)) {
            openLogs.listed(entry);
            FileInfo file = info.apply(entry);
            writing |= file.writer() == Writer.OPEN;
            entries.add(file);
        }
        boolean same = before != null && before.entries().equals(entries);
        boolean settled = before != null && before.known().millis() == directory.millis();
        return new Directory(
                new Known(
                        directory.millis(),
                        settled,
                        nanoTime,
                        same ? requireNonNull(before).known().changedNanos() : nanoTime,
                        writing),
                entries);
    }

    private List<FileStatus> matching(Path directory, Component component) throws IOException {
        List<FileStatus> found = new ArrayList<>();
        GlobFilter filter = component.wild() ? new GlobFilter(component.name()) : null;
        Path listed = filter == null ? new Path(directory, component.name()) : directory;
        RemoteIterator<LocatedFileStatus> entries = listed(listed);
        while (entries != null && entries.hasNext()) {
            FileStatus entry = entries.next();
            // A file is listed as its own only entry.
            boolean isItself = entry.getPath().depth() == listed.depth();
            boolean matches =
                    filter == null
                            ? isItself
                            : !isItself
                                    && filter.accept(entry.getPath())
                                    && !leftOut.test(entry.getPath().getName());
            if (matches) {
                found.add(entry);
            }
        }
        return found;
    }

    /** Null: nothing stands there. */
    private @Nullable RemoteIterator<LocatedFileStatus> listed(Path path) throws IOException {
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

    /**
     * HDFS denies access to what lies below a file, and does not say to everybody what it is: what
     * lies above tells.
     */
    static boolean isBelowAFile(FileSystem fileSystem, Path path) throws IOException {
        Path above = path.getParent();
        while (above != null) {
            try {
                return !fileSystem.getFileStatus(above).isDirectory();
            } catch (FileNotFoundException | ParentNotDirectoryException e) {
                return true;
            } catch (AccessControlException e) {
                above = above.getParent(); // nearer to the root it may be said
            }
        }
        return false;
    }
}
