package photon.storage.frames;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.util.zip.CRC32C;
import photon.storage.files.FileStore.AppendFile;

/**
 * Appends frames to a file that it owns, several in one write. After any exception it may only be
 * closed. Not thread-safe.
 */
public final class FrameWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;

    private final AppendFile file;
    private final CRC32C crc = new CRC32C();
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int buffered;

    public FrameWriter(AppendFile file) {
        this.file = file;
    }

    /** Appends one frame; readers need not see it before {@link #flush}. */
    public void append(byte[] payload) throws IOException {
        append(payload, 0, payload.length);
    }

    public void append(byte[] payload, int from, int length) throws IOException {
        check(
                length >= 0 && length <= FrameScanner.PAYLOAD_BYTES_MAX,
                "Expected a payload of at most %s bytes, but it has %s",
                FrameScanner.PAYLOAD_BYTES_MAX,
                length);
        if (buffered + FrameScanner.HEADER_BYTES + length > BUFFER_BYTES) {
            writeBuffer();
        }
        FrameScanner.writeInt(buffer, buffered, FrameScanner.MAGIC);
        FrameScanner.writeInt(buffer, buffered + 4, length);
        FrameScanner.writeInt(
                buffer,
                buffered + 8,
                FrameScanner.checksum(crc, buffer, buffered + 4, payload, from, length));
        buffered += FrameScanner.HEADER_BYTES;
        if (buffered + length <= BUFFER_BYTES) {
            System.arraycopy(payload, from, buffer, buffered, length);
            buffered += length;
        } else {
            writeBuffer();
            file.write(payload, from, length);
        }
    }

    /** Readers see every frame; it survives the death of this process. */
    public void flush() throws IOException {
        writeBuffer();
        file.flush();
    }

    /** Every frame survives a power cut. */
    public void sync() throws IOException {
        writeBuffer();
        file.sync();
    }

    /** Offset of the next frame. */
    public long position() {
        return file.position() + buffered;
    }

    /** Hands what is buffered to the file, and closes it; neither flushed nor synced. */
    @Override
    public void close() throws IOException {
        try (file) {
            writeBuffer();
        }
    }

    private void writeBuffer() throws IOException {
        if (buffered > 0) {
            int length = buffered;
            buffered = 0; // a failed write is never repeated: the file may hold a part of it
            file.write(buffer, 0, length);
        }
    }
}
