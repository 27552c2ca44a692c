package photon.storage.files;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * Files of HDFS, and for reading those of any other file system that Hadoop knows: writing needs
 * hflush and hsync. Names are the NameNode's and durable with each call, so that there is no
 * directory to sync. A file's key is HDFS's file id; elsewhere, where none exists, its path.
 */
final class RemoteFiles implements FileStore {
    /**
     * Together 10 s, less than a loop may stand still. The caller tries again, which asks again: a
     * NameNode does not repeat by itself what its DataNodes could not do.
     */
    private static final int RECOVERY_TRIES_MAX = 20;

    private static final long RECOVERY_WAIT_MILLIS = 500;
    private static final int BUFFER_BYTES = 64 << 10;

    /** Makes the configuration when it is needed. */
    @FunctionalInterface
    interface Settings {
        Configuration get() throws IOException;
    }

    private final Settings settings;
    private final OpenLogs openLogs = new OpenLogs();
    private @Nullable Configuration configuration;

    RemoteFiles(Settings settings) {
        this.settings = settings;
    }

    @Override
    public List<FileInfo> glob(String pattern) throws IOException {
        List<FileInfo> found = new ArrayList<>(watching(pattern, name -> false).look(0));
        found.sort(Comparator.comparing(FileInfo::path));
        return found;
    }

    @Override
    public Watch watch(String pattern, Predicate<String> leftOut) {
        return new Watch() {
            private @Nullable Watch watch;

            @Override
            public List<FileInfo> look(long nanoTime) throws IOException {
                if (watch == null) {
                    watch = watching(pattern, leftOut);
                }
                return watch.look(nanoTime);
            }
        };
    }

    private Watch watching(String pattern, Predicate<String> leftOut) throws IOException {
        FileSystem fileSystem = fileSystem(new Path(pattern));
        return fileSystem instanceof DistributedFileSystem hdfs && !Globs.isCutInBraces(pattern)
                ? new RemoteWatch(hdfs, openLogs, RemoteFiles::info, pattern, leftOut)
                : nanoTime -> globbed(fileSystem, pattern);
    }

    private static List<FileInfo> globbed(FileSystem fileSystem, String pattern)
            throws IOException {
        List<FileInfo> found = new ArrayList<>();
        try {
            FileStatus[] matches = fileSystem.globStatus(new Path(pattern));
            for (FileStatus match : matches == null ? new FileStatus[0] : matches) {
                if (match.isFile()) {
                    found.add(info(match));
                }
            }
        } catch (IOException e) {
            throw notListed(pattern, e);
        }
        return found;
    }

    static IOException notListed(String pattern, IOException e) {
        return e instanceof AccessControlException
                ? new IOException("Cannot list " + pattern, e)
                : new UnavailableException("Cannot list " + pattern, e);
    }

    @Override
    public List<FileInfo> list(String directory) throws IOException {
        Path path = new Path(directory);
        FileSystem fileSystem = fileSystem(path);
        List<FileInfo> found = new ArrayList<>();
        try {
            for (FileStatus entry : fileSystem.listStatus(path)) {
                // A file is listed as its own only entry.
                if (entry.getPath().depth() > path.depth()) {
                    found.add(info(entry));
                }
            }
        } catch (FileNotFoundException e) {
            return List.of();
        } catch (AccessControlException e) {
            if (RemoteWatch.isBelowAFile(fileSystem, path)) {
                return List.of();
            }
            throw denied(directory, e);
        } catch (IOException e) {
            throw new UnavailableException("Cannot list " + directory, e);
        }
        found.sort(Comparator.comparing(FileInfo::path));
        return found;
    }

    @Override
    public @Nullable FileInfo stat(String path) throws IOException {
        Path file = new Path(path);
        FileSystem fileSystem = fileSystem(file);
        try {
            return info(fileSystem.getFileStatus(file));
        } catch (FileNotFoundException | ParentNotDirectoryException e) {
            return null;
        } catch (AccessControlException e) {
            if (RemoteWatch.isBelowAFile(fileSystem, file)) {
                return null;
            }
            throw denied(path, e);
        } catch (IOException e) {
            throw notRead(path, e);
        }
    }

