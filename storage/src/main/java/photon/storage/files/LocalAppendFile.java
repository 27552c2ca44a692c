package photon.storage.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import photon.storage.files.FileStore.AppendFile;

/** A local file open for appending. */
final class LocalAppendFile implements AppendFile {
    private final Path path;
    private final FileChannel channel;
    private long position;
    private boolean failed;

    private LocalAppendFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    static LocalAppendFile create(Path path) throws IOException {
        return new LocalAppendFile(
                path,
                FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    static void syncDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        checkUsable();
        failed = true; // until it went well
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
        while (buffer.hasRemaining()) {
            position += channel.write(buffer);
        }
        failed = false;
    }

    /** What was written is the kernel's already, and survives this process. */
    @Override
    public void flush() throws IOException {
        checkUsable();
    }

    /**
     * Never tried twice: after an error the kernel may have dropped the pages and call the next
     * fsync a success.
     */
    @Override
    public void sync() throws IOException {
        checkUsable();
        failed = true;
        channel.force(true);
        failed = false;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private void checkUsable() throws IOException {
        if (failed) {
            throw new IOException(
                    "Expected only a close after a failed call on " + path + ", but it is used on");
        }
    }
}
