package photon.registry.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import photon.core.error.IoText;
import photon.registry.admin.backup.Backup;
import photon.registry.admin.backup.BackupPlace;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.UnavailableException;

/**
 * A folder of backups, each with the time as its name. A backup is written beside its name, and
 * gets the name when it was read back; it loses the name before its files are deleted. So what has
 * the name of a backup was whole. One process changes the folder at a time.
 */
public final class BackupFolder {
    private final BackupPlace folder;
    private final FileStore files;

    /** The folder cannot be used: nothing was made, and nothing deleted. */
    public static final class UnusableException extends IOException {
        UnusableException(String message) {
            super(message);
        }
    }

    /** The backup is there, and older ones are that should not be. */
    public static final class NotDeletedException extends IOException {
        private static final long serialVersionUID = 1;
        private final transient BackupPlace backup;
        private final transient Backup.Content content;

        NotDeletedException(
                String message, BackupPlace backup, Backup.Content content, IOException cause) {
            super(message, cause);
            this.backup = backup;
            this.content = content;
        }

        /** The new one. */
        public BackupPlace backup() {
            return backup;
        }

        /** What it holds. */
        public Backup.Content content() {
            return content;
        }
    }

    /** Makes one backup, read back, in a directory that is not there yet. */
    public interface Maker {
        Backup.Content make(BackupPlace directory) throws IOException, BackupRun.FailedException;
    }

    /**
     * A backup that was added.
     *
     * @param remnants of earlier runs that ended in the midst: deleted
     */
    public record Added(
            BackupPlace backup,
            Backup.Content content,
            BackupRetention retention,
            List<String> remnants) {
        public Added {
            remnants = List.copyOf(remnants);
        }
    }

    public BackupFolder(BackupPlace folder) {
        this.folder = folder;
        this.files = folder.files();
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
        FileInfo there = files.stat(folder.path());
        if (there == null || !there.directory()) {
            // Not made: it would rather be a disk that is not mounted.
            throw new UnusableException(
                    folder
                            + " is not a directory. Create it"
                            + (folder.isLocal() ? ", or mount the disk that should be there" : ""));
        }
        FolderLock lock = FolderLock.take(folder);
        try {
            return addLocked(maker, now, keep);
        } finally {
            lock.close();
        }
    }

    private Added addLocked(Maker maker, Instant now, int keep)
            throws IOException, BackupRun.FailedException {
        List<String> remnants = directories().filter(BackupNames::isRemnant).toList();
        List<String> left = new ArrayList<>();
        IOException remains = deleted(remnants, left);
        String name = BackupNames.next(now, new HashSet<>(entries()));
        BackupPlace partial = folder.resolve(BackupNames.partial(name));
        BackupPlace backup = folder.resolve(name);
        Backup.Content content = maker.make(partial);
        files.rename(partial.path(), backup.path());
        BackupRetention retention = BackupRetention.of(name, foundBeside(backup, content), keep);
        for (String old : retention.deleted()) {
            delete(backup, content, old);
        }
        if (remains != null) {
            throw new NotDeletedException(
                    "backup %s is complete, but what an earlier run left in %s cannot be deleted: %s. Delete %s yourself, or the disk becomes full"
                            .formatted(backup, folder, IoText.of(remains), String.join(", ", left)),
                    backup,
                    content,
                    remains);
        }
        return new Added(backup, content, retention, remnants);
    }

    /**
     * What cannot be deleted costs space, and must not cost the new backup.
     *
     * @param left takes the names of those that cannot
     * @return null: all was deleted
     */
    private @Nullable IOException deleted(List<String> remnants, List<String> left) {
        IOException failure = null;
        for (String remnant : remnants) {
            try {
                files.delete(folder.resolve(remnant).path());
            } catch (IOException e) {
                failure = e;
                left.add(remnant);
            }
        }
        return failure;
    }

    private List<BackupRetention.Found> foundBeside(BackupPlace made, Backup.Content content)
            throws NotDeletedException {
        try {
            files.syncDirectory(folder.path());
            return found();
        } catch (IOException e) {
            throw new NotDeletedException(
                    "backup %s is complete, but its folder %s cannot be synced or listed: %s. No old backup was deleted"
                            .formatted(made, folder, IoText.of(e)),
                    made,
                    content,
                    e);
        }
    }

    private void delete(BackupPlace made, Backup.Content content, String old)
            throws NotDeletedException {
        try {
            String nameless = folder.resolve(BackupNames.deleted(old)).path();
            files.rename(folder.resolve(old).path(), nameless);
            files.delete(nameless);
        } catch (IOException e) {
            throw new NotDeletedException(
                    "backup %s is complete, but the old backup %s cannot be deleted: %s. Delete it yourself, or the disk becomes full"
                            .formatted(made, folder.resolve(old), IoText.of(e)),
                    made,
                    content,
                    e);
        }
    }

    /** The newest by its name, damaged or not. */
    public Optional<BackupPlace> newest() throws IOException {
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
    private static boolean isWhole(BackupPlace backup) throws UnavailableException {
        try {
            Backup.open(backup);
            return true;
        } catch (UnavailableException e) {
            throw e;
        } catch (IOException | java.io.UncheckedIOException e) {
            return false;
        }
    }

    private List<String> entries() throws IOException {
        return files.list(folder.path()).stream().map(BackupPlace::name).toList();
    }

    /** Without links: what they lead to is somebody else's. */
    private Stream<String> directories() throws IOException {
        return files.list(folder.path()).stream()
                .filter(FileInfo::directory)
                .map(BackupPlace::name)
                .filter(name -> !isLink(folder.resolve(name)))
                .sorted();
    }

    private static boolean isLink(BackupPlace place) {
        return place.isLocal() && Files.isSymbolicLink(Path.of(place.path()));
    }
}
