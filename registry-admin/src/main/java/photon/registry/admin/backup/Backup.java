package photon.registry.admin.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import photon.core.error.BugException;
import photon.core.hash.Sha256;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.PipelineView;
import photon.idregistry.replicated.SnapshotReader;
import photon.idregistry.replicated.StoredFile;
import photon.idregistry.shard.ShardState;
import photon.idregistry.table.MemoryBudget;
import photon.idregistry.table.TableHome;
import photon.registry.api.RegistryClient.Shard;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.files.UnavailableException;

/** A backup on disk, to be read. Never changed here. Used by one thread. */
public final class Backup {
    private static final int ROWS_AT_ONCE = 8_192;

    private final BackupPlace directory;
    private final BackupManifest manifest;

    private Backup(BackupPlace directory, BackupManifest manifest) {
        this.directory = directory;
        this.manifest = manifest;
    }

    /**
     * Reads the manifest and looks whether its files are there.
     *
     * @throws DamagedBackupException naming what is wrong
     */
    public static Backup open(BackupPlace directory) throws IOException {
        BackupPlace file = directory.resolve(BackupManifest.NAME);
        byte[] bytes;
        try {
            bytes = bytes(file);
        } catch (NoSuchFileException e) {
            throw new DamagedBackupException(
                    directory
                            + " is no backup, or one that was not finished: expected a file "
                            + BackupManifest.NAME);
        }
        BackupManifest manifest;
        try {
            manifest = BackupManifest.read(bytes);
        } catch (DamagedBackupException e) {
            throw new DamagedBackupException(file + " is damaged: " + e.getMessage());
        }
        Backup backup = new Backup(directory, manifest);
        backup.checkFiles();
        return backup;
    }

    private static byte[] bytes(BackupPlace file) throws IOException {
        try (ReadFile open = file.files().open(file.path());
                InputStream in = new StoredInPlace(file, open.length()).open()) {
            return in.readAllBytes();
        }
    }

    private void checkFiles() throws IOException {
        Map<String, FileInfo> there = there();
        there.remove(directory.resolve(BackupManifest.NAME).path());
        for (BackupGroup group : manifest.groups()) {
            for (BackupGroup.StoredBytes file : group.files()) {
                String path = place(group, file.name()).path();
                FileInfo found = there.remove(path);
                if (found == null || found.directory()) {
                    throw new DamagedBackupException(path + " is missing");
                }
                if (found.length() != file.length()) {
                    throw new DamagedBackupException(
                            "Expected %s with %s bytes, but it has %s"
                                    .formatted(path, file.length(), found.length()));
                }
            }
        }
        for (String stranger : there.keySet()) {
            throw new DamagedBackupException("%s is not of the backup".formatted(stranger));
        }
    }

    /** What is in the directory and in its groups' folders, by path. */
    private Map<String, FileInfo> there() throws IOException {
        Map<String, FileInfo> found = new TreeMap<>();
        for (FileInfo entry : directory.files().list(directory.path())) {
            BackupPlace place = directory.resolve(BackupPlace.name(entry));
            if (!entry.directory()) {
                found.put(place.path(), entry);
                continue;
            }
            for (FileInfo below : directory.files().list(place.path())) {
                found.put(place.resolve(BackupPlace.name(below)).path(), below);
            }
        }
        return found;
    }

    private BackupPlace place(BackupGroup group, String name) {
        return directory.resolve(group.folder()).resolve(name);
    }

    public BackupManifest manifest() {
        return manifest;
    }

    /**
     * What a backup holds.
     *
     * @param pipelines by name
     */
    public record Content(List<String> pipelines, int groups, long ids, long bytes) {
        public Content {
            pipelines = List.copyOf(pipelines);
        }
    }

    /**
     * Reads all of it: every file has its checksum, every group can be read to its end, and the
     * shards are those of the control group.
     *
     * @throws DamagedBackupException naming what is wrong
     */
    public Content verify() throws IOException {
        long bytes = 0;
        for (BackupGroup group : manifest.groups()) {
            for (BackupGroup.StoredBytes file : group.files()) {
                verify(group, file);
                bytes += file.length();
            }
        }
        ControlState control = control();
        Set<String> expected = new HashSet<>();
        expected.add(BackupGroup.folder(null, null));
        BackupPlan.of(control)
                .cuts()
                .forEach(cut -> expected.add(BackupGroup.folder(cut.pipeline(), cut.shard())));
        List<String> there = manifest.groups().stream().map(BackupGroup::folder).toList();
        if (there.size() != expected.size() || !expected.containsAll(there)) {
            throw new DamagedBackupException(
                    "Expected groups %s in %s, but there are %s"
                            .formatted(expected, directory, there));
        }
        long ids = 0;
        for (BackupPlan.Cut cut : BackupPlan.of(control).cuts()) {
            long[] count = new long[1];
            forEachPage(cut.pipeline(), cut.shard(), (state, page) -> count[0] += page.rows());
            ids += count[0];
        }
        List<String> pipelines = control.pipelines().stream().map(PipelineView::name).toList();
        return new Content(pipelines, manifest.groups().size(), ids, bytes);
    }

