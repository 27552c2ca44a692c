package photon.storage.tail;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.storage.format.Parsed;

/**
 * Reads on in one open file, for one turn: a bounded number of bytes. Decides what of the bytes is
 * a record; how files take turns is {@link LogTail}'s.
 */
final class FileTurn {
    private static final int TURN_BYTES = 1 << 20;

    private static final Logger log = LoggerFactory.getLogger(FileTurn.class);

    private final RecordSplitter splitter;
    private final FileEnds ends;
    private final Copies copies;
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
        REPLACED,
        /** It is to be opened anew, and read on from where its offset is. */
        REOPEN
    }

    FileTurn(RecordSplitter splitter, FileEnds ends, Copies copies) {
        this.splitter = splitter;
        this.ends = ends;
        this.copies = copies;
    }

    End read(TailedFile file, OpenFile open, BatchBuilder batch, long nanoTime) throws IOException {
        End end = readTurn(file, open, batch, nanoTime);
        if (end != End.REPLACED) {
            file.prefix = open.prefix(file.prefix);
        }
        return end;
    }

    private End readTurn(TailedFile file, OpenFile open, BatchBuilder batch, long nanoTime)
            throws IOException {
        if (file.compressed && !file.lookedForAlike) {
            End end = lookForAlike(file, open, batch, nanoTime);
            if (end != null) {
                return end;
            }
        }
        return file.copyCheck == null
                ? readOn(file, open, batch, nanoTime)
                : compare(file, open, batch, nanoTime);
    }

    /**
     * As soon as bytes can be taken: those that the file begins with are all there then.
     *
     * @return null: the turn goes on
     */
    private @Nullable End lookForAlike(
            TailedFile file, OpenFile open, BatchBuilder batch, long nanoTime) throws IOException {
        long budget = TURN_BYTES;
        while (open.waiting() == 0) {
            if (budget <= 0) {
                return End.MORE;
            }
            int came;
            try {
                came = open.fill();
            } catch (CorruptStreamException e) {
                return corrupt(file, open, batch, e);
            }
            if (came > 0 && !stillTheSame(file, open)) {
                return End.REPLACED;
            }
            int checked = open.checkedBytes();
            budget -= came + checked;
            batch.readBytes(came + checked);
            if (came == 0 && checked == 0) {
                // Not looked for another time: what comes meanwhile would be taken unseen.
                if (file.changed && !stillTheSame(file, open)) {
                    return End.REPLACED;
                }
                file.changed = false;
                return atTheEnd(file, open, batch, nanoTime);
            }
        }
        file.copyCheck = copies.check(file, open, ends.nowMillis(), nanoTime);
        file.lookedForAlike = true;
        return null;
    }

    /** Nothing of the file is handed out before it is known where to begin. */
    private End compare(TailedFile file, OpenFile open, BatchBuilder batch, long nanoTime)
            throws IOException {
        CopyCheck check = requireNonNull(file.copyCheck);
        CopyCheck.Finding finding = check.read(file, open, batch, TURN_BYTES, nanoTime);
        // So that it is looked at again, and nobody takes all for read meanwhile.
        boolean waits = finding == CopyCheck.Finding.WAITING;
        file.endAwaited = waits && open.complete();
        file.changed = waits;
        if (finding == CopyCheck.Finding.READ_ON || finding == CopyCheck.Finding.REOPEN) {
            file.copyCheck = null;
        }
        return switch (finding) {
            case MORE, READ_ON -> End.MORE;
            case WAITING -> End.WAITING;
            case REOPEN -> End.REOPEN;
        };
    }

    private End readOn(TailedFile file, OpenFile open, BatchBuilder batch, long nanoTime)
            throws IOException {
        long budget = TURN_BYTES;
        boolean news = true;
        while (true) {
            if (news && !takeRecords(file, open, batch, false)) {
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
            int checked = open.checkedBytes();
            budget -= came + checked;
            batch.readBytes(came + checked);
            news = came > 0;
            if (came == 0 && checked == 0) {
                return atTheEnd(file, open, batch, nanoTime);
            }
        }
    }

    /**
     * False: the batch is full.
     *
     * @param finished no byte comes behind those that are waiting
     */
    private boolean takeRecords(
            TailedFile file, OpenFile open, BatchBuilder batch, boolean finished) {
        while (open.waiting() > 0) {
            if (batch.fullNow()) {
                return false;
            }
            if (open.offset() < file.offset && !file.parser.needsHeader()) {
                open.skipTo(file.offset);
                continue;
            }
            if (!takeRecord(file, open, batch, finished)) {
                return true;
            }
        }
        return true;
    }

    /** False: more bytes are needed. */
    private boolean takeRecord(
            TailedFile file, OpenFile open, BatchBuilder batch, boolean finished) {
        byte[] bytes = open.buffer();
        int start = open.start();
        long offset = open.offset();
        boolean again = offset < file.offset; // read only for the header's sake
        RecordSplitter.Found found =
                splitter.next(bytes, start, open.end(), finished, file.badFrom >= 0);
        if (found == RecordSplitter.Found.MORE) {
            return false;
        }
        int length = splitter.next() - start;
        if (found == RecordSplitter.Found.RECORD) {
            if (file.parser.needsHeader() && !splitter.endsRecord(bytes[splitter.next() - 1])) {
                return false; // half a header would give every row behind it other fields
            }
            endBadRange(file, batch);
            int to = splitter.recordTo();
            if (!again && goesOn(open)) {
                addRest(file, open, splitter.recordFrom(), to, batch);
            } else {
                int from = splitter.recordFrom() + byteOrderMark(bytes, start, open.end(), offset);
                Parsed parsed = file.parser.parse(bytes, Math.min(from, to), to);
                if (!again) {
                    add(file, open, length, parsed, batch);
                } else if (offset + length > file.offset) {
                    addRest(file, open, start + (int) (file.offset - offset), to, batch);
                }
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
            byte[] shown = file.parser.shown().toByteArray();
            int start = open.start();
            byte[] head =
                    shown.length > 0
                            ? BatchBuilder.head(shown, 0, shown.length)
                            : BatchBuilder.head(open.buffer(), start, start + length);
            batch.bad(file, offset, endOffset, bad.reason(), bad.cause(), head);
        } else {
            batch.filtered(file, offset, endOffset);
        }
        file.offset = endOffset;
    }

    /** True: what was taken last had no end, because the file was taken for finished. */
    private boolean goesOn(OpenFile open) {
        return !open.plain() && open.offset() > 0 && !splitter.endsRecord(open.lastTaken());
    }

    /**
     * What comes behind a record that was taken without its end. If it is more than the end, that
     * record was a part of another one, and so is this.
     */
    private void addRest(TailedFile file, OpenFile open, int from, int to, BatchBuilder batch) {
        byte[] bytes = open.buffer();
        long endOffset = open.offset() + splitter.next() - open.start();
        boolean onlyTheEnd = to <= from || (to == from + 1 && bytes[from] == '\r');
        if (onlyTheEnd) {
            batch.filtered(file, file.offset, endOffset);
        } else {
            String reason =
                    "Expected nothing behind byte %s, where the file was finished, but it has grown: the record before that byte, and this, are parts of one that nobody has read"
                            .formatted(file.offset);
            log.warn("{} has grown after it was finished, at its byte {}", file.path, file.offset);
            batch.bad(
                    file,
                    file.offset,
                    endOffset,
                    reason,
                    BatchBuilder.head(bytes, from, splitter.next()));
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

    private End atTheEnd(TailedFile file, OpenFile open, BatchBuilder batch, long nanoTime)
            throws IOException {
        file.endAwaited = false;
        boolean moreMayCome = open.verifies() && !open.complete();
        if (open.shrunk() || (open.offset() < file.offset && !moreMayCome)) {
            return End.REPLACED; // it was longer before
        }
        if (open.complete() && (open.waiting() > 0 || file.badFrom >= 0)) {
            if (ends.finished(file, open, nanoTime)) {
                if (!takeRecords(file, open, batch, true)) {
                    return End.MORE;
                }
                endBadRange(file, batch);
            } else {
                file.endAwaited = true;
            }
        }
        long from = file.badFrom >= 0 ? file.badFrom : file.offset;
        long unread = open.offset() + open.waiting() - from;
        file.leftoverLength =
                unread > 0 || (!open.plain() && !open.complete()) ? Math.max(0, unread) : -1;
        return End.WAITING;
    }

    /**
     * The item has no length, and stands where the first record that cannot be read begins: read
     * again from there, it is the same item.
     */
    private End corrupt(
            TailedFile file, OpenFile open, BatchBuilder batch, CorruptStreamException e) {
        open.forgetBoundary();
        if (open.resumed()) {
            // It may have been written anew, with the same bytes in other members.
            return End.REOPEN;
        }
        if (open.offset() < file.offset) {
            return End.REPLACED; // that far it was whole before
        }
        file.leftoverLength = -1;
        file.trouble = e.reason();
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
        if (!open.beginsAs(file.prefix, first, available)) {
            return false;
        }
        if (!open.plain() && available > file.prefix.length()) {
            file.prefix = Prefix.of(first, available);
        }
        return true;
    }

    static int byteOrderMark(byte[] bytes, int start, int end, long offset) {
        boolean marked =
                offset == 0
                        && end - start >= 3
                        && bytes[start] == (byte) 0xEF
                        && bytes[start + 1] == (byte) 0xBB
                        && bytes[start + 2] == (byte) 0xBF;
        return marked ? 3 : 0;
    }
}
