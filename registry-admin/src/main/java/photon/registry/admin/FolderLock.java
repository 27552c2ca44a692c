package photon.registry.admin;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.registry.admin.backup.BackupPlace;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.files.FileStore.Writer;

/**
 * Keeps two runs from changing one folder of backups at a time. On this machine it is a lock of the
 * operating system's, and its file is never deleted, or two runs could each lock one. On HDFS it is
 * a file that this process holds open: the NameNode closes it for a process that has died.
 *
 * <p>It saves work. Two runs that both believed to have it would harm no backup: names are taken
 * exclusively, and on HDFS a directory is renamed or deleted at once.
 */
final class FolderLock implements AutoCloseable {
    /** Its file. */
    static final String NAME = "photon-backup.lock";

    private static final Logger LOG = LoggerFactory.getLogger(FolderLock.class);

    private final AutoCloseable held;

    private FolderLock(AutoCloseable held) {
        this.held = held;
    }

    /**
     * @throws BackupFolder.UnusableException if another run holds it
     */
    static FolderLock take(BackupPlace folder) throws IOException {
        return new FolderLock(
                folder.isLocal() ? local(folder) : remote(folder, folder.resolve(NAME)));
    }

    private static AutoCloseable local(BackupPlace folder) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        Path.of(folder.resolve(NAME).path()),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        boolean locked = false;
        try {
            locked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            throw taken(folder, "Wait until it has ended");
        } finally {
            if (!locked) {
                channel.close();
            }
        }
        if (!locked) {
            throw taken(folder, "Wait until it has ended");
        }
        return channel;
    }

    private static AutoCloseable remote(BackupPlace folder, BackupPlace lock) throws IOException {
        if (isOpen(lock)) {
            throw taken(
                    folder,
                    "Wait until it has ended; if it was killed, HDFS lets go of the file about 20 minutes later");
        }
        lock.files().delete(lock.path());
        AppendFile file;
        try {
            file = lock.files().create(lock.path());
        } catch (FileAlreadyExistsException e) {
            throw taken(folder, "Wait until it has ended");
        }
        return () -> {
            file.close();
            lock.files().delete(lock.path());
        };
    }

    /** True: who made it has not closed it. */
    private static boolean isOpen(BackupPlace lock) throws IOException {
        try (ReadFile file = lock.files().open(lock.path())) {
            return file.writer() == Writer.OPEN;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static BackupFolder.UnusableException taken(BackupPlace folder, String advice) {
        return new BackupFolder.UnusableException(
                "another 'photon registry backup' writes into %s and holds its %s. %s"
                        .formatted(folder, NAME, advice));
    }

    /** What was done under it stands, whatever becomes of it. */
    @Override
    public void close() {
        try {
            held.close();
        } catch (Exception e) {
            LOG.warn("The lock {} is not let go of: {}", NAME, e.toString());
        }
    }
}
