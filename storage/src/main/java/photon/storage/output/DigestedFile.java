package photon.storage.output;

import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import photon.core.hash.Sha256;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.FileStore.ReadFile;

/** Writes a file in large pieces and hashes it on the way. Not thread-safe. */
final class DigestedFile extends OutputStream {
    private static final int BUFFER_BYTES = 64 << 10;

    private final AppendFile file;
    private final MessageDigest digest = Sha256.begin();
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int buffered;
    private long length;

    DigestedFile(AppendFile file) {
        this.file = file;
    }

    @Override
    public void write(int b) throws IOException {
        if (buffered == BUFFER_BYTES) {
            drain();
        }
        buffer[buffered++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        if (buffered + count > BUFFER_BYTES) {
            drain();
        }
        if (count > BUFFER_BYTES) {
            put(bytes, offset, count);
        } else {
            System.arraycopy(bytes, offset, buffer, buffered, count);
            buffered += count;
        }
    }

    /** All of it is on the disk. */
    void sync() throws IOException {
        drain();
        file.sync();
    }

    long length() {
        return length + buffered;
    }

    /** Hex, of the whole file; ends it. */
    String endDigest() throws IOException {
        drain();
        return HexFormat.of().formatHex(digest.digest());
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void drain() throws IOException {
        int count = buffered;
        buffered = 0;
        put(buffer, 0, count);
    }

    private void put(byte[] bytes, int offset, int count) throws IOException {
        if (count > 0) {
            digest.update(bytes, offset, count);
            length += count;
            file.write(bytes, offset, count);
        }
    }

    /** Hash of a file that stands, hex. */
    static String sha256(FileStore files, String path) throws IOException {
        MessageDigest digest = Sha256.begin();
        byte[] buffer = new byte[BUFFER_BYTES];
        try (ReadFile file = files.open(path)) {
            long at = 0;
            int count;
            while ((count = file.read(at, buffer, 0, buffer.length)) > 0) {
                digest.update(buffer, 0, count);
                at += count;
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
