package photon.dispatcher.rules;

import static photon.core.error.Checks.check;

import java.util.ArrayDeque;

/**
 * How far one file is done: to the end of the longest prefix of finished ranges. Not thread-safe.
 */
public final class OffsetTracker {
    private final ArrayDeque<ReadRange> open = new ArrayDeque<>();
    private long readTo = -1;
    private long finishedTo = -1;

    /** A range of the file. */
    public static final class ReadRange {
        private final OffsetTracker tracker;
        private long endOffset;
        private boolean finished;

        private ReadRange(OffsetTracker tracker, long endOffset) {
            this.tracker = tracker;
            this.endOffset = endOffset;
        }

        /**
         * What the range held is joined, or durable elsewhere.
         *
         * @return how many ranges the tracker keeps less
         */
        public int finish() {
            check(!finished, "Expected one finish of the range that ends at %s", endOffset);
            finished = true;
            return tracker.advance();
        }
    }

    /** A range with something to finish. Ranges come in order of offset. */
    public ReadRange read(long offset, long endOffset) {
        ReadRange range = new ReadRange(this, endOffset);
        checkOrder(offset, endOffset);
        open.add(range);
        return range;
    }

    /** A range with nothing in it: records that were filtered out. */
    public void skipped(long offset, long endOffset) {
        checkOrder(offset, endOffset);
        if (open.isEmpty()) {
            finishedTo = endOffset;
        } else {
            // Passed together with the range before it: there is nothing to wait for in it.
            open.getLast().endOffset = endOffset;
        }
    }

    private void checkOrder(long offset, long endOffset) {
        check(
                offset >= readTo && endOffset >= offset,
                "Expected a range at or after %s, but got %s to %s",
                readTo,
                offset,
                endOffset);
        if (readTo < 0) {
            finishedTo = offset; // where an earlier life had come to, or the file's first record
        }
        readTo = endOffset;
    }

    private int advance() {
        int passed = 0;
        while (!open.isEmpty() && open.getFirst().finished) {
            finishedTo = open.removeFirst().endOffset;
            passed++;
        }
        return passed;
    }

    /** Ranges that are kept. */
    public int ranges() {
        return open.size();
    }

    /** Everything before this offset is done; -1 before the first range is. */
    public long finishedTo() {
        return finishedTo;
    }
}
