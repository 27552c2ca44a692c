package photon.storage.tail;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether a compressed file goes on with a log that was read before it was compressed
 * (docs/protocol.md section 12): it begins with all that was read of that log, to the byte. Then
 * only what comes behind is read. Hands out nothing before that is known; when in doubt, the file
 * is read from its start. Of one file; not thread-safe.
 */
final class CopyCheck {
    /** For so long it waits until what was read of the log is done. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(CopyCheck.class);

    private final List<Original> originals; // by offset
    private final CRC32 crc = new CRC32();
    private int next;
    private long compared;
    private @Nullable Original longest;
    private boolean waits;
    private long waitsSinceNanos;

    /**
     * @param originals that begin as the file does, in any order; one or more
     */
    CopyCheck(List<Original> originals) {
        this.originals =
                originals.stream()
                        .sorted(Comparator.comparing(original -> original.position().offset()))
                        .toList();
    }

    /**
     * A log that was read.
     *
     * @param position up to where, with the CRC
     * @param file as the tail knows it; null: an earlier life has read it
     */
    record Original(FilePosition position, @Nullable TailedFile file) {
        /** All that was read of it has become a row, a joined event, or what else it had to. */
        boolean isDone() {
            return file == null || file.handedTo < 0 || file.doneTo >= position.offset();
        }
    }

    /** What was found out. */
    enum Finding {
        /** Nothing yet: there is more to read. */
        MORE,
        /** Nothing yet: more bytes have to come, or what was read is not done. */
        WAITING,
        /** The file is read on from its offset, which may be its start. */
        READ_ON,
        /** The same, but it has to be opened anew. */
        REOPEN
    }

    /**
     * @param bytesMax it stops soon after this many bytes
     */
    Finding read(TailedFile file, OpenFile open, BatchBuilder batch, long bytesMax, long nanoTime)
            throws IOException {
        long budget = bytesMax;
        while (next < originals.size()) {
            if (budget <= 0) {
                return Finding.MORE;
            }
            int came;
            try {
                came = open.fill();
            } catch (CorruptStreamException e) {
                break; // Reading the file reports it.
            }
            int checked = open.checkedBytes();
            budget -= came + checked;
            batch.readBytes(came + checked);
            compare(open);
            if (came == 0 && checked == 0) {
                if (open.offset() == 0 && !open.complete()) {
                    return Finding.WAITING;
                }
                break;
            }
        }
        return decide(file, open, batch, nanoTime);
    }

    private void compare(OpenFile open) {
        if (open.offset() != compared) { // closed meanwhile, and opened anew
            crc.reset();
            next = 0;
            longest = null;
        }
        while (open.waiting() > 0 && next < originals.size()) {
            Original original = originals.get(next);
            FilePosition read = original.position();
            int n = (int) Math.min(open.waiting(), read.offset() - open.offset());
            crc.update(open.buffer(), open.start(), n);
            open.take(n);
            if (open.offset() == read.offset()) {
                if (Integer.valueOf((int) crc.getValue()).equals(read.contentCrc())) {
                    longest = original;
                }
                next++;
            }
        }
        compared = open.offset();
    }

    private Finding decide(TailedFile file, OpenFile open, BatchBuilder batch, long nanoTime) {
        Original found = longest;
        if (found == null) {
            return readOn(open, 0);
        }
        if (!found.isDone()) {
            if (!waits) {
                waits = true;
                waitsSinceNanos = nanoTime;
            }
            return nanoTime - waitsSinceNanos < PATIENCE.toNanos()
                    ? Finding.WAITING
                    : readOn(open, 0);
        }
        long end = found.position().offset();
        log.info(
                "{} goes on where {} was read to, and is read from its byte {} on",
                file.path,
                found.position().path(),
                end);
        file.offset = end;
        batch.filtered(file, 0, end);
        // Of a table's header nothing is known before it is read.
        return file.parser.needsHeader() ? Finding.REOPEN : readOn(open, end);
    }

    private static Finding readOn(OpenFile open, long offset) {
        return open.offset() == offset ? Finding.READ_ON : Finding.REOPEN;
    }
}
