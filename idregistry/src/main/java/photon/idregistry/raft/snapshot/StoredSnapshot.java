package photon.idregistry.raft.snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.statemachine.SnapshotInfo;
import photon.idregistry.replicated.SnapshotReader;
import photon.idregistry.replicated.StoredFile;

/** A whole snapshot: a directory with files and their manifest. Thread-safe. */
public final class StoredSnapshot implements SnapshotInfo, SnapshotReader {
    private final Path directory;
    private final SnapshotManifest manifest;
    private final TermIndex at;
    private final List<FileInfo> files;
    private final long madeMillis;
    private final AtomicLong asked = new AtomicLong();
    private long askedBefore;
    private long askedNanos;

    private StoredSnapshot(
            Path directory, SnapshotManifest manifest, List<FileInfo> files, long madeMillis) {
        this.directory = directory;
        this.manifest = manifest;
        this.at = TermIndex.valueOf(manifest.term(), manifest.index());
        this.files = List.copyOf(files);
        this.madeMillis = madeMillis;
    }

    /**
     * Reads the manifest and looks whether all files are there, at their length.
     *
     * @throws IOException naming the file that is missing or damaged
     */
    static StoredSnapshot open(Path directory) throws IOException {
        Path manifestFile = directory.resolve(SnapshotManifest.NAME);
        SnapshotManifest manifest = SnapshotManifest.read(manifestFile);
        List<FileInfo> files = new ArrayList<>();
        for (SnapshotManifest.Row row : manifest.files()) {
            Path file = directory.resolve(row.name());
            if (!Files.isRegularFile(file)) {
                throw new IOException("Expected snapshot file " + file + ", but it is missing");
            }
            if (Files.size(file) != row.length()) {
                throw new IOException(
                        "Expected snapshot file "
                                + file
                                + " with "
                                + row.length()
                                + " bytes, but it has "
                                + Files.size(file));
            }
            // Ratis computes an MD5 of its own while it sends the file.
            files.add(new FileInfo(file, null));
        }
        files.add(new FileInfo(manifestFile, null));
        return new StoredSnapshot(
                directory, manifest, files, Files.getLastModifiedTime(manifestFile).toMillis());
    }

    /**
     * Reads all files that have their checksum in the manifest. The others check themselves.
     *
     * @throws IOException naming the file that is damaged
     */
    void verify() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
        for (SnapshotManifest.Row row : manifest.files()) {
            if (row.checksum().present()) {
                Path file = directory.resolve(row.name());
                SnapshotManifest.Checksum found = checksum(file, buffer);
                if (!found.equals(row.checksum())) {
                    throw new IOException(
                            "Expected snapshot file "
                                    + file
                                    + " with checksum "
                                    + row.checksum()
                                    + ", but got "
                                    + found);
                }
            }
        }
    }

    static SnapshotManifest.Checksum checksum(Path file, ByteBuffer buffer) throws IOException {
        CRC32C crc = new CRC32C();
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            while (in.read(buffer.clear()) >= 0) {
                crc.update(buffer.flip());
            }
        }
        return SnapshotManifest.Checksum.of(crc);
    }

    Path directory() {
        return directory;
    }

    Optional<SnapshotManifest.Row> row(String name) {
        return manifest.files().stream().filter(row -> row.name().equals(name)).findFirst();
    }

    /** Of all its files. */
    public long bytes() {
        return manifest.files().stream().mapToLong(SnapshotManifest.Row::length).sum();
    }

    /** When it was complete, by the file system; since the epoch. */
    public long madeMillis() {
        return madeMillis;
    }

    /**
     * True if Ratis has not sent it to a follower for so long, as far as calls of this can tell. It
     * asks for the files before each piece that it sends: there is no other way to know. For one
     * thread.
     *
     * @param nanoTime monotonic
     */
    boolean leftAlone(long nanoTime, long nanos) {
        long now = asked.get();
        if (now != askedBefore) {
            askedBefore = now;
            askedNanos = nanoTime;
        }
        return now == 0 || nanoTime - askedNanos >= nanos;
    }

    @Override
    public TermIndex getTermIndex() {
        return at;
    }

    @Override
    public List<FileInfo> getFiles() {
        asked.incrementAndGet();
        return files;
    }

    @Override
    public List<String> names() {
        return manifest.files().stream().map(SnapshotManifest.Row::name).sorted().toList();
    }

    @Override
    public StoredFile file(String name) throws IOException {
        SnapshotManifest.Row row =
                row(name)
                        .orElseThrow(
                                () -> new NoSuchFileException(directory.resolve(name).toString()));
        return new OnDisk(directory.resolve(name), row.length());
    }

    private record OnDisk(Path path, long size) implements StoredFile {
        @Override
        public InputStream open() throws IOException {
            return Files.newInputStream(path);
        }
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}
