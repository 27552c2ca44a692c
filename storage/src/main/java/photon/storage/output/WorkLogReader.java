package photon.storage.output;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.frames.FrameReader;
import photon.storage.output.format.OutputFormats;

/**
 * The whole records of one work log, as far as it reached when it was opened: what is appended
 * meanwhile is not seen. A preview: a record of an open log may be joined again later, only the
 * published files are the output. Not thread-safe.
 */
public final class WorkLogReader implements AutoCloseable {
    private final ReadFile file;
    private final FrameReader frames;
    private final String path;
    private final Damage onDamage;
    private final WorkRecordCodec.@Nullable Header header;
    private boolean ended;
    private byte[] payload = {};

    /** What to do at a damaged place with whole frames behind it. */
    enum Damage {
        /** Report it: those bytes had been whole. */
        REFUSE,
        /**
         * End there. What stands behind was not synced, or the disk is failing: its events are in
         * no manifest then, so the repair sends them again.
         */
        CUT
    }

    private WorkLogReader(ReadFile file, String path, Damage onDamage) throws IOException {
        this.file = new UpTo(file, file.length());
        this.frames = new FrameReader(this.file, 0);
        this.path = path;
        this.onDamage = onDamage;
        this.header = nextFrame() ? decodeHeader() : null;
    }

    /**
     * Opens a work log.
     *
     * @throws java.nio.file.NoSuchFileException if there is none
     */
    public static WorkLogReader read(FileStore files, String path) throws IOException {
        return open(files, path, Damage.REFUSE);
    }

    static WorkLogReader open(FileStore files, String path, Damage onDamage) throws IOException {
        ReadFile file = files.open(path);
        try {
            return new WorkLogReader(file, path, onDamage);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Whose it is; null if the log was torn before that was whole: it has no record then. */
    public @Nullable Incarnation incarnation() {
        return header == null ? null : header.incarnation();
    }

    /**
     * What it is published in.
     *
     * @param otherwise if the log was torn before it could say so
     * @throws IOException if this version does not know a format: names the file
     */
    OutputFormats formats(OutputFormats otherwise) throws IOException {
        if (header == null) {
            return otherwise;
        }
        try {
            return OutputFormats.described(header.format());
        } catch (IOException e) {
            throw at(0, e.getMessage(), e);
        }
    }

    /**
     * The next whole record; null at the end, or before a torn tail.
     *
     * @throws IOException if a place in the middle is damaged, or a record is another
     *     incarnation's: names file and offset
     */
    public @Nullable WorkRecord next() throws IOException {
        if (header == null) {
            return null;
        }
        long offset = frames.position();
        if (!nextFrame()) {
            return null;
        }
        WorkRecord record;
        try {
            record = WorkRecordCodec.decode(payload);
        } catch (IOException e) {
            throw at(offset, e.getMessage(), e);
        }
        if (!record.token().isOf(header.incarnation())) {
            throw at(
                    offset,
                    "Expected a token of %s, but got %s"
                            .formatted(header.incarnation(), record.token()),
                    null);
        }
        return record;
    }

    /** The frame's payload of the last record. */
    byte[] payload() {
        return payload;
    }

    /** Refuses a log that is not this one. */
    void expect(Incarnation incarnation, long sequence) throws IOException {
        if (header != null
                && !(header.incarnation().equals(incarnation) && header.sequence() == sequence)) {
            throw at(
                    0,
                    "Expected %s number %d, but it says %s"
                            .formatted(incarnation, sequence, header),
                    null);
        }
    }

    /** End of the last whole record. */
    public long position() {
        return frames.position();
    }

    /** After the end: bytes stand behind {@link #position()} that are no whole record. */
    public boolean torn() {
        return frames.torn() || ended;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private boolean nextFrame() throws IOException {
        if (ended) {
            return false;
        }
        FrameReader.Item item = frames.next();
        if (item instanceof FrameReader.Frame frame) {
            payload = frame.payload();
            return true;
        }
        if (item != null && onDamage == Damage.REFUSE) {
            throw at(item.offset(), "Damaged up to " + item.endOffset(), null);
        }
        ended = item != null;
        return false;
    }

    private WorkRecordCodec.Header decodeHeader() throws IOException {
        try {
            return WorkRecordCodec.decodeHeader(payload);
        } catch (IOException e) {
            throw at(0, e.getMessage(), e);
        }
    }

    private IOException at(long offset, @Nullable String what, @Nullable Throwable cause) {
        return new IOException("Work log %s at byte %d: %s".formatted(path, offset, what), cause);
    }

    /** A file that ends where it did: a writer at work looks like damage else. */
    private record UpTo(ReadFile file, long end) implements ReadFile {
        @Override
        public long length() {
            return end;
        }

        @Override
        public int read(long position, byte[] into, int offset, int length) throws IOException {
            if (position >= end) {
                return length == 0 ? 0 : -1;
            }
            return file.read(position, into, offset, (int) Math.min(length, end - position));
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
