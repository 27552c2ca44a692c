package photon.storage.tail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import photon.core.event.LogEvent;
import photon.storage.format.BadCause;
import photon.storage.tail.TailBatch.BadRecord;
import photon.storage.tail.TailBatch.Item;
import photon.storage.tail.TailBatch.Stall;

/** Gathers a batch within its bounds; neighbouring ranges without events become one item. */
final class BatchBuilder {
    private static final long EVENT_BYTES_MAX = 4 << 20;
    private static final long READ_BYTES_MAX = 16 << 20;
    private static final int HEAD_BYTES_MAX = 512;

    private final List<Item> items = new ArrayList<>();
    private final int recordsMax;
    private final Set<Integer> backlogged = new HashSet<>();

    /** Of the whole batch, what may be taken by now. */
    private int recordsNow;

    private long eventBytesNow = EVENT_BYTES_MAX;
    private long readBytesNow = READ_BYTES_MAX;
    private int records;
    private long eventBytes;
    private long readBytes;

    BatchBuilder(int recordsMax) {
        this.recordsMax = recordsMax;
        this.recordsNow = recordsMax;
    }

    boolean full() {
        return records >= recordsMax
                || eventBytes >= EVENT_BYTES_MAX
                || readBytes >= READ_BYTES_MAX;
    }

    /** There is no more room for now: what is left is for others. */
    boolean fullNow() {
        return records >= recordsNow || eventBytes >= eventBytesNow || readBytes >= readBytesNow;
    }

    /** Leaves room for so many records, and the part of the bytes that is theirs. */
    void leave(int recordsLeft) {
        recordsNow = recordsMax - recordsLeft;
        eventBytesNow = EVENT_BYTES_MAX * recordsNow / recordsMax;
        readBytesNow = READ_BYTES_MAX * recordsNow / recordsMax;
    }

    /** So many more records at the most, and all of the room that is there. */
    void upTo(int recordsMore) {
        recordsNow = (int) Math.min(recordsMax, (long) records + recordsMore);
        eventBytesNow = EVENT_BYTES_MAX;
        readBytesNow = READ_BYTES_MAX;
    }

    /** Counts bytes that were read, of whatever use: a poll ends also where all is skipped. */
    void readBytes(int bytes) {
        readBytes += bytes;
    }

    void event(TailedFile file, long offset, long endOffset, LogEvent event) {
        items.add(new Item(file.number, file.path, offset, endOffset, event, null));
        file.eventMicros = event.id().micros();
        handed(file, endOffset);
        eventBytes += event.weight();
    }

    void filtered(TailedFile file, long offset, long endOffset) {
        handed(file, endOffset);
        int last = items.size() - 1;
        if (last >= 0) {
            Item before = items.get(last);
            if (before.file() == file.number
                    && before.endOffset() == offset
                    && before.event() == null
                    && before.bad() == null) {
                items.set(
                        last,
                        new Item(file.number, file.path, before.offset(), endOffset, null, null));
                return;
            }
        }
        items.add(new Item(file.number, file.path, offset, endOffset, null, null));
    }

    void bad(TailedFile file, long offset, long endOffset, String reason, byte[] head) {
        bad(file, offset, endOffset, reason, BadCause.OTHER, head);
    }

    void bad(
            TailedFile file,
            long offset,
            long endOffset,
            String reason,
            BadCause cause,
            byte[] head) {
        items.add(
                new Item(
                        file.number,
                        file.path,
                        offset,
                        endOffset,
                        null,
                        new BadRecord(reason, cause, head)));
        handed(file, endOffset);
        eventBytes += head.length;
    }

    private void handed(TailedFile file, long endOffset) {
        file.handedTo = endOffset;
        records++;
        if (file.backlogged) {
            backlogged.add(file.number);
        }
    }

    TailBatch build(
            boolean caughtUp, boolean endsAwaited, Optional<Stall> stall, boolean backlogWaits) {
        return new TailBatch(
                items,
                caughtUp,
                endsAwaited,
                full(),
                stall,
                new TailBatch.Backlog(backlogged, backlogWaits));
    }

    static byte[] head(byte[] bytes, int from, int to) {
        return Arrays.copyOfRange(bytes, from, Math.min(to, from + HEAD_BYTES_MAX));
    }
}
