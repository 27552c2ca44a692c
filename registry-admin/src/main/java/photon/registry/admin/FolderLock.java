package photon.registry.admin;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
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
 * <p>It saves work. Two runs that both believed to have it would harm no backup that has its name:
 * names are taken exclusively, and on HDFS a directory is renamed or deleted at once.
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
        // Made first, and looked at only if it exists: so no run deletes a lock that another holds.
        Optional<AppendFile> made = make(lock);
        if (made.isEmpty() && isLeft(lock)) {
            lock.files().delete(lock.path());
            made = make(lock);
        }
        AppendFile file =
                made.orElseThrow(
                        () ->
                                taken(
                                        folder,
                                        "Wait until it has ended; if it was killed, HDFS lets go of the file about 20 minutes later"));
        return () -> {
            // While it is open: a closed one is another run's to take.
            lock.files().delete(lock.path());
            try {
                file.close();
            } catch (IOException e) {
                LOG.debug("Expected no more of the lock, since it is deleted", e);
            }
        };
    }

    /** Empty: it is there. */
    private static Optional<AppendFile> make(BackupPlace lock) throws IOException {
        try {
            return Optional.of(lock.files().create(lock.path()));
        } catch (FileAlreadyExistsException e) {
            return Optional.empty();
        }
    }

    /** True: the NameNode has closed it for a run that was killed. */
    private static boolean isLeft(BackupPlace lock) throws IOException {
        try (ReadFile file = lock.files().open(lock.path())) {
            return file.writer() == Writer.CLOSED;
        } catch (NoSuchFileException e) {
            return true;
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
