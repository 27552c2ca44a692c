package photon.registry.admin;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import photon.core.error.IoText;
import photon.idregistry.backup.Backup;

/**
 * A folder of backups, each with the time as its name. A backup is written beside its name, and
 * gets the name when it was read back; it loses the name before its files are deleted. So what has
 * the name of a backup was whole. One process changes the folder at a time.
 */
public final class BackupFolder {
    /** Locked while a run changes the folder. Never deleted, or two runs could each lock one. */
    static final String LOCK = "photon-backup.lock";

    private final Path folder;

    /** The folder cannot be used: nothing was made, and nothing deleted. */
    public static final class UnusableException extends IOException {
        UnusableException(String message) {
            super(message);
        }
    }

    /** The backup is there, and older ones are that should not be. */
    public static final class NotDeletedException extends IOException {
        NotDeletedException(String message, IOException cause) {
            super(message, cause);
        }
    }

    /** Makes one backup, read back, in a directory that is not there yet. */
    public interface Maker {
        Backup.Content make(Path directory) throws IOException, BackupRun.FailedException;
    }

    /**
     * A backup that was added.
     *
     * @param remnants of earlier runs that ended in the midst: deleted
     */
    public record Added(
            Path backup, Backup.Content content, BackupRetention retention, List<String> remnants) {
        public Added {
            remnants = List.copyOf(remnants);
        }
    }

    public BackupFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Adds a backup, and then deletes the oldest.
     *
     * @param keep how many stay, the new one included
     * @throws UnusableException if the folder is missing, or another process changes it
     * @throws NotDeletedException if the backup is there, and an older one cannot be deleted
     */
    public Added add(Maker maker, Instant now, int keep)
            throws IOException, BackupRun.FailedException {
        if (!Files.isDirectory(folder)) {
            // Not made: it would rather be a disk that is not mounted.
            throw new UnusableException(
                    folder
                            + " is not a directory. Create it, or mount the disk that should be there");
        }
        try (FileChannel channel =
                FileChannel.open(
                        folder.resolve(LOCK),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE)) {
            lock(channel);
            return addLocked(maker, now, keep);
        }
    }

    /** Until the channel is closed. */
    private void lock(FileChannel channel) throws IOException {
        boolean locked;
        try {
            locked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            locked = false;
        }
        if (!locked) {
            throw new UnusableException(
                    "another 'photon registry backup' writes into %s and holds its %s. Wait until it has ended"
                            .formatted(folder, LOCK));
        }
    }

    private Added addLocked(Maker maker, Instant now, int keep)
            throws IOException, BackupRun.FailedException {
        List<String> remnants = directories().filter(BackupNames::isRemnant).toList();
        for (String remnant : remnants) {
            Trees.delete(folder.resolve(remnant));
        }
        String name = BackupNames.next(now, new HashSet<>(entries()));
        Path partial = folder.resolve(BackupNames.partial(name));
        Path backup = folder.resolve(name);
        Backup.Content content = maker.make(partial);
        Files.move(partial, backup, StandardCopyOption.ATOMIC_MOVE);
        Trees.sync(folder);
        BackupRetention retention = BackupRetention.of(name, found(), keep);
        for (String old : retention.deleted()) {
            delete(backup, old);
        }
        return new Added(backup, content, retention, remnants);
    }

    private void delete(Path made, String old) throws NotDeletedException {
        try {
            Path nameless = folder.resolve(BackupNames.deleted(old));
            Files.move(folder.resolve(old), nameless, StandardCopyOption.ATOMIC_MOVE);
            Trees.delete(nameless);
        } catch (IOException e) {
            throw new NotDeletedException(
                    "backup %s is complete, but the old backup %s cannot be deleted: %s. Delete it yourself, or the disk becomes full"
                            .formatted(made, folder.resolve(old), IoText.of(e)),
                    e);
        }
    }

    /** The newest by its name, damaged or not. */
    public Optional<Path> newest() throws IOException {
        return directories()
                .filter(BackupNames::isBackup)
                .max(Comparator.naturalOrder())
                .map(folder::resolve);
    }

    private List<BackupRetention.Found> found() throws IOException {
        List<BackupRetention.Found> found = new ArrayList<>();
        for (String name : directories().filter(BackupNames::isBackup).toList()) {
            found.add(new BackupRetention.Found(name, isWhole(folder.resolve(name))));
        }
        return found;
    }

    /** Its files are there with their lengths. All of it was read when it got its name. */
    private static boolean isWhole(Path backup) {
        try {
            Backup.open(backup);
            return true;
        } catch (IOException | java.io.UncheckedIOException e) {
            return false;
        }
    }

    private List<String> entries() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> path.getFileName().toString()).toList();
        }
    }

    private Stream<String> directories() throws IOException {
        return entries().stream()
                .filter(name -> Files.isDirectory(folder.resolve(name), LinkOption.NOFOLLOW_LINKS))
                .sorted();
    }
}
