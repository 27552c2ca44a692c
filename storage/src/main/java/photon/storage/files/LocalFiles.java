package photon.storage.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Files of this machine. Not through Hadoop, whose local file system looks first and creates after,
 * makes parents unasked, replaces on rename and has no directory sync (docs/protocol.md section 7).
 */
final class LocalFiles implements FileStore {
    private static final String ATTRIBUTES = "unix:dev,ino,mode,size,lastModifiedTime";

    private final LocalGlob glob = new LocalGlob();
    private final SkippedFiles skipped = new SkippedFiles();

    @Override
    public List<FileInfo> glob(String pattern) throws IOException {
        return glob(pattern, name -> false);
    }

    @Override
    public Watch watch(String pattern, Predicate<String> leftOut) {
        return nanoTime -> glob(pattern, leftOut);
    }

    private List<FileInfo> glob(String pattern, Predicate<String> leftOut) throws IOException {
        List<FileInfo> found = new ArrayList<>();
        for (String path : glob.expand(pattern, leftOut)) {
            if (!isKnown(path)) {
                skipped.skipUnreadable(path);
                continue;
            }
            Map<String, Object> attributes = attributes(path);
            LocalKind kind = LocalKind.of(attributes.get("mode"));
            if (kind == LocalKind.REGULAR) {
                found.add(info(path, attributes));
            } else if (!attributes.isEmpty() && kind != LocalKind.DIRECTORY) {
                skipped.skip(path, kind);
            }
        }
        found.sort(Comparator.comparing(FileInfo::path));
        return found;
    }

    /** False: its name has bytes that the locale of this process has no characters for. */
    private static boolean isKnown(String path) {
        try {
            Path unused = Path.of(path);
            return true;
        } catch (InvalidPathException e) {
            return false;
        }
    }

    @Override
    public List<FileInfo> list(String directory) throws IOException {
        List<FileInfo> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of(directory))) {
            for (Path entry : entries) {
                FileInfo info = stat(entry.toString());
                if (info != null) { // else it went in between
                    found.add(info);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (java.nio.file.FileSystemException e) {
            if (isBelowAFile(Path.of(directory))) {
                return List.of();
            }
            throw e;
        } catch (java.nio.file.DirectoryIteratorException e) {
            throw e.getCause();
        }
        found.sort(Comparator.comparing(FileInfo::path));
        return found;
    }

    @Override
    public @Nullable FileInfo stat(String path) throws IOException {
        Map<String, Object> attributes = attributes(path);
        return attributes.isEmpty() ? null : info(path, attributes);
    }

    /** Of what stands at the path, or at the end of the links there; empty if nothing does. */
    private static Map<String, Object> attributes(String path) throws IOException {
        Path file = Path.of(path);
        try {
            return Files.readAttributes(file, ATTRIBUTES);
        } catch (NoSuchFileException e) {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return Map.of();
            }
            // A symbolic link to nothing still takes the name.
            return Files.readAttributes(file, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
        } catch (java.nio.file.FileSystemException e) {
            if (isBelowAFile(file)) {
                return Map.of();
            }
            if (!(e instanceof AccessDeniedException) && Files.isSymbolicLink(file)) {
                // Links in a circle, which must not make the whole listing fail.
                return Files.readAttributes(file, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
            }
            throw e;
        }
    }

    private static FileInfo info(String path, Map<String, Object> attributes) {
        boolean directory = LocalKind.of(attributes.get("mode")) == LocalKind.DIRECTORY;
        return new FileInfo(
                path,
                attributes.get("dev") + ":" + attributes.get("ino"),
                directory || !(attributes.get("size") instanceof Long size) ? 0 : size,
                directory,
                attributes.get("lastModifiedTime") instanceof FileTime time ? time.toMillis() : 0);
    }

    @Override
    public ReadFile open(String path) throws IOException {
        return LocalReadFile.open(Path.of(path));
    }

    @Override
    public AppendFile create(String path) throws IOException {
        Path file = Path.of(path);
        try {
            return LocalAppendFile.create(file);
        } catch (FileAlreadyExistsException | NoSuchFileException e) {
            throw e;
        } catch (java.nio.file.FileSystemException e) {
            throw isBelowAFile(file) ? noParent(path) : e;
        }
    }

    @Override
    public void createDirectory(String path) throws IOException {
        Files.createDirectory(Path.of(path));
    }

    /** Syncs the directories that got a new entry, so that the whole path is durable. */
    @Override
    public void createDirectories(String path) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        Path at = Path.of(path);
        while (at != null && !Files.isDirectory(at)) {
            missing.push(at);
            at = at.getParent();
        }
        for (Path directory : missing) {
            try {
                Files.createDirectory(directory);
            } catch (FileAlreadyExistsException e) {
                if (!Files.isDirectory(directory)) {
                    throw e;
                }
            }
            Path parent = directory.getParent();
            if (parent != null) {
                syncDirectory(parent.toString());
            }
        }
    }

    /**
     * A file gets its new name as a hard link, which fails if the name is taken, and then loses the
     * old one. Directories have no such call: the kernel itself never replaces a file or a
     * directory with entries by a directory, and the name is looked at first for the rest.
     */
    @Override
    public void rename(String from, String to) throws IOException {
        Path source = Path.of(from);
        Path target = Path.of(to);
        if (!Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
            link(source, target);
            Files.delete(source);
            return;
        }
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(to);
        }
        try {
            Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (java.nio.file.DirectoryNotEmptyException e) {
            throw alreadyExists(to, e);
        }
    }

    @Override
    public boolean publish(String from, String to) throws IOException {
        Path source = Path.of(from);
        Path target = Path.of(to);
        try {
            link(source, target);
        } catch (FileAlreadyExistsException e) {
            if (!isSameFile(source, target)) {
                return false;
            }
            // We ourselves stopped between link and removal.
        }
        Files.delete(source);
        return true;
    }

    @Override
    public void delete(String path) throws IOException {
        Path file = Path.of(path);
        if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(file);
            return;
        }
        Files.walkFileTree(
                file,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path entry, BasicFileAttributes attributes)
                            throws IOException {
                        Files.deleteIfExists(entry);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path entry, @Nullable IOException error) throws IOException {
                        if (error != null) {
                            throw error;
                        }
                        Files.deleteIfExists(entry);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    @Override
    public void syncDirectory(String directory) throws IOException {
        LocalAppendFile.syncDirectory(Path.of(directory));
    }

    @Override
    public void recover(String path) {
        // The kernel closed the dead writer's file.
    }

    private static void link(Path source, Path target) throws IOException {
        try {
            Files.createLink(target, source);
        } catch (FileAlreadyExistsException | NoSuchFileException e) {
            throw e;
        } catch (UnsupportedOperationException e) {
            throw new IOException(
                    "Expected a file system with hard links, but "
                            + target
                            + " lies on one without: it has no exclusive rename",
                    e);
        }
    }

    private static boolean isSameFile(Path source, Path target) throws IOException {
        return Files.exists(source) && Files.isSameFile(source, target);
    }

    /** True: an ancestor is no directory, which the kernel tells apart from a missing name. */
    private static boolean isBelowAFile(Path file) {
        for (Path at = file.getParent(); at != null; at = at.getParent()) {
            if (Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
                return !Files.isDirectory(at);
            }
        }
        return false;
    }

    private static NoSuchFileException noParent(String path) {
        return new NoSuchFileException(path, null, "its parent is no directory");
    }

    private static FileAlreadyExistsException alreadyExists(String path, Exception cause) {
        FileAlreadyExistsException exists = new FileAlreadyExistsException(path);
        exists.initCause(cause);
        return exists;
    }
}
