package photon.storage.tail;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import photon.storage.avro.AvroCursor;
import photon.storage.avro.AvroDatum;
import photon.storage.avro.AvroFormatException;
import photon.storage.avro.AvroHeader;
import photon.storage.avro.AvroPayload;
import photon.storage.avro.AvroSink;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.frames.FrameWriter;

/**
 * An Avro container file as frames ({@link AvroPayload}), block by block. It may always grow. A
 * block counts only when all of it is there, its sync marker is right and all its records can be
 * walked through; what was judged is judged alike when the file has grown. A block that is corrupt
 * is one frame that says so, and reading goes on behind the next sync marker.
 */
final class AvroSource implements ByteSource {
    /** Of a block, as it stands in the file and uncompressed. */
    static final int BLOCK_BYTES_MAX = 16 << 20;

    private static final int HEADER_BYTES_MIN = 16 << 10;
    private static final int HEADER_BYTES_MAX = 4 << 20;
    private static final int BLOCK_HEAD_BYTES_MAX = 20; // two numbers
    private static final int SEARCH_BYTES = 256 << 10;

    /** What a block counts that gives nothing: a file of empty ones has its bound, too. */
    private static final int EMPTY_COST = 64;

    private static final int CHECKED_BYTES_MAX = 256 << 10;

    private final ReadFile file;
    private final long resumed;
    private final FrameBuffer frames = new FrameBuffer();
    private @Nullable AvroHeader header;
    private @Nullable AvroDatum datum;
    private long next; // raw: where the next block begins
    private long searchFrom = -1; // raw: from there on a sync marker is looked for
    private String corruption = "";
    private long handed; // bytes of frames that were made
    private int checked;
    private boolean atBoundary;
    private long seen; // raw: how far the file went that was not whole

    /**
     * @param resumed where an earlier life has stopped
     */
    AvroSource(ReadFile file, long resumed) {
        this.file = file;
        this.resumed = resumed;
    }

    @Override
    public int read(byte[] into, int offset, int length)
            throws IOException, CorruptStreamException {
        checked = 0;
        while (frames.isEmpty()) {
            if (checked >= CHECKED_BYTES_MAX || !advance()) {
                return 0;
            }
        }
        return frames.take(into, offset, length);
    }

    /** False: no more now. */
    private boolean advance() throws IOException, CorruptStreamException {
        AvroHeader known = header;
        if (known == null) {
            return readHeader();
        }
        return searchFrom >= 0 ? search(known) : readBlock(known);
    }

    private boolean readHeader() throws IOException, CorruptStreamException {
        byte[] first = new byte[HEADER_BYTES_MIN];
        while (true) {
            int available = readFully(0, first);
            try {
                AvroHeader read = AvroHeader.parse(first, available);
                append(schemaOf(read));
                header = read;
                datum = new AvroDatum(read.schema());
                next = read.length();
                return true;
            } catch (AvroFormatException e) {
                if (!e.tooShort()) {
                    throw new CorruptStreamException(e.reason());
                }
                if (first.length >= HEADER_BYTES_MAX) {
                    throw new CorruptStreamException(
                            "Expected an Avro container file with a header of at most %d bytes, but it has a longer one"
                                    .formatted(HEADER_BYTES_MAX));
                }
                if (available < first.length) {
                    return unfinished();
                }
                first = new byte[4 * first.length];
            }
        }
    }

    /** Bytes that are no UTF-8 are longer as text, and a record that is too long is not read. */
    private static byte[] schemaOf(AvroHeader read) throws CorruptStreamException {
        byte[] payload = AvroPayload.schema(read.schemaText());
        if (payload.length > RecordSplitter.RECORD_BYTES_MAX) {
            throw new CorruptStreamException(
                    "Expected an Avro container file with a schema in UTF-8, but it has other bytes");
        }
        return payload;
    }

    private boolean readBlock(AvroHeader known) throws IOException, CorruptStreamException {
        byte[] head = new byte[BLOCK_HEAD_BYTES_MAX];
        int available = readFully(next, head);
        if (available == 0) {
            atBoundary = true;
            return false;
        }
        AvroCursor cursor = new AvroCursor(head, 0, available);
        long records;
        long size;
        try {
            records = cursor.readLong();
            size = cursor.readLong();
        } catch (AvroFormatException e) {
            return e.tooShort() ? unfinished() : corruptHead(e.reason());
        }
        if (records < 0 || size < 0 || size > BLOCK_BYTES_MAX) {
            return corruptHead("it says %d records in %d bytes".formatted(records, size));
        }
        int whole = cursor.at() + (int) size + AvroHeader.SYNC_BYTES;
        // Asks for the length, a call of the NameNode on HDFS, only before much room is taken.
        if (whole > CHECKED_BYTES_MAX && next + whole > file.length()) {
            return unfinished();
        }
        byte[] block = new byte[whole];
        if (readFully(next, block) < whole) {
            return unfinished();
        }
        int syncAt = whole - AvroHeader.SYNC_BYTES;
        if (!Arrays.equals(block, syncAt, whole, known.sync(), 0, AvroHeader.SYNC_BYTES)) {
            return corruptHead("no sync marker stands at its end");
        }
        try {
            byte[] content =
                    known.codec().decompress(block, cursor.at(), (int) size, BLOCK_BYTES_MAX);
            takeRecords(content, records);
        } catch (AvroFormatException e) {
            frames.clear();
            corrupt(e.reason(), next + whole);
            checked += BLOCK_BYTES_MAX; // as much may have been done for it
        }
        next += whole;
        checked += EMPTY_COST;
        mustMeetTheResumedOffset();
        return true;
    }

