package photon.storage.tail;

import java.io.IOException;
import photon.storage.format.Parsed;

/**
 * Reads on in one open file, for one turn: a bounded number of bytes. Decides what of the bytes is
 * a record; how files take turns is {@link LogTail}'s.
 */
final class FileTurn {
    private static final int TURN_BYTES = 1 << 20;

    private final RecordSplitter splitter;
    private final byte[] first = new byte[Prefix.BYTES_MAX];

    /** How a turn ended. */
    enum End {
        /** There is more to read. */
        MORE,
        /** No more bytes now. */
        WAITING,
        /** A compressed stream is broken: reported, and not read on. */
        CORRUPT,
        /** It is not the file any more that was read so far. */
        REPLACED
    }

    FileTurn(RecordSplitter splitter) {
        this.splitter = splitter;
    }

    End read(TailedFile file, OpenFile open, BatchBuilder batch) throws IOException {
        End end = readOn(file, open, batch);
        if (end != End.REPLACED) {
            file.prefix = open.prefix(file.prefix);
        }
        return end;
    }

    private End readOn(TailedFile file, OpenFile open, BatchBuilder batch) throws IOException {
        long budget = TURN_BYTES;
        while (true) {
            if (!takeRecords(file, open, batch)) {
                return End.MORE;
            }
            if (budget <= 0) {
                return End.MORE;
            }
            int came;
            try {
                came = open.fill();
            } catch (CorruptStreamException e) {
                return corrupt(file, open, batch, e);
            }
            if ((came > 0 || file.changed) && !stillTheSame(file, open)) {
                return End.REPLACED;
            }
            file.changed = false;
            budget -= came;
            batch.readBytes(came);
            if (came == 0) {
                return atTheEnd(file, open, batch);
            }
        }
    }

    /** False: the batch is full. */
    private boolean takeRecords(TailedFile file, OpenFile open, BatchBuilder batch) {
        while (open.waiting() > 0) {
            if (batch.full()) {
                return false;
            }
            if (open.offset() < file.offset && !file.parser.needsHeader()) {
                open.skipTo(file.offset);
                continue;
            }
            if (!takeRecord(file, open, batch)) {
                return true;
            }
        }
        return true;
    }

    /** False: more bytes are needed. */
    private boolean takeRecord(TailedFile file, OpenFile open, BatchBuilder batch) {
        byte[] bytes = open.buffer();
        int start = open.start();
        long offset = open.offset();
        boolean again = offset < file.offset; // read only for the header's sake
        RecordSplitter.Found found =
                splitter.next(bytes, start, open.end(), open.complete(), file.badFrom >= 0);
        if (found == RecordSplitter.Found.MORE) {
            return false;
        }
        int length = splitter.next() - start;
        if (found == RecordSplitter.Found.RECORD) {
            endBadRange(file, batch);
            int from = splitter.recordFrom() + byteOrderMark(bytes, start, open.end(), offset);
            int to = splitter.recordTo();
            Parsed parsed = file.parser.parse(bytes, Math.min(from, to), to);
            if (!again) {
                add(file, open, length, parsed, batch);
            }
        } else if (!again) {
            if (file.badFrom < 0) {
                file.badFrom = offset;
                file.badHead = BatchBuilder.head(bytes, start, splitter.next());
            }
            file.offset = offset + length;
            if (found == RecordSplitter.Found.BAD_TO_HERE) {
                endBadRange(file, batch);
            }
        }
        open.take(length);
        return true;
    }

    private static void add(
            TailedFile file, OpenFile open, int length, Parsed parsed, BatchBuilder batch) {
        long offset = open.offset();
        long endOffset = offset + length;
        if (parsed instanceof Parsed.Event event) {
            batch.event(file, offset, endOffset, event.event());
        } else if (parsed instanceof Parsed.Bad bad) {
            int start = open.start();
            byte[] head = BatchBuilder.head(open.buffer(), start, start + length);
            batch.bad(file, offset, endOffset, bad.reason(), head);
        } else {
            batch.filtered(file, offset, endOffset);
        }
        file.offset = endOffset;
    }

    private void endBadRange(TailedFile file, BatchBuilder batch) {
        if (file.badFrom >= 0) {
            batch.bad(file, file.badFrom, file.offset, splitter.badReason(), file.badHead);
            file.badFrom = -1;
            file.badHead = new byte[0];
        }
    }

    private End atTheEnd(TailedFile file, OpenFile open, BatchBuilder batch) throws IOException {
        boolean shrunk = open.plain() && open.raw().length() < open.offset();
        if (shrunk || open.offset() < file.offset) {
            return End.REPLACED; // it was longer before
        }
        if (open.complete()) {
            if (!takeRecords(file, open, batch)) {
                return End.MORE;
            }
            endBadRange(file, batch);
        }
        long from = file.badFrom >= 0 ? file.badFrom : file.offset;
        long unread = open.offset() + open.waiting() - from;
        file.leftoverLength = unread > 0 || (!open.plain() && !open.complete()) ? unread : -1;
        return End.WAITING;
    }

    /**
     * The item has no length, and stands where the first record that cannot be read begins: read
     * again from there, it is the same item.
     */
    private End corrupt(
            TailedFile file, OpenFile open, BatchBuilder batch, CorruptStreamException e) {
        if (open.offset() < file.offset) {
            return End.REPLACED; // that far it was whole before
        }
        file.leftoverLength = -1;
        if (!file.troubleReported) {
            file.troubleReported = true;
            byte[] head = BatchBuilder.head(open.buffer(), open.start(), open.end());
            long at = file.badFrom >= 0 ? file.badFrom : file.offset;
            batch.bad(file, at, at, e.reason(), head);
        }
        return End.CORRUPT;
    }

    /** Asked after each reading: what was read lies between two looks at the first bytes. */
    private boolean stillTheSame(TailedFile file, OpenFile open) throws IOException {
        int available = Prefix.readFirst(open.raw(), first);
        if (!file.prefix.fits(first, available)) {
            return false;
        }
        if (!open.plain() && available > file.prefix.length()) {
            file.prefix = Prefix.of(first, available);
        }
        return true;
    }

    private static int byteOrderMark(byte[] bytes, int start, int end, long offset) {
        boolean marked =
                offset == 0
                        && end - start >= 3
                        && bytes[start] == (byte) 0xEF
                        && bytes[start + 1] == (byte) 0xBB
                        && bytes[start + 2] == (byte) 0xBF;
        return marked ? 3 : 0;
    }
}
