package photon.registry.admin.backup;

import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.core.hash.Sha256;
import photon.registry.api.RegistryClient.Shard;
import photon.storage.files.DurableDirectories;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.AppendFile;

/**
 * Writes a backup: a folder a group, each file synced, and the manifest last. Nothing that is there
 * is ever written over. Used by one thread.
 */
public final class BackupWriter {
    private final BackupPlace directory;
    private final FileStore files;
    private final List<BackupGroup> groups = new ArrayList<>();

    private BackupWriter(BackupPlace directory) {
        this.directory = directory;
        this.files = directory.files();
    }

    /**
     * Makes the backup's directory.
     *
     * @throws java.nio.file.FileAlreadyExistsException if something is there already
     */
    public static BackupWriter create(BackupPlace directory) throws IOException {
        FileStore files = directory.files();
        String path = directory.path();
        // Also says best what is wrong with the file system, if anything is.
        if (files.stat(path) != null) {
            throw new java.nio.file.FileAlreadyExistsException(path);
        }
        String parent = directory.parent().path();
        if (files.stat(parent) == null) {
            DurableDirectories.create(files, parent);
        }
        files.createDirectory(path);
        files.syncDirectory(parent);
        return new BackupWriter(directory);
    }

    /** Takes the bytes of one file, and of the next when that is closed. */
    public interface Source {
        void writeTo(OutputStream out) throws IOException;
    }

    /** A group that is being written. */
    public final class Group {
        private final @Nullable UUID pipeline;
        private final @Nullable Shard shard;
        private final BackupPlace folder;
        private final List<BackupGroup.StoredBytes> stored = new ArrayList<>();

        private Group(@Nullable UUID pipeline, @Nullable Shard shard) throws IOException {
            this.pipeline = pipeline;
            this.shard = shard;
            this.folder = directory.resolve(BackupGroup.folder(pipeline, shard));
            // Nobody else writes into the directory, which was made exclusively.
            files.createDirectories(folder.path());
        }

        /** Writes one file, and syncs it. */
        public void file(String name, Source source) throws IOException {
            MessageDigest digest = Sha256.begin();
            try (AppendFile file = files.create(folder.resolve(name).path())) {
                OutputStream out = new DigestOutputStream(new Bytes(file), digest);
                source.writeTo(out);
                out.flush();
                file.sync();
                stored.add(
                        new BackupGroup.StoredBytes(
                                name, file.position(), BackupManifest.hex(digest.digest())));
            }
        }

        /** All its files are written. */
        public void finish(long term, long index) throws IOException {
            files.syncDirectory(folder.path());
            groups.add(new BackupGroup(pipeline, shard, term, index, stored));
        }
    }

    /** The control group's; a group's is taken once. */
    public Group control() throws IOException {
        return new Group(null, null);
    }

    public Group shard(UUID pipeline, Shard shard) throws IOException {
        return new Group(pipeline, shard);
    }

    /** From now on it is a backup: a manifest of which the end is missing is none. */
    public void finish(String made) throws IOException {
        List<BackupGroup> ordered = new ArrayList<>(groups);
        ordered.sort(java.util.Comparator.comparing(group -> group.pipeline() != null));
        files.syncDirectory(directory.path());
        byte[] bytes = new BackupManifest(made, ordered).toBytes();
        try (AppendFile file = files.create(directory.resolve(BackupManifest.NAME).path())) {
            file.write(bytes, 0, bytes.length);
            file.sync();
        }
        files.syncDirectory(directory.path());
    }

    private static final class Bytes extends OutputStream {
        private final AppendFile file;

        Bytes(AppendFile file) {
            this.file = file;
        }

        @Override
        public void write(int one) throws IOException {
            file.write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            file.write(bytes, offset, length);
        }
    }
}