    /** First all of them, so that none counts of a block that is not right. */
    private void takeRecords(byte[] content, long records) throws IOException, AvroFormatException {
        AvroDatum walk = datum;
        if (walk == null) {
            throw new IllegalStateException("A file's schema comes before its blocks");
        }
        AvroCursor cursor = new AvroCursor(content, 0, content.length);
        for (long i = 0; i < records; i++) {
            int from = cursor.at();
            walk.walk(cursor, AvroSink.NONE);
            int length = cursor.at() - from;
            frames.append(
                    length <= RecordSplitter.RECORD_BYTES_MAX - 1
                            ? AvroPayload.record(content, from, cursor.at())
                            : AvroPayload.corrupt(tooLong(length)));
            if (frames.size() > 2L * BLOCK_BYTES_MAX) {
                throw new AvroFormatException(
                        "it has more small records than are read of one block");
            }
        }
        if (records > 0) {
            checked += (int) Math.max(0, walk.values() - content.length);
        }
        if (cursor.at() != content.length) {
            throw new AvroFormatException(
                    "its %d records end before its content does".formatted(records));
        }
    }

    private static String tooLong(int length) {
        return "Expected records of at most %d bytes, but one has %d"
                .formatted(RecordSplitter.RECORD_BYTES_MAX - 1, length);
    }

    /** Where it ends is not known: behind the next sync marker. */
    private boolean corruptHead(String reason) {
        corruption = reason;
        searchFrom = next;
        return true;
    }

    private boolean search(AvroHeader known) throws IOException, CorruptStreamException {
        byte[] chunk = new byte[SEARCH_BYTES];
        int available = readFully(searchFrom, chunk);
        for (int i = 0; i + AvroHeader.SYNC_BYTES <= available; i++) {
            if (chunk[i] == known.sync()[0]
                    && Arrays.equals(
                            chunk,
                            i,
                            i + AvroHeader.SYNC_BYTES,
                            known.sync(),
                            0,
                            AvroHeader.SYNC_BYTES)) {
                long end = searchFrom + i + AvroHeader.SYNC_BYTES;
                corrupt(corruption, end);
                next = end;
                searchFrom = -1;
                mustMeetTheResumedOffset();
                return true;
            }
        }
        int through = available - AvroHeader.SYNC_BYTES + 1;
        if (through <= 0) {
            return unfinished();
        }
        searchFrom += through;
        checked += through;
        return true;
    }

    private void corrupt(String reason, long end) throws IOException {
        frames.append(
                AvroPayload.corrupt(
                        "The Avro block at byte %d is corrupt (%s); reading goes on at byte %d"
                                .formatted(next, reason, end)));
    }

    private void append(byte[] payload) throws IOException {
        frames.append(payload);
        handed += frames.size();
    }

    /**
     * Offsets count frames, so one between two of them was counted otherwise: the file is read
     * again from its start then.
     */
    private void mustMeetTheResumedOffset() throws CorruptStreamException {
        if (handed < resumed && handed + frames.size() >= resumed) {
            if (!frames.begins(resumed - handed)) {
                throw new CorruptStreamException(
                        "Expected a record at the offset %d, but there is none".formatted(resumed));
            }
        }
        handed += frames.size();
    }

    private boolean unfinished() throws IOException {
        atBoundary = false;
        seen = file.length();
        return false;
    }

    private int readFully(long position, byte[] into) throws IOException {
        int filled = 0;
        while (filled < into.length) {
            int n = file.read(position + filled, into, filled, into.length - filled);
            if (n <= 0) {
                break;
            }
            filled += n;
        }
        return filled;
    }

    /** Of a block that was not whole nothing was read: a writer may cut it off. */
    @Override
    public boolean cutOff() throws IOException {
        return file.length() < next;
    }

    @Override
    public int checkedBytes() {
        return checked;
    }

    /** Only the beginning is cheap, and that is where it stands. */
    @Override
    public long seek(long offset) {
        return 0;
    }

    @Override
    public boolean complete() {
        return atBoundary;
    }

    /** What cannot be judged yet counts as far as it is there. */
    @Override
    public long rawPosition() {
        return Math.max(next, seen);
    }

    @Override
    public void close() {}

    /** Frames that were made and not handed out, in one array. */
    private static final class FrameBuffer implements AppendFile {
        private byte[] bytes = new byte[0];
        private int from;
        private int to;
        private final FrameWriter writer = new FrameWriter(this);
        private int[] ends = new int[16];
        private int count;

        boolean isEmpty() {
            return from == to;
        }

        void append(byte[] payload) throws IOException {
            writer.append(payload);
            writer.flush();
            if (count == ends.length) {
                ends = Arrays.copyOf(ends, 2 * count);
            }
            ends[count++] = to;
        }

        int size() {
            return to - from;
        }

        /** Whether a frame ends this many bytes behind the start of the first. */
        boolean begins(long at) {
            return Arrays.binarySearch(ends, 0, count, (int) at) >= 0;
        }

        void clear() {
            from = 0;
            to = 0;
            count = 0;
        }

        int take(byte[] into, int offset, int length) {
            int n = Math.min(length, to - from);
            System.arraycopy(bytes, from, into, offset, n);
            from += n;
            if (from == to) {
                clear();
                if (bytes.length > SEARCH_BYTES) {
                    bytes = new byte[0];
                }
            }
            return n;
        }

        @Override
        public void write(byte[] what, int offset, int length) {
            if (to + length > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(to + length, 2 * bytes.length));
            }
            System.arraycopy(what, offset, bytes, to, length);
            to += length;
        }

        @Override
        public void flush() {}

        @Override
        public void sync() {}

        @Override
        public long position() {
            return to;
        }

        @Override
        public void close() {}
    }
}
