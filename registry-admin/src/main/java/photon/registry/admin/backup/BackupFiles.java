package photon.registry.admin.backup;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import photon.idregistry.replicated.StoredFile;
import photon.idregistry.table.TableFiles;
import photon.storage.files.FileStore.ReadFile;

/** Sealed files of a backup, read where they lie. None is made, and none is removed. */
final class BackupFiles implements TableFiles {
    private final List<Adopted> open = new ArrayList<>();

    @Override
    public NewFile create() throws IOException {
        throw new IOException("Expected a backup only to be read");
    }

    @Override
    public synchronized TableFile adopt(StoredFile file) throws IOException {
        if (!(file instanceof StoredInPlace stored)) {
            throw new IOException("Expected a file of a backup, but got " + file);
        }
        Adopted adopted = new Adopted(stored, stored.read());
        open.add(adopted);
        return adopted;
    }

    @Override
    public synchronized void close() {
        for (Adopted file : open) {
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        open.clear();
    }

    private static final class Adopted implements TableFile {
        private final StoredInPlace stored;
        private final ReadFile file;

        Adopted(StoredInPlace stored, ReadFile file) {
            this.stored = stored;
            this.file = file;
        }

        @Override
        public synchronized void read(ByteBuffer into, long position) throws IOException {
            byte[] bytes = new byte[into.remaining()];
            int count = 0;
            while (count < bytes.length) {
                int read = file.read(position + count, bytes, count, bytes.length - count);
                if (read < 0) {
                    throw new java.io.EOFException(
                            "Expected more of " + name() + " than " + position);
                }
                count += read;
            }
            into.put(bytes);
        }

        synchronized void close() throws IOException {
            file.close();
        }

        @Override
        public void delete() {
            // Of the backup, which stays.
        }

        @Override
        public String name() {
            return stored.place().path();
        }

        @Override
        public InputStream open() throws IOException {
            return stored.open();
        }

        @Override
        public long size() {
            return stored.size();
        }

        @Override
        public java.nio.file.@org.jspecify.annotations.Nullable Path path() {
            return stored.path();
        }
    }
}
