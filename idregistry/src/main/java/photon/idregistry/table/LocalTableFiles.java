package photon.idregistry.table;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.idregistry.replicated.GradualRemoval;
import photon.idregistry.replicated.StoredFile;

/** Sealed files in a directory of the table's own, read by {@code pread}. */
public final class LocalTableFiles implements TableFiles {
    private static final Logger LOG = LoggerFactory.getLogger(LocalTableFiles.class);
    private static final String SUFFIX = ".ids";

    /** So many bytes are forced to disk at once, so that the log's forces wait behind no more. */
    private static final long FORCE_BYTES = 4 << 20;

    private final Path directory;
    private final Executor removing;
    private final LongConsumer freed;
    private final Set<LocalFile> open = ConcurrentHashMap.newKeySet();
    private long made;

    private LocalTableFiles(Path directory, Executor removing, LongConsumer freed) {
        this.directory = directory;
        this.removing = removing;
        this.freed = freed;
    }

    /** As below, and files are removed at once. */
    public static LocalTableFiles in(Path directory) throws IOException {
        return in(directory, Runnable::run, freed -> {});
    }

    /**
     * Makes the directory, and removes what a life before has left in it.
     *
     * @param removing where files that nobody uses are removed, which takes a file system a while
     *     if they are large; may never do it
     * @param freed as in {@link GradualRemoval#delete}
     */
    public static LocalTableFiles in(Path directory, Executor removing, LongConsumer freed)
            throws IOException {
        Files.createDirectories(directory);
        try (DirectoryStream<Path> old = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : old) {
                Files.delete(file);
            }
        }
        return new LocalTableFiles(directory, removing, freed);
    }

    private synchronized Path next() {
        made++;
        return directory.resolve(made + SUFFIX);
    }

    @Override
    public NewFile create() throws IOException {
        Path path = next();
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return new NewFile() {
            private boolean finished;
            private long unforced;

            @Override
            public void write(ByteBuffer bytes) throws IOException {
                unforced += bytes.remaining();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                if (unforced >= FORCE_BYTES) {
                    channel.force(false);
                    unforced = 0;
                }
            }

            @Override
            public TableFile finish() throws IOException {
                channel.force(true);
                TableFile file = opened(path);
                finished = true;
                return file;
            }

            @Override
            public void close() {
                try {
                    channel.close();
                    if (!finished) {
                        Files.deleteIfExists(path);
                    }
                } catch (IOException e) {
                    LOG.warn("{} is left behind until the next start: {}", path, e.toString());
                }
            }
        };
    }

    @Override
    public TableFile adopt(StoredFile file) throws IOException {
        Path path = next();
        Path existing = file.path();
        boolean linked = existing != null && link(path, existing);
        if (!linked) {
            try (InputStream in = file.open()) {
                Files.copy(in, path);
            }
        }
        return opened(path);
    }

    private static boolean link(Path path, Path existing) {
        try {
            Files.createLink(path, existing);
            return true;
        } catch (FileSystemException | UnsupportedOperationException e) {
            LOG.info("{} is copied, since it cannot be linked: {}", existing, e.toString());
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private LocalFile opened(Path path) throws IOException {
        LocalFile file = new LocalFile(path);
        open.add(file);
        return file;
    }

    @Override
    public void close() {
        open.forEach(LocalFile::closeChannel);
        open.clear();
    }

    private final class LocalFile implements TableFile {
        private final Path path;
        private final long size;
        private volatile FileChannel channel;

        LocalFile(Path path) throws IOException {
            this.path = path;
            this.channel = FileChannel.open(path, StandardOpenOption.READ);
            this.size = channel.size();
        }

        @Override
        public void read(ByteBuffer into, long position) throws IOException {
            int start = into.position();
            boolean interrupted = false;
            try {
                while (into.hasRemaining()) {
                    FileChannel now = channel;
                    try {
                        int read = now.read(into, position + into.position() - start);
                        if (read < 0) {
                            throw new DamagedFileException(path.toString(), position, "it ends");
                        }
                    } catch (ClosedByInterruptException e) {
                        // Java closes the file when a reader is interrupted, for whatever reason.
                        interrupted = Thread.interrupted();
                        reopen(now);
                    } catch (DamagedFileException | ClosedChannelException e) {
                        throw e;
                    } catch (IOException e) {
                        // The system does not say of which file it could not read what.
                        throw new IOException(
                                "Cannot read %s at %s: %s"
                                        .formatted(path, position, e.getMessage()),
                                e);
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private synchronized void reopen(FileChannel closed) throws IOException {
            if (channel == closed) {
                channel = FileChannel.open(path, StandardOpenOption.READ);
            }
        }

        private void closeChannel() {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.warn("{} is not closed: {}", path, e.toString());
            }
        }

        @Override
        public void delete() {
            removing.execute(this::remove);
        }

        private void remove() {
            open.remove(this);
            closeChannel();
            try {
                GradualRemoval.delete(path, freed);
            } catch (IOException e) {
                LOG.warn("{} is left behind until the next start: {}", path, e.toString());
            }
        }

        @Override
        public String name() {
            return path.toString();
        }

        @Override
        public InputStream open() throws IOException {
            return Files.newInputStream(path);
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public Path path() {
            return path;
        }
    }
}
