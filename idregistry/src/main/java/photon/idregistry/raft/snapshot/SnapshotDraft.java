package photon.idregistry.raft.snapshot;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.SnapshotWriter;
import photon.idregistry.replicated.StoredFile;

/**
 * A snapshot that is being written, in a directory that nobody reads. Each file is on disk when its
 * stream is closed, what is linked when it is finished.
 */
final class SnapshotDraft implements SnapshotWriter {
    /** Forced to disk this often, so that the log's own forces never wait behind a lot of it. */
    private static final int BYTES_A_FORCE = 4 << 20;

    private static final int BUFFER_BYTES = 1 << 18;

    private final SnapshotDisk disk;
    private final Path directory;
    private final @Nullable StoredSnapshot previous;
    private final Pace pace;
    private final BooleanSupplier abandoned;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final Map<String, SnapshotManifest.Row> rows = new LinkedHashMap<>();
    private @Nullable FileStream open;
    private boolean failed;

    /**
     * @param directory empty
     * @param previous what {@link #reuse} finds; null for nothing
     * @param abandoned asked now and then; once true, nothing more is written
     */
    SnapshotDraft(
            SnapshotDisk disk,
            Path directory,
            @Nullable StoredSnapshot previous,
            Pace pace,
            BooleanSupplier abandoned) {
        this.disk = disk;
        this.directory = directory;
        this.previous = previous;
        this.pace = pace;
        this.abandoned = abandoned;
    }

    @Override
    public OutputStream create(String name) throws IOException {
        Path file = fresh(name);
        FileStream made = new FileStream(name, file, disk.create(file));
        open = made;
        return made;
    }

    @Override
    public boolean reuse(String name) throws IOException {
        Path file = fresh(name);
        StoredSnapshot from = previous;
        Optional<SnapshotManifest.Row> row = from == null ? Optional.empty() : from.row(name);
        if (from == null || row.isEmpty()) {
            return false;
        }
        if (disk.link(from.directory().resolve(name), file)) {
            rows.put(name, row.get());
        } else {
            copy(name, from.file(name));
        }
        return true;
    }

    @Override
    public void link(String name, StoredFile existing) throws IOException {
        Path file = fresh(name);
        Path path = existing.path();
        if (path == null || !disk.link(path, file)) {
            copy(name, existing);
            return;
        }
        disk.sync(file);
        rows.put(
                name,
                new SnapshotManifest.Row(name, existing.size(), SnapshotManifest.Checksum.NONE));
    }

    private void copy(String name, StoredFile from) throws IOException {
        try (InputStream in = from.open();
                OutputStream out = create(name)) {
            in.transferTo(out);
        }
    }

    private Path fresh(String name) throws IOException {
        check(SnapshotManifest.isFileName(name), "Expected the name of a file, but got %s", name);
        check(!rows.containsKey(name), "Expected each file once, but got %s again", name);
        check(open == null, "Expected the last file to be closed before %s", name);
        checkWanted();
        return directory.resolve(name);
    }

    private void checkWanted() throws IOException {
        if (abandoned.getAsBoolean()) {
            throw new InterruptedIOException("The snapshot is not wanted any more");
        }
    }

    /** Writes the manifest; then all of it is on disk, under the draft's name. */
    void finish(TermIndex at) throws IOException {
        check(open == null && !failed, "Expected all files to be written and closed");
        checkWanted();
        SnapshotManifest manifest =
                new SnapshotManifest(at.getTerm(), at.getIndex(), List.copyOf(rows.values()));
        Path file = directory.resolve(SnapshotManifest.NAME);
        try (FileChannel out = disk.create(file)) {
            ByteBuffer bytes = ByteBuffer.wrap(manifest.toBytes());
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            disk.force(out, file);
        }
        disk.sync(directory);
    }

    /** Frees what a writer that failed has left open. */
    void close() {
        FileStream left = open;
        open = null;
        if (left != null) {
            left.abandon();
        }
    }

    /** One file: buffered, summed up, paced. */
    private final class FileStream extends OutputStream {
        private final String name;
        private final Path file;
        private final FileChannel channel;
        private final CRC32C crc = new CRC32C();
        private long length;
        private long unforced;

        FileStream(String name, Path file, FileChannel channel) {
            this.name = name;
            this.file = file;
            this.channel = channel;
            buffer.clear();
        }

        @Override
        public void write(int b) throws IOException {
            if (!buffer.hasRemaining()) {
                drain();
            }
            buffer.put((byte) b);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            int at = offset;
            int left = count;
            while (left > 0) {
                if (!buffer.hasRemaining()) {
                    drain();
                }
                int now = Math.min(left, buffer.remaining());
                buffer.put(bytes, at, now);
                at += now;
                left -= now;
            }
        }

        private void drain() throws IOException {
            // Until it has gone well: what a failed write left in the file is not known.
            failed = true;
            checkWanted();
            buffer.flip();
            int count = buffer.remaining();
            crc.update(buffer.duplicate());
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            buffer.clear();
            length += count;
            unforced += count;
            if (unforced >= BYTES_A_FORCE) {
                disk.force(channel, file);
                unforced = 0;
            }
            pace.spend(count);
            failed = false;
        }

        @Override
        public void close() throws IOException {
            if (open != this) {
                return;
            }
            boolean goodSoFar = !failed;
            try (channel) {
                open = null;
                if (goodSoFar) {
                    drain();
                    failed = true;
                    disk.force(channel, file);
                    failed = false;
                    rows.put(
                            name,
                            new SnapshotManifest.Row(
                                    name, length, SnapshotManifest.Checksum.of(crc)));
                }
            }
        }

        void abandon() {
            try {
                channel.close();
            } catch (IOException e) {
                // What it holds is deleted anyway.
            }
        }
    }
}