    private void verify(BackupGroup group, BackupGroup.StoredBytes file) throws IOException {
        MessageDigest digest = Sha256.begin();
        StoredInPlace stored = new StoredInPlace(place(group, file.name()), file.length());
        try (InputStream in = new DigestInputStream(stored.open(), digest)) {
            byte[] buffer = new byte[1 << 20];
            int read = in.read(buffer);
            while (read >= 0) {
                read = in.read(buffer);
            }
        }
        String found = BackupManifest.hex(digest.digest());
        if (!found.equals(file.sha256())) {
            throw new DamagedBackupException(
                    "Expected %s with SHA-256 %s, but got %s"
                            .formatted(stored.place(), file.sha256(), found));
        }
    }

    private BackupGroup group(String folder) throws DamagedBackupException {
        return manifest.groups().stream()
                .filter(group -> group.folder().equals(folder))
                .findFirst()
                .orElseThrow(
                        () -> new DamagedBackupException(directory + " has no group " + folder));
    }

    /**
     * The control group's state.
     *
     * @throws DamagedBackupException if it cannot be read
     * @throws UnavailableException if its file system does not answer
     */
    public ControlState control() throws IOException {
        BackupGroup group = group(BackupGroup.folder(null, null));
        ControlState state = new ControlState();
        try {
            state.restore(new Reader(group));
        } catch (UnavailableException e) {
            throw e;
        } catch (IOException | BugException e) {
            throw new DamagedBackupException(
                    "The control group of %s cannot be read: %s"
                            .formatted(directory, e.getMessage()));
        }
        return state;
    }

    /** The bytes of the control group's state, as {@link ControlState#restore} takes them. */
    public byte[] controlBytes() throws IOException {
        BackupGroup group = group(BackupGroup.folder(null, null));
        return bytes(place(group, photon.idregistry.replicated.StateFile.NAME));
    }

    /**
     * Ids and holders, in id order.
     *
     * @param ids packed
     * @param tokens packed, as many
     */
    public record Page(byte[] ids, byte[] tokens, int rows) {}

    /** Takes a shard's pages. */
    public interface Pages {
        /**
         * @param state the shard's, all of it
         */
        void page(ShardState state, Page page) throws IOException;
    }

    /**
     * Reads one shard to its end; a shard without ids has no page.
     *
     * @return the shard's state, without its ids: only what is small can be asked of it any more
     * @throws DamagedBackupException if it cannot be read
     * @throws UnavailableException if its file system does not answer
     */
    public ShardState forEachPage(UUID pipeline, Shard shard, Pages pages) throws IOException {
        BackupGroup group = group(BackupGroup.folder(pipeline, shard));
        try (BackupFiles files = new BackupFiles()) {
            // Nothing is ever sealed: nothing is added.
            ShardState state =
                    new ShardState(new TableHome(files, MemoryBudget.unlimited(), task -> {}));
            ShardPages.read(state, new Reader(group), ROWS_AT_ONCE, pages);
            return state;
        } catch (BugException | java.io.UncheckedIOException e) {
            if (e.getCause() instanceof UnavailableException unavailable) {
                throw unavailable;
            }
            throw new DamagedBackupException(
                    "Group %s of %s cannot be read: %s"
                            .formatted(group.folder(), directory, e.getMessage()));
        }
    }

    private final class Reader implements SnapshotReader {
        private final BackupGroup group;

        Reader(BackupGroup group) {
            this.group = group;
        }

        @Override
        public List<String> names() {
            List<String> names = new ArrayList<>();
            group.files().forEach(file -> names.add(file.name()));
            return names;
        }

        @Override
        public StoredFile file(String name) throws IOException {
            return group.files().stream()
                    .filter(file -> file.name().equals(name))
                    .findFirst()
                    .map(file -> new StoredInPlace(place(group, name), file.length()))
                    .orElseThrow(() -> new NoSuchFileException(place(group, name).path()));
        }
    }
}
