package photon.idregistry.backup;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import photon.idregistry.replicated.StoredFile;
import photon.idregistry.table.TableFiles;

/** Sealed files of a backup, read where they lie. None is made, and none is removed. */
final class BackupFiles implements TableFiles {
    private final List<FileChannel> open = new ArrayList<>();

    @Override
    public NewFile create() throws IOException {
        throw new IOException("Expected a backup only to be read");
    }

    @Override
    public synchronized TableFile adopt(StoredFile file) throws IOException {
        Path path = java.util.Objects.requireNonNull(file.path(), "a file of a backup");
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        open.add(channel);
        return new Adopted(path, channel, channel.size());
    }

    @Override
    public synchronized void close() {
        for (FileChannel channel : open) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        open.clear();
    }

    private record Adopted(Path path, FileChannel channel, long size) implements TableFile {
        @Override
        public void read(ByteBuffer into, long position) throws IOException {
            int start = into.position();
            while (into.hasRemaining()) {
                if (channel.read(into, position + into.position() - start) < 0) {
                    throw new java.io.EOFException(
                            "Expected more of " + path + " than " + position);
                }
            }
        }

        @Override
        public void delete() {
            // Of the backup, which stays.
        }

        @Override
        public String name() {
            return path.toString();
        }

        @Override
        public InputStream open() throws IOException {
            return java.nio.file.Files.newInputStream(path);
        }
    }
}
