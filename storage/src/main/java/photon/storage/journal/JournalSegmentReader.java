package photon.storage.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import photon.storage.files.FileStore;

/** Reads one segment from its start, for recovery. */
final class JournalSegmentReader {
    private JournalSegmentReader() {}

    /** Hears the entries of a segment, in order. */
    interface Listener {
        /**
         * @param offset where the entry stands, behind its length
         * @param length of the entry
         */
        void entry(JournalEntry entry, int offset, int length) throws IOException;
    }

    /**
     * @param bytes how many bytes are whole and were handed out
     * @param carry the content of the last frame of an open segment, which was not handed out:
     *     perhaps flushed and not synced, so it may not be sealed where it stands. Empty: none
     */
    record Read(long bytes, byte[] carry) {}

    /**
     * Reads all whole frames.
     *
     * @param sealedLength what the manifest says; -1: the segment was open, so its last frame may
     *     be torn and is left out then
     * @throws IOException if the segment is damaged in a way that no crash explains
     */
    static Read read(FileStore files, String path, long sealedLength, Listener listener)
            throws IOException {
        byte[] bytes = readAll(files, path, sealedLength);
        boolean open = sealedLength == JournalManifest.OPEN;
        int last = 0;
        int at = 0;
        for (int end = endOf(bytes, 0); end >= 0; end = endOf(bytes, at)) {
            last = at;
            at = end;
            if (!open || endOf(bytes, at) >= 0) {
                each(path, bytes, last + BatchFrame.HEADER_BYTES, end, listener);
            }
        }
        boolean damaged = at < bytes.length && (!open || BatchFrame.anyBehind(bytes, at));
        if (damaged || at < sealedLength) {
            throw new IOException(
                    "The retry journal's segment %s is damaged at byte %d of %d, where no crash can have torn it; restore the file, or move the state away and let the dispatcher read its logs again"
                            .formatted(path, at, bytes.length));
        }
        if (!open || at == 0) {
            return new Read(at, new byte[0]);
        }
        return new Read(last, Arrays.copyOfRange(bytes, last + BatchFrame.HEADER_BYTES, at));
    }

    /** How many whole frames stand at the segment's start. */
    static int frames(FileStore files, String path) throws IOException {
        byte[] bytes = readAll(files, path, JournalManifest.OPEN);
        int frames = 0;
        for (int at = endOf(bytes, 0); at >= 0; at = endOf(bytes, at)) {
            frames++;
        }
        return frames;
    }

    private static int endOf(byte[] bytes, int at) {
        return at < bytes.length ? BatchFrame.endOf(bytes, at) : -1;
    }

    /** Hands out the entries of one frame's content. */
    static void each(String path, byte[] bytes, int from, int end, Listener listener)
            throws IOException {
        ByteBuffer frame = ByteBuffer.wrap(bytes, from, end - from);
        while (frame.hasRemaining()) {
            int length = frame.getInt();
            int offset = frame.position();
            ByteBuffer entry = ByteBuffer.wrap(bytes, offset, length);
            listener.entry(JournalEntry.read(entry, path), offset, length);
            frame.position(offset + length);
        }
    }

    private static byte[] readAll(FileStore files, String path, long sealedLength)
            throws IOException {
        try (FileStore.ReadFile file = files.open(path)) {
            long length = sealedLength >= 0 ? sealedLength : file.length();
            byte[] bytes = new byte[Math.toIntExact(length)];
            int at = 0;
            while (at < bytes.length) {
                int count = file.read(at, bytes, at, bytes.length - at);
                if (count < 0) {
                    return Arrays.copyOf(bytes, at);
                }
                at += count;
            }
            return bytes;
        }
    }
}
