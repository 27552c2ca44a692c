package photon.registry.admin.backup;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.StoredFile;
import photon.storage.files.FileStore.ReadFile;

/**
 * A file of a backup.
 *
 * @param size as the manifest says
 */
record StoredInPlace(BackupPlace place, long size) implements StoredFile {
    ReadFile read() throws IOException {
        return place.files().open(place.path());
    }

    @Override
    public InputStream open() throws IOException {
        return new Bytes(read(), size);
    }

    /** It may lie on another machine. */
    @Override
    public @Nullable Path path() {
        return null;
    }

    /** From the start to the end. Not asked for more than there is: that is a call of its own. */
    private static final class Bytes extends InputStream {
        private final ReadFile file;
        private final long size;
        private long position;

        Bytes(ReadFile file, long size) {
            this.file = file;
            this.size = size;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (position >= size) {
                return -1;
            }
            int read = file.read(position, into, offset, (int) Math.min(length, size - position));
            if (read <= 0) {
                throw new EOFException(
                        "Expected %d bytes, but there are %d".formatted(size, position));
            }
            position += read;
            return read;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
