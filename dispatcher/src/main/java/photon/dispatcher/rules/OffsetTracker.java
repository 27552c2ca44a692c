package photon.dispatcher.rules;

import static photon.core.error.Checks.check;

import java.util.ArrayDeque;

/**
 * How far one file is done: to the end of the longest prefix of finished stretches. Not
 * thread-safe.
 */
public final class OffsetTracker {
    private final ArrayDeque<Stretch> open = new ArrayDeque<>();
    private long readTo = -1;
    private long finishedTo = -1;

    /** A stretch of the file. */
    public static final class Stretch {
        private final OffsetTracker tracker;
        private long endOffset;
        private boolean finished;

        private Stretch(OffsetTracker tracker, long endOffset) {
            this.tracker = tracker;
            this.endOffset = endOffset;
        }

        /**
         * What the stretch held is joined, or durable elsewhere.
         *
         * @return how many stretches the tracker keeps less
         */
        public int finish() {
            check(!finished, "Expected one finish of the stretch that ends at %s", endOffset);
            finished = true;
            return tracker.advance();
        }
    }

    /** A stretch with something to finish. Stretches come in order of offset. */
    public Stretch read(long offset, long endOffset) {
        Stretch stretch = new Stretch(this, endOffset);
        checkOrder(offset, endOffset);
        open.add(stretch);
        return stretch;
    }

    /** A stretch with nothing in it: records that were filtered out. */
    public void skipped(long offset, long endOffset) {
        checkOrder(offset, endOffset);
        if (open.isEmpty()) {
            finishedTo = endOffset;
        } else {
            // Passed together with the stretch before it: there is nothing to wait for in it.
            open.getLast().endOffset = endOffset;
        }
    }

    private void checkOrder(long offset, long endOffset) {
        check(
                offset >= readTo && endOffset >= offset,
                "Expected a stretch at or after %s, but got %s to %s",
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

    /** Everything before this offset is done; -1 before the first stretch is. */
    public long finishedTo() {
        return finishedTo;
    }
}
