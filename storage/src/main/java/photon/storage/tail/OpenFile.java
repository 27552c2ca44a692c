package photon.storage.tail;

import java.io.IOException;
import java.util.Arrays;
import photon.core.config.InputConfig.OpenMembers;
import photon.storage.files.FileStore.ReadFile;

/** An open file with the bytes of it that were read and not taken yet. */
final class OpenFile implements AutoCloseable {
    private static final int CHUNK_BYTES = 256 << 10;
    private static final int SMALL_BYTES = 16 << 10;

    private final ReadFile raw;
    private final ByteSource source;
    private final boolean plain;
    private final boolean verifies;
    private final boolean growing;
    private final MemberBoundary begun;
    private boolean boundaryForgotten;
    private byte[] buffer = new byte[0];
    private int start;
    private int end;
    private long offset; // uncompressed, of buffer[start]
    private boolean complete;
    private final ContentCrc content;
    private final byte[] head; // of a plain file: its first bytes, as far as they were taken
    private int headLength;
    private byte lastTaken;
    private boolean lastFilled; // the last reading filled the buffer: there is probably more

    /** How a file is compressed, by its first bytes. */
    enum Kind {
        PLAIN,
        GZIP,
        ZSTD,
        /** An Avro container file, for a stream of such files. */
        AVRO,
        /** Too short to tell. */
        UNDECIDED
    }

    static Kind kind(byte[] first, int length) {
        if (begins(first, length, 0x1F, 0x8B)) {
            return length >= 2 ? Kind.GZIP : Kind.UNDECIDED;
        }
        if (begins(first, length, 0x28, 0xB5, 0x2F, 0xFD)
                || (length > 0
                        && (first[0] & 0xF0) == 0x50
                        && begins(first, length, first[0] & 0xFF, 0x2A, 0x4D, 0x18))) {
            return length >= 4 ? Kind.ZSTD : Kind.UNDECIDED;
        }
        return Kind.PLAIN;
    }

    /**
     * @param openMembers of a compressed file: whether bytes wait for their checksum
     * @param first the file's first bytes
     * @param taken how many of them were taken in an earlier life
     * @param resumed where that has stopped
     * @param from of a compressed file: where to begin
     * @param content hears what is taken of a plain file
     */
    OpenFile(
            ReadFile raw,
            Kind kind,
            OpenMembers openMembers,
            byte[] first,
            int taken,
            long resumed,
            MemberBoundary from,
            ContentCrc content) {
        this.raw = raw;
        this.content = content;
        this.head = Arrays.copyOf(first, Prefix.BYTES_MAX);
        this.headLength = taken;
        this.plain = kind == Kind.PLAIN;
        this.source =
                switch (kind) {
                    case GZIP -> of(new GzipSource(raw), openMembers, from);
                    case ZSTD -> of(new ZstdSource(raw), openMembers, from);
                    case AVRO -> new AvroSource(raw, resumed);
                    default -> new PlainSource(raw);
                };
        if (kind == Kind.GZIP || kind == Kind.ZSTD) {
            this.offset = from.offset();
            this.lastTaken = from.last();
        }
        this.begun = from;
        this.growing = kind == Kind.AVRO;
        this.verifies = growing || (!plain && openMembers == OpenMembers.VERIFY);
    }

    private static ByteSource of(
            MemberSource source, OpenMembers openMembers, MemberBoundary from) {
        source.restart(from.raw());
        return openMembers == OpenMembers.TRUST
                ? new TrustedSource(source, from)
                : new VerifiedSource(source, from);
    }

    /** Where to begin if it is opened again. */
    MemberBoundary boundary() {
        if (boundaryForgotten) {
            return MemberBoundary.NONE;
        }
        long member = source.memberOffset();
        return member > offset
                ? begun // of what is read and not taken
                : new MemberBoundary(source.memberRaw(), member, lastTaken, member == offset);
    }

    /** If it is opened again, it is read from its beginning. */
    void forgetBoundary() {
        boundaryForgotten = true;
    }

    /** True: it was not read from its beginning. */
    boolean resumed() {
        return begun.raw() > 0;
    }

    ReadFile raw() {
        return raw;
    }

    boolean plain() {
        return plain;
    }

    /** True: of a compressed file no byte comes before the checksum of its member. */
    boolean verifies() {
        return verifies;
    }

