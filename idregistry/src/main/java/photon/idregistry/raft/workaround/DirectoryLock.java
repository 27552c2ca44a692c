package photon.idregistry.raft.workaround;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;

/**
 * Keeps a second server out of a data directory, before anything in it is looked at. Ratis locks
 * each group's directory only when it opens it, and files in there are put right before.
 */
public final class DirectoryLock implements AutoCloseable {
    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * @throws ConfigException if the directory cannot be written, or another server has it
     */
    public static DirectoryLock take(Path directory) {
        FileChannel channel;
        try {
            Files.createDirectories(directory);
            channel =
                    FileChannel.open(
                            directory.resolve("lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new ConfigException(
                    "Cannot write to the registry's data directory "
                            + directory
                            + ": "
                            + e
                            + ". Expected a directory that is ours to write");
        }
        if (tryLock(channel) == null) {
            closeQuietly(channel);
            throw new ConfigException(
                    "Another registry server runs on the data directory "
                            + directory
                            + ". Expected a directory of this server's own");
        }
        return new DirectoryLock(channel);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) {
        try {
            return channel.tryLock();
        } catch (IOException | OverlappingFileLockException e) {
            return null;
        }
    }

    @Override
    public void close() {
        closeQuietly(channel);
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // Closing gives the lock up; there is nothing else to lose.
        }
    }
}
