package photon.storage.files;

import java.io.IOException;
import photon.storage.files.MemoryFileStore.Operation;
import photon.storage.files.MemoryTree.FileNode;

/** A file of a {@link MemoryFileStore}, open for appending; holds back what was not flushed. */
final class MemoryAppendFile implements FileStore.AppendFile {
    private static final int BUFFER_BYTES = 8192;

    private final MemoryFileStore store;
    private final FileNode file;
    private final String path;
    private final int bornIn;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int buffered;
    private long position;
    private boolean closed;
    private boolean failed;

    MemoryAppendFile(MemoryFileStore store, FileNode file, String path) {
        this.store = store;
        this.bornIn = store.life();
        this.file = file;
        this.path = path;
        file.handles++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        synchronized (store) {
            start(Operation.WRITE);
            position += length;
            if (buffered + length > buffer.length) {
                drain();
                store.append(file, path, bytes, offset, length);
            } else {
                System.arraycopy(bytes, offset, buffer, buffered, length);
                buffered += length;
            }
            failed = false;
        }
    }

    @Override
    public void flush() throws IOException {
        synchronized (store) {
            start(Operation.FLUSH);
            drain();
            failed = false;
        }
    }

    @Override
    public void sync() throws IOException {
        synchronized (store) {
            start(Operation.SYNC);
            drain();
            file.synced = file.length;
            failed = false;
        }
    }

    /** Until the operation is through it has failed. */
    private void start(Operation operation) throws IOException {
        store.checkOpen(closed, bornIn, path);
        if (failed) {
            throw new IOException(path + " was used after a failure");
        }
        failed = true;
        store.before(operation, path);
        store.checkOpen(closed, bornIn, path);
    }

    private void drain() throws IOException {
        int count = buffered;
        buffered = 0;
        store.append(file, path, buffer, 0, count);
    }

    void abandon() {
        if (!closed) {
            closed = true;
            buffered = 0;
            file.handles--;
        }
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void close() throws IOException {
        synchronized (store) {
            if (closed) {
                return;
            }
            closed = true;
            file.handles--;
            if (bornIn == store.life() && !failed) {
                store.before(Operation.CLOSE, path);
                drain();
            }
        }
    }
}
