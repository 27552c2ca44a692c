package photon.eventstore.index;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.ReadFile;

/**
 * Files that any thread may read at any position. The number of open files is bounded, apart from
 * one for each thread that is reading. Thread-safe.
 */
final class FilePool implements AutoCloseable {
    private final FileStore files;
    private final int openMax;

    /** Those that are open, the one that was used longest ago first. */
    private final Map<PooledFile, Boolean> open = new LinkedHashMap<>(16, 0.75f, true);

    FilePool(FileStore files, int openMax) {
        this.files = files;
        this.openMax = openMax;
    }

    FileStore files() {
        return files;
    }

    PooledFile file(String path) {
        return new PooledFile(path);
    }

    /** How many are open now. */
    synchronized int open() {
        return open.size();
    }

    /** All that is to be closed to keep the bound; closed by the caller, outside of any lock. */
    private synchronized List<PooledFile> used(PooledFile file) {
        open.put(file, true);
        List<PooledFile> excess = new ArrayList<>();
        Iterator<PooledFile> oldest = open.keySet().iterator();
        while (open.size() > openMax) {
            excess.add(oldest.next());
            oldest.remove();
        }
        return excess;
    }

    /** Closes what is open. Nobody may be reading. */
    @Override
    public void close() throws IOException {
        List<PooledFile> all;
        synchronized (this) {
            all = List.copyOf(open.keySet());
            open.clear();
        }
        IOException failure = null;
        for (PooledFile file : all) {
            try {
                file.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private synchronized void forget(PooledFile file) {
        open.remove(file);
    }

    /** One file, opened when it is read. */
    final class PooledFile {
        private final String path;
        private @Nullable ReadFile handle;
        private boolean gone;

        private PooledFile(String path) {
            this.path = path;
        }

        String path() {
            return path;
        }

        /**
         * Reads up to {@code length} bytes from this position; returns how many there were.
         *
         * @throws NoSuchFileException if it was deleted, also by {@link #delete}
         */
        int read(long position, byte[] into, int offset, int length) throws IOException {
            // A thread that is told to end would close the file under the others.
            boolean interrupted = Thread.interrupted();
            int count;
            try {
                while (true) {
                    try {
                        count = readOpen(position, into, offset, length);
                        break;
                    } catch (ClosedChannelException e) {
                        close();
                        if (!Thread.interrupted()) {
                            throw e;
                        }
                        interrupted = true;
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            for (PooledFile excess : used(this)) {
                excess.close();
            }
            return count;
        }

        private synchronized int readOpen(long position, byte[] into, int offset, int length)
                throws IOException {
            if (gone) {
                throw new NoSuchFileException(path);
            }
            ReadFile from = handle;
            if (from == null) {
                from = files.open(path);
                handle = from;
            }
            int count = 0;
            while (count < length) {
                int n;
                try {
                    n = from.read(position + count, into, offset + count, length - count);
                } catch (ClosedChannelException e) {
                    throw e;
                } catch (IOException e) {
                    close();
                    throw new UnreadableFileException(path, e);
                }
                if (n <= 0) {
                    break;
                }
                count += n;
            }
            return count;
        }

        /**
         * Reads exactly {@code length} bytes.
         *
         * @throws EOFException if they are not there
         */
        void readFully(long position, byte[] into, int offset, int length) throws IOException {
            int count = read(position, into, offset, length);
            if (count < length) {
                throw new EOFException(
                        "Expected %s to have %d bytes at offset %d, but it has %d"
                                .formatted(path, length, position, count));
            }
        }

        long length() throws IOException {
            FileStore.FileInfo info = files.stat(path);
            if (info == null) {
                throw new NoSuchFileException(path);
            }
            return info.length();
        }

        synchronized void close() throws IOException {
            ReadFile closing = handle;
            handle = null;
            if (closing != null) {
                closing.close();
            }
        }

        /** Nobody can read it any more. */
        void delete() throws IOException {
            synchronized (this) {
                gone = true;
                close();
            }
            forget(this);
            files.delete(path);
        }
    }
}
