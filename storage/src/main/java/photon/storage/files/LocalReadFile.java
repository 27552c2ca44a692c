package photon.storage.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import photon.storage.files.FileStore.ReadFile;

/** A local file open for reading; sees what is appended later. */
final class LocalReadFile implements ReadFile {
    private final FileChannel channel;

    private LocalReadFile(FileChannel channel) {
        this.channel = channel;
    }

    static LocalReadFile open(Path path) throws IOException {
        LocalKind kind = LocalKind.of(path);
        if (kind != LocalKind.REGULAR) {
            // The kernel would open a directory and fail at the first read; and in the opening of a
            // FIFO it waits, where no interrupt and no signal reaches the thread.
            throw new FileSystemException(path.toString(), null, "it is " + kind);
        }
        return new LocalReadFile(FileChannel.open(path, StandardOpenOption.READ));
    }

    @Override
    public long length() throws IOException {
        return channel.size();
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) throws IOException {
        return channel.read(ByteBuffer.wrap(into, offset, length), position);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
