package photon.storage.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import photon.core.event.LogEvent;
import photon.storage.files.FileStore;

/** A segment of an open journal: its name, how much of it is still of use, and a way to read it. */
final class SegmentState {
    final long number;
    final String name;
    private final FileStore files;
    private final String path;

    /** Bytes of puts that hold the event of a row that stands. */
    long liveBytes;

    /** Bytes in all; {@link JournalManifest#OPEN} in the manifest while it is written. */
    long bytes;

    private FileStore.@Nullable ReadFile reading;

    SegmentState(FileStore files, String directory, long number, String name) {
        this.files = files;
        this.path = directory + "/" + name;
        this.number = number;
        this.name = name;
    }

    String path() {
        return path;
    }

    /** Reads a row's event back. */
    LogEvent event(JournalRow.Key key, int offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        if (!readFully(offset, bytes)) {
            close(); // an open HDFS file shows what was there when it was opened
            if (!readFully(offset, bytes)) {
                throw new IOException(
                        "Expected %d bytes at %d of %s, but it is shorter"
                                .formatted(length, offset, path));
            }
        }
        JournalEntry entry = JournalEntry.read(ByteBuffer.wrap(bytes), path);
        if (entry instanceof JournalEntry.Put put && put.key().equals(key)) {
            return put.row().event();
        }
        throw new IOException(
                "Expected the row of %s at %d of %s, but got %s"
                        .formatted(key, offset, path, entry.key()));
    }

    private boolean readFully(long position, byte[] into) throws IOException {
        if (reading == null) {
            reading = files.open(path);
        }
        int at = 0;
        while (at < into.length) {
            int count = reading.read(position + at, into, at, into.length - at);
            if (count < 0) {
                return false;
            }
            at += count;
        }
        return true;
    }

    void close() throws IOException {
        if (reading != null) {
            reading.close();
            reading = null;
        }
    }
}
