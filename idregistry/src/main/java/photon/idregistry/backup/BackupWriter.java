package photon.idregistry.backup;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.registry.api.RegistryClient.Shard;

/**
 * Writes a backup: a folder a group, each file synced, and the manifest last. Nothing that is there
 * is ever written over. Used by one thread.
 */
public final class BackupWriter {
    private final Path directory;
    private final List<BackupGroup> groups = new ArrayList<>();

    private BackupWriter(Path directory) {
        this.directory = directory;
    }

    /**
     * Makes the backup's directory.
     *
     * @throws FileAlreadyExistsException if something is there already
     */
    public static BackupWriter create(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath();
        Path parent = Objects.requireNonNull(absolute.getParent(), "a directory to be made");
        Files.createDirectories(parent);
        Files.createDirectory(absolute);
        sync(parent);
        return new BackupWriter(absolute);
    }

    /** Takes the bytes of one file, and of the next when that is closed. */
    public interface Source {
        void writeTo(OutputStream out) throws IOException;
    }

    /** A group that is being written. */
    public final class Group {
        private final @Nullable UUID pipeline;
        private final @Nullable Shard shard;
        private final Path folder;
        private final List<BackupGroup.StoredBytes> files = new ArrayList<>();

        private Group(@Nullable UUID pipeline, @Nullable Shard shard) throws IOException {
            this.pipeline = pipeline;
            this.shard = shard;
            this.folder = directory.resolve(BackupGroup.folder(pipeline, shard));
            Files.createDirectory(folder);
        }

        /** Writes one file, and syncs it. */
        public void file(String name, Source source) throws IOException {
            MessageDigest digest = BackupManifest.sha256();
            Path path = folder.resolve(name);
            try (FileChannel channel =
                    FileChannel.open(
                            path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                OutputStream out =
                        new DigestOutputStream(Channels.newOutputStream(channel), digest);
                source.writeTo(out);
                out.flush();
                channel.force(true);
                files.add(
                        new BackupGroup.StoredBytes(
                                name, channel.size(), BackupManifest.hex(digest.digest())));
            }
        }

        /** All its files are written. */
        public void finish(long term, long index) throws IOException {
            sync(folder);
            groups.add(new BackupGroup(pipeline, shard, term, index, files));
        }
    }

    /** The control group's; a group's is taken once. */
    public Group control() throws IOException {
        return new Group(null, null);
    }

    public Group shard(UUID pipeline, Shard shard) throws IOException {
        return new Group(pipeline, shard);
    }

    /** From now on it is a backup. */
    public void finish(String made) throws IOException {
        List<BackupGroup> ordered = new ArrayList<>(groups);
        ordered.sort(java.util.Comparator.comparing(group -> group.pipeline() != null));
        Path manifest = directory.resolve(BackupManifest.NAME);
        Path aside = directory.resolve(BackupManifest.NAME + ".new");
        try (FileChannel channel =
                FileChannel.open(aside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            java.nio.ByteBuffer bytes =
                    java.nio.ByteBuffer.wrap(new BackupManifest(made, ordered).toBytes());
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(aside, manifest);
        sync(directory);
    }

    private static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
