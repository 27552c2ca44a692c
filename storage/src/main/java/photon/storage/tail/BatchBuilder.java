package photon.storage.tail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
    private int records;
    private long eventBytes;
    private long readBytes;

    BatchBuilder(int recordsMax) {
        this.recordsMax = recordsMax;
    }

    boolean full() {
        return records >= recordsMax
                || eventBytes >= EVENT_BYTES_MAX
                || readBytes >= READ_BYTES_MAX;
    }

    /** Counts bytes that were read, of whatever use: a poll ends also where all is skipped. */
    void readBytes(int bytes) {
        readBytes += bytes;
    }

    void event(TailedFile file, long offset, long endOffset, LogEvent event) {
        items.add(new Item(file.number, file.path, offset, endOffset, event, null));
        file.handedTo = endOffset;
        records++;
        eventBytes += event.weight();
    }

    void filtered(TailedFile file, long offset, long endOffset) {
        records++;
        file.handedTo = endOffset;
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
        file.handedTo = endOffset;
        records++;
        eventBytes += head.length;
    }

    TailBatch build(boolean caughtUp, boolean endsAwaited, Optional<Stall> stall) {
        return new TailBatch(items, caughtUp, endsAwaited, full(), stall);
    }

    static byte[] head(byte[] bytes, int from, int to) {
        return Arrays.copyOfRange(bytes, from, Math.min(to, from + HEAD_BYTES_MAX));
    }
}