    /** True: it is not the file any more that was read, since it has become shorter. */
    boolean shrunk() throws IOException {
        return plain ? raw.length() < offset : source.cutOff();
    }

    /** True: it may be whole for now and grow all the same, and stays open for that. */
    boolean growing() {
        return growing;
    }

    byte[] buffer() {
        return buffer;
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    /** Offset of the first byte that was not taken. */
    long offset() {
        return offset;
    }

    /** Bytes read and not taken. */
    int waiting() {
        return end - start;
    }

    /**
     * True: the file is whole as it stands, so that what is read and not taken is its end unless it
     * grows.
     */
    boolean complete() {
        return complete;
    }

    /** How many bytes the last {@link #fill} only checked; above 0: there is more to be done. */
    int checkedBytes() {
        return source.checkedBytes();
    }

    /** The last byte that was taken or skipped. */
    byte lastTaken() {
        return lastTaken;
    }

    long rawPosition() {
        return source.rawPosition();
    }

    /** {@link MemberSource#windowBytes}. */
    long windowBytes() {
        return source.windowBytes();
    }

    /**
     * The prefix of what was taken. Of a plain file's end nothing is in it that was not taken: a
     * writer that starts anew may cut that off, and it stays the same file.
     */
    Prefix prefix(Prefix known) {
        return plain && headLength > known.length() ? Prefix.of(head, headLength) : known;
    }

    /**
     * As {@link Prefix#fits}. Asked after each reading, and of a plain file the bytes are at hand.
     *
     * @param known of this file, as of when it was opened or as {@link #prefix} has said since
     */
    boolean beginsAs(Prefix known, byte[] first, int available) {
        int length = known.length();
        return plain
                ? available >= length && Arrays.equals(first, 0, length, head, 0, length)
                : known.fits(first, available);
    }

    void take(int bytes) {
        if (headLength < head.length && offset <= headLength && offset + bytes > headLength) {
            int skip = (int) (headLength - offset);
            int more = Math.min(bytes - skip, head.length - headLength);
            System.arraycopy(buffer, start + skip, head, headLength, more);
            headLength += more;
        }
        if (plain) {
            content.take(buffer, start, bytes, offset);
        }
        if (bytes > 0) {
            lastTaken = buffer[start + bytes - 1];
        }
        start += bytes;
        offset += bytes;
    }

    /** Skips towards this offset as far as that needs no reading. */
    void skipTo(long target) {
        int inBuffer = (int) Math.min(end - start, target - offset);
        take(inBuffer);
        if (offset < target && plain) {
            start = 0;
            end = 0;
            offset = source.seek(target);
        }
    }

    /**
     * Reads on, making room as needed.
     *
     * @return how many bytes came; 0: none now
     */
    int fill() throws IOException, CorruptStreamException {
        int held = end - start;
        if (plain) {
            // What is not taken is read again: a writer that starts anew may have cut it off.
            source.seek(offset);
        } else {
            System.arraycopy(buffer, start, buffer, 0, held);
        }
        start = 0;
        end = plain ? 0 : held;
        reserve(held);
        int n = source.read(buffer, end, buffer.length - end);
        end += n;
        lastFilled = end == buffer.length;
        complete = n == 0 && source.complete();
        return plain ? Math.max(0, n - held) : n;
    }

    /** Gives back memory that an idle file does not need; a little is kept for the next look. */
    void shrink() {
        if (plain) {
            end = start; // it is read again
        }
        if (buffer.length > SMALL_BYTES) {
            buffer = Arrays.copyOfRange(buffer, start, end);
            end -= start;
            start = 0;
        }
    }

    @Override
    public void close() throws IOException {
        try (raw) {
            source.close();
        }
    }

    /** Room for more than the held bytes: little for a file that gives little. */
    private void reserve(int held) {
        if (held < buffer.length && buffer.length >= CHUNK_BYTES) {
            return;
        }
        int capacity = Math.max(SMALL_BYTES, buffer.length);
        while (held >= capacity) {
            capacity *= 4;
        }
        if (lastFilled) {
            capacity = Math.max(capacity, CHUNK_BYTES);
        }
        if (capacity > buffer.length) {
            buffer = Arrays.copyOf(buffer, capacity);
        }
    }

    private static boolean begins(byte[] first, int length, int... magic) {
        for (int i = 0; i < Math.min(length, magic.length); i++) {
            if ((first[i] & 0xFF) != magic[i]) {
                return false;
            }
        }
        return length > 0;
    }
}
