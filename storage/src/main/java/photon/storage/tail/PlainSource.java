package photon.storage.tail;

import java.io.IOException;
import photon.storage.files.FileStore.ReadFile;

/** A file that is not compressed. It may always grow. */
final class PlainSource implements ByteSource {
    private final ReadFile file;
    private long position;

    PlainSource(ReadFile file) {
        this.file = file;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int n = Math.max(0, file.read(position, into, offset, length));
        position += n;
        return n;
    }

    @Override
    public long seek(long offset) {
        position = offset;
        return offset;
    }

    @Override
    public boolean complete() {
        return false;
    }

    @Override
    public long rawPosition() {
        return position;
    }

    @Override
    public void close() {}
}
