package photon.dispatcher.flow;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import photon.core.config.StreamConfig;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.files.Globs;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LogTail;
import photon.storage.tail.TailBatch;

/**
 * Reads a part of one log, as a dispatcher would, on behalf of a person who wants to know what is
 * in it.
 */
public final class LogRange {
    private static final int RECORDS_PER_POLL = 1_000;

    /** After this number of polls in a row that show nothing, a file cannot be read on now. */
    private static final int EMPTY_POLLS_MAX = 100;

    private final FileStore files;
    private final StreamConfig foreign;
    private final IntervalClock clock;

    /** Takes what is read. */
    @FunctionalInterface
    public interface Items {
        void accept(TailBatch.Item item) throws IOException;
    }

    public LogRange(FileStore files, StreamConfig foreign, IntervalClock clock) {
        this.files = files;
        this.foreign = foreign;
        this.clock = clock;
    }

    /**
     * Reads from a position on.
     *
     * @param path where the log stands
     * @param from empty: its start
     * @param endOffset what begins there or behind is not read
     * @param itemsMax how many are handed over at the most
     * @param items takes them, in order
     * @return the position behind what was read; empty: nothing could be read
     */
    public Optional<FilePosition> read(
            String path, Optional<FilePosition> from, long endOffset, long itemsMax, Items items)
            throws IOException {
        StreamConfig one =
                new StreamConfig(
                        List.of(Globs.escape(path)),
                        foreign.format(),
                        foreign.where(),
                        foreign.whereNot(),
                        foreign.id(),
                        foreign.timestamp(),
                        foreign.primaryId(),
                        foreign.input());
        try (LogTail tail =
                new LogTail(
                        files, one, from.map(List::of).orElse(List.of()), Duration.ZERO, clock)) {
            return read(tail, endOffset, itemsMax, items);
        }
    }

    private static Optional<FilePosition> read(
            LogTail tail, long endOffset, long itemsMax, Items items) throws IOException {
        Optional<FilePosition> reached = Optional.empty();
        long left = itemsMax;
        int empty = 0;
        for (long polls = 0; ; polls++) {
            TailBatch batch =
                    tail.poll((int) Math.min(left, RECORDS_PER_POLL), polls); // lists each time
            if (batch.stall().isPresent()) {
                throw new IOException(batch.stall().get().reason());
            }
            for (TailBatch.Item item : batch.items()) {
                if (item.offset() >= endOffset || left == 0) {
                    return reached;
                }
                items.accept(item);
                left--;
                reached = Optional.of(tail.position(item.file(), item.endOffset()));
            }
            empty = batch.items().isEmpty() && !batch.more() ? empty + 1 : 0;
            if (left == 0 || batch.caughtUp() || empty > EMPTY_POLLS_MAX) {
                return reached;
            }
        }
    }
}
