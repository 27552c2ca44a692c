package photon.server.lifecycle;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import photon.core.config.LocalPath;
import photon.core.error.ConfigException;
import photon.core.error.IoText;

/** An operating system's lock on a directory: ends with the process, however it ends. */
public final class StateLock implements AutoCloseable {
    private final FileChannel channel;

    private StateLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Locks the file {@code _lock} in the directory, making both if need be.
     *
     * @param what for people: "state" or "output"
     * @throws ConfigException if another process holds it
     */
    public static StateLock take(Path directory, String what) throws IOException {
        return lock(directory, directory.resolve("_lock"), directory, what);
    }

    /**
     * Whether a process has taken the lock of that directory. Makes nothing, and holds the lock for
     * a moment if nobody does. If this process has taken it, it may lose it.
     */
    public static boolean isTaken(Path directory) {
        try (FileChannel channel =
                FileChannel.open(directory.resolve("_lock"), StandardOpenOption.WRITE)) {
            return channel.tryLock() == null;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (IOException e) {
            // No daemon has ever run there, or one of a user whose files this one may not write.
            return false;
        }
    }

    private static StateLock lock(Path holder, Path file, Path directory, String what)
            throws IOException {
        FileChannel channel = open(holder, file, directory, what);
        @Nullable FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            channel.close();
            throw new ConfigException(
                    "The "
                            + what
                            + " directory "
                            + directory
                            + " is in use by another photon process: stop that process, or name another directory");
        }
        return new StateLock(channel);
    }

    private static FileChannel open(Path holder, Path file, Path directory, String what) {
        try {
            Files.createDirectories(holder);
            if (Files.exists(directory) && !Files.isDirectory(directory)) {
                throw new NotDirectoryException(directory.toString());
            }
            return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new ConfigException(
                    "The %s directory %s cannot be used: expected a directory to write in, but %s"
                            .formatted(what, directory, IoText.of(e)));
        }
    }

    /**
     * As {@link #take}, with the lock file beside the directory: what is in it is looked at by
     * others.
     *
     * @param place a path of this machine, or a URI
     * @return null for a URI: the pipeline's identity in that place keeps other pipelines away
     */
    public static @Nullable StateLock takeBeside(String place, String what) throws IOException {
        if (LocalPath.isUri(place)) {
            return null;
        }
        Path directory = Path.of(place);
        Path parent = Objects.requireNonNull(directory.toAbsolutePath().getParent());
        return lock(
                parent, parent.resolve("." + directory.getFileName() + ".lock"), directory, what);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
