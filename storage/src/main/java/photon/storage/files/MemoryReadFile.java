package photon.storage.files;

import java.io.IOException;
import photon.storage.files.MemoryFileStore.Operation;
import photon.storage.files.MemoryTree.FileNode;

/** A file of a {@link MemoryFileStore}, open for reading. */
final class MemoryReadFile implements FileStore.ReadFile {
    private final MemoryFileStore store;
    private final FileNode file;
    private final String path;
    private final int bornIn;
    private boolean closed;

    MemoryReadFile(MemoryFileStore store, FileNode file, String path) {
        this.store = store;
        this.bornIn = store.life();
        this.file = file;
        this.path = path;
        file.handles++;
    }

    @Override
    public long length() throws IOException {
        synchronized (store) {
            store.checkOpen(closed, bornIn, path);
            return file.length;
        }
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) throws IOException {
        synchronized (store) {
            store.before(Operation.READ, path);
            store.checkOpen(closed, bornIn, path);
            if (length == 0) {
                return 0;
            }
            if (position >= file.length) {
                return -1;
            }
            int count = (int) Math.min(length, file.length - position);
            System.arraycopy(file.bytes, (int) position, into, offset, count);
            return count;
        }
    }

    @Override
    public void close() {
        synchronized (store) {
            if (!closed) {
                closed = true;
                file.handles--;
            }
        }
    }
}