    @Override
    public ReadFile open(String path) throws IOException {
        Path file = new Path(path);
        try {
            return new RemoteReadFile(fileSystem(file), openLogs, file);
        } catch (IOException e) {
            throw notRead(path, e);
        }
    }

    /** What it says of the file; or else that its file system, or a part of it, does not answer. */
    static IOException notRead(String path, IOException e) {
        if (e instanceof FileNotFoundException) {
            return noSuchFile(path, e);
        }
        if (e instanceof AccessControlException) {
            return denied(path, e);
        }
        return e instanceof FileSystemException
                ? e
                : new UnavailableException("Cannot read " + path, e);
    }

    @Override
    public AppendFile create(String path) throws IOException {
        Path file = new Path(path);
        FileSystem fileSystem = fileSystem(file);
        FSDataOutputStream out;
        try {
            out =
                    fileSystem.createNonRecursive(
                            file,
                            FsPermission.getFileDefault(),
                            // Never OVERWRITE: it cuts a live log. hsync syncs the last block
                            // alone, so each block before is synced as it ends.
                            EnumSet.of(CreateFlag.CREATE, CreateFlag.SYNC_BLOCK),
                            BUFFER_BYTES,
                            fileSystem.getDefaultReplication(file),
                            fileSystem.getDefaultBlockSize(file),
                            null);
        } catch (org.apache.hadoop.fs.FileAlreadyExistsException e) {
            throw alreadyExists(path, e);
        } catch (FileNotFoundException | ParentNotDirectoryException e) {
            throw noSuchFile(path, e);
        } catch (RemoteException e) {
            // What HDFS says of a file that somebody, perhaps ourselves, has open.
            boolean beingWritten =
                    e.getClassName().endsWith(".AlreadyBeingCreatedException")
                            || e.getClassName().endsWith(".RecoveryInProgressException");
            throw beingWritten ? alreadyExists(path, e) : e;
        }
        if (!out.hasCapability(StreamCapabilities.HSYNC)) {
            out.close();
            throw new IOException(
                    "Expected a file system with hflush and hsync, but that of "
                            + path
                            + " has none");
        }
        return new RemoteAppendFile(path, out);
    }

    /**
     * HDFS calls the making of a directory that stands a success, so it is made aside and renamed,
     * which is exclusive.
     */
    @Override
    public void createDirectory(String path) throws IOException {
        Path directory = new Path(path);
        Path parent = directory.getParent();
        if (parent == null) {
            throw new FileAlreadyExistsException(path);
        }
        FileSystem fileSystem = fileSystem(directory);
        if (stat(parent.toString()) == null) {
            throw new NoSuchFileException(path, null, "its parent does not exist");
        }
        Path aside = new Path(parent, "_making-" + UUID.randomUUID());
        fileSystem.mkdirs(aside);
        try {
            rename(aside.toString(), path);
        } catch (IOException e) {
            fileSystem.delete(aside, true);
            throw e;
        }
    }

