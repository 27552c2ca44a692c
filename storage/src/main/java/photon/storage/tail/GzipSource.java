package photon.storage.tail;

import java.io.IOException;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import photon.storage.files.FileStore.ReadFile;

/**
 * A gzip file: members one behind the other (RFC 1952). Unlike the JDK's stream it can stop
 * anywhere and go on when the file has grown, and tells a stream that is still being written from a
 * broken one. Zeros after a member are padding.
 */
final class GzipSource implements MemberSource {
    private static final int INPUT_BYTES = 32 << 10;
    private static final int HEADER_BYTES_MAX = 256 << 10;
    private static final int TRAILER_BYTES = 8;
    private static final int HEADER_CRC = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xE0;

    private final ReadFile file;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private byte[] input = new byte[INPUT_BYTES];
    private int at;
    private int filled;
    private long rawPosition; // of input[filled]
    private boolean first = true;
    private Part part = Part.HEADER;

    private enum Part {
        /** Between members, or in a member's header; leaves when the header is whole. */
        HEADER,
        /** In the compressed bytes; leaves at their end mark. */
        BODY,
        /** In checksum and length. */
        TRAILER
    }

    GzipSource(ReadFile file) {
        this.file = file;
    }

    @Override
    public int next(byte[] into, int offset, int length)
            throws IOException, CorruptStreamException {
        if (part == Part.HEADER && !header()) {
            return 0;
        }
        if (part == Part.BODY) {
            int n = body(into, offset, length);
            if (n > 0 || part == Part.BODY) {
                return n;
            }
        }
        return trailer() ? MEMBER_END : 0;
    }

    @Override
    public void restart(long position) {
        inflater.reset();
        crc.reset();
        at = 0;
        filled = 0;
        rawPosition = position;
        first = position == 0;
        part = Part.HEADER;
    }

    @Override
    public boolean betweenMembers() {
        return part == Part.HEADER && !first && at == filled;
    }

    @Override
    public long rawPosition() {
        return rawPosition - (filled - at);
    }

    @Override
    public void close() {
        inflater.end();
    }

    /** Returns 0 with the part unchanged when there is no more input. */
    private int body(byte[] into, int offset, int length)
            throws IOException, CorruptStreamException {
        while (true) {
            inflater.setInput(input, at, filled - at);
            int n;
            try {
                n = inflater.inflate(into, offset, length);
            } catch (DataFormatException e) {
                throw corrupt("its compressed data is invalid: " + e.getMessage());
            }
            at = filled - inflater.getRemaining();
            crc.update(into, offset, n);
            if (inflater.needsDictionary()) {
                throw corrupt("it asks for a dictionary");
            }
            if (inflater.finished()) {
                part = Part.TRAILER;
                return n;
            }
            if (n > 0) {
                return n;
            }
            if (!fill(1)) {
                return 0;
            }
        }
    }

    private boolean trailer() throws IOException, CorruptStreamException {
        if (!fill(TRAILER_BYTES)) {
            return false;
        }
        long expectedCrc = readInt(at) & 0xFFFFFFFFL;
        int expectedLength = readInt(at + 4);
        if (expectedCrc != crc.getValue()) {
            throw corrupt(
                    "its checksum is %08x, but the content's is %08x"
                            .formatted(expectedCrc, crc.getValue()));
        }
        if (expectedLength != (int) inflater.getBytesWritten()) {
            throw corrupt("its length field differs from its content");
        }
        at += TRAILER_BYTES;
        first = false;
        inflater.reset();
        crc.reset();
        part = Part.HEADER;
        return true;
    }

    private boolean header() throws IOException, CorruptStreamException {
        while (!first && fill(1) && input[at] == 0) {
            at++;
        }
        if (!fill(1)) {
            return false;
        }
        if (input[at] != 0x1F || (fill(2) && input[at + 1] != (byte) 0x8B)) {
            throw corrupt("bytes that are no gzip follow the end of a member");
        }
        if (!fill(10)) {
            return false;
        }
        if (input[at + 2] != 8 || (input[at + 3] & RESERVED) != 0) {
            throw corrupt("its header asks for an unknown method or flag");
        }
        int length = headerLength(input[at + 3]);
        if (length < 0) {
            return false;
        }
        at += length;
        part = Part.BODY;
        return true;
    }

    /** -1: the file ends before the header does. */
    private int headerLength(int flags) throws IOException, CorruptStreamException {
        int length = 10;
        if ((flags & EXTRA) != 0) {
            if (!fill(length + 2)) {
                return -1;
            }
            length += 2 + (input[at + length] & 0xFF) + ((input[at + length + 1] & 0xFF) << 8);
        }
        for (int flag : new int[] {NAME, COMMENT}) {
            if ((flags & flag) != 0) {
                do {
                    if (!fill(length + 1)) {
                        return -1;
                    }
                    length++;
                } while (input[at + length - 1] != 0);
            }
        }
        if ((flags & HEADER_CRC) != 0) {
            length += 2;
        }
        return fill(length) ? length : -1;
    }

    /** Gets {@code needed} bytes from {@code at} on; false: the file has not so many now. */
    private boolean fill(int needed) throws IOException, CorruptStreamException {
        if (filled - at >= needed) {
            return true;
        }
        if (needed > HEADER_BYTES_MAX) {
            throw corrupt("its header is longer than " + HEADER_BYTES_MAX + " bytes");
        }
        if (at > 0) {
            System.arraycopy(input, at, input, 0, filled - at);
            filled -= at;
            at = 0;
        }
        if (needed > input.length) {
            input = Arrays.copyOf(input, Math.max(needed, input.length * 2));
        }
        while (filled < needed) {
            int n = file.read(rawPosition, input, filled, input.length - filled);
            if (n <= 0) {
                return false;
            }
            rawPosition += n;
            filled += n;
        }
        return true;
    }

    private int readInt(int from) {
        return (input[from] & 0xFF)
                | (input[from + 1] & 0xFF) << 8
                | (input[from + 2] & 0xFF) << 16
                | (input[from + 3] & 0xFF) << 24;
    }

    private CorruptStreamException corrupt(String what) {
        return new CorruptStreamException(
                "The gzip stream is corrupt near its byte %s: %s".formatted(rawPosition(), what));
    }
}