    @Override
    public void createDirectories(String path) throws IOException {
        Path directory = new Path(path);
        if (!fileSystem(directory).mkdirs(directory)) {
            throw new IOException("Expected to make " + path + ", but the file system refused");
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Path source = new Path(from);
        FileSystem fileSystem = fileSystem(source);
        try {
            if (fileSystem instanceof DistributedFileSystem hdfs) {
                hdfs.rename(source, new Path(to), Options.Rename.NONE);
            } else {
                FileContext.getFileContext(fileSystem.getUri(), configuration())
                        .rename(source, new Path(to), Options.Rename.NONE);
            }
        } catch (org.apache.hadoop.fs.FileAlreadyExistsException e) {
            throw alreadyExists(to, e);
        } catch (FileNotFoundException | ParentNotDirectoryException e) {
            throw noSuchFile(from, e);
        } catch (RemoteException e) {
            // A file onto a directory, or the other way round, is refused with another reason.
            throw stat(to) != null ? alreadyExists(to, e) : e;
        }
    }

    @Override
    public boolean publish(String from, String to) throws IOException {
        try {
            rename(from, to);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    @Override
    public void delete(String path) throws IOException {
        Path file = new Path(path);
        if (!fileSystem(file).delete(file, true) && stat(path) != null) {
            throw new IOException("Expected to delete " + path + ", but it is still there");
        }
    }

    @Override
    public void syncDirectory(String directory) {
        // Names are durable when the call that made them returned.
    }

    @Override
    public void recover(String path) throws IOException {
        Path file = new Path(path);
        if (!(fileSystem(file) instanceof LeaseRecoverable leases)) {
            return;
        }
        boolean closed;
        try {
            closed = leases.recoverLease(file);
        } catch (FileNotFoundException e) {
            throw noSuchFile(path, e);
        }
        for (int i = 0; !closed && i < RECOVERY_TRIES_MAX; i++) {
            try {
                Thread.sleep(RECOVERY_WAIT_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("Interrupted while recovering " + path);
            }
            closed = leases.isFileClosed(file);
        }
        if (!closed) {
            throw new IOException(
                    "Expected lease recovery to close %s within %s s, but it is still open: its last block's DataNodes may be away"
                            .formatted(path, RECOVERY_TRIES_MAX * RECOVERY_WAIT_MILLIS / 1000));
        }
    }

    private static FileInfo info(FileStatus status) {
        String path = status.getPath().toString();
        String key =
                status instanceof HdfsFileStatus hdfs
                        ? status.getPath().toUri().getAuthority() + ":" + hdfs.getFileId()
                        : path;
        return new FileInfo(
                path,
                key,
                status.isDirectory() ? 0 : status.getLen(),
                status.isDirectory(),
                status.getModificationTime(),
                writer(status));
    }

    private static Writer writer(FileStatus status) {
        if (!(status instanceof HdfsLocatedFileStatus located)
                || located.getLocatedBlocks() == null) {
            return Writer.UNKNOWN;
        }
        return located.getLocatedBlocks().isUnderConstruction() ? Writer.OPEN : Writer.CLOSED;
    }

    private FileSystem fileSystem(Path path) throws IOException {
        URI uri = path.toUri();
        if (uri.getScheme() == null) {
            throw new IOException("Expected an absolute path or a URI, but got " + path);
        }
        try {
            return path.getFileSystem(configuration()); // Hadoop keeps one a scheme, host and user
        } catch (IllegalArgumentException e) {
            // So Hadoop says that no address is known for a host, now at least.
            throw new IOException("Cannot reach " + uri + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            if (!(e.getCause() instanceof ClassNotFoundException)) {
                throw e;
            }
            // So Hadoop says that it knows a scheme, whose client is in jars of its own.
            throw new IOException(
                    "Cannot reach %s: the jars of Hadoop's client for %s are not in lib (%s)"
                            .formatted(uri, uri.getScheme(), e.getCause().getMessage()),
                    e);
        }
    }

    private synchronized Configuration configuration() throws IOException {
        if (configuration == null) {
            configuration = settings.get();
        }
        return configuration;
    }

    private static FileAlreadyExistsException alreadyExists(String path, Exception cause) {
        FileAlreadyExistsException exists = new FileAlreadyExistsException(path);
        exists.initCause(cause);
        return exists;
    }

    private static AccessDeniedException denied(String path, Exception cause) {
        AccessDeniedException denied = new AccessDeniedException(path);
        denied.initCause(cause);
        return denied;
    }

    private static NoSuchFileException noSuchFile(String path, Exception cause) {
        NoSuchFileException missing = new NoSuchFileException(path);
        missing.initCause(cause);
        return missing;
    }
}
