package photon.storage.tail;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import photon.core.event.LogEvent;
import photon.storage.format.BadCause;

/**
 * What one poll of a {@link LogTail} has read.
 *
 * @param items in order of offset within each file
 * @param caughtUp true, once for each listing: since it was made every matching file was read to
 *     its end, as far as it can be read now. Where much is written, that takes more than one poll
 * @param endsAwaited true: the last record of some compressed file has no end, and is read when the
 *     file is known to be finished
 * @param more true: the poll has ended at its bound; there is more to be read, or checked, at once,
 *     also if no item came
 * @param stall files that are not read on because their file system does not answer; empty: none.
 *     Never together with {@code caughtUp}
 * @param backlog of files with a backlog, beside others that are read live
 */
public record TailBatch(
        List<Item> items,
        boolean caughtUp,
        boolean endsAwaited,
        boolean more,
        Optional<Stall> stall,
        Backlog backlog) {
    public TailBatch {
        items = List.copyOf(items);
    }

    /** All files can be read. */
    public TailBatch(List<Item> items, boolean caughtUp, boolean endsAwaited, boolean more) {
        this(items, caughtUp, endsAwaited, more, Optional.empty(), Backlog.NONE);
    }

    /** One that awaits nothing, and ends by itself. */
    public TailBatch(List<Item> items, boolean caughtUp) {
        this(items, caughtUp, false, false);
    }

    /**
     * Files with a backlog.
     *
     * @param files of items of this poll, by number
     * @param waits there is more to be read in some of them
     */
    public record Backlog(Set<Integer> files, boolean waits) {
        /** All are read live, or are equally far behind. */
        public static final Backlog NONE = new Backlog(Set.of(), false);

        public Backlog {
            files = Set.copyOf(files);
        }
    }

    /**
     * Files whose file system does not answer for them.
     *
     * @param files how many
     * @param sinceNanos by the clock of the polls, since when there have been any
     * @param reason of the last one that was asked for, with its path
     */
    public record Stall(int files, long sinceNanos, String reason) {}

    /**
     * A range of one file: either one event, or one bad record, or (both null) records that were
     * filtered out.
     *
     * @param file the tail's number of the file
     * @param path where it stood when it was read, for people
     * @param offset where the range begins; in a compressed file counted in uncompressed bytes
     * @param endOffset where the next begins
     */
    public record Item(
            int file,
            String path,
            long offset,
            long endOffset,
            @Nullable LogEvent event,
            @Nullable BadRecord bad) {}

    /**
     * A record that cannot be used: without an id, with a broken timestamp, torn, corrupt.
     *
     * @param reason for people, with the field and the value
     * @param cause for programs, as far as it is known
     * @param head the first bytes of the record, for the dead-letter log
     */
    public record BadRecord(String reason, BadCause cause, byte[] head) {
        public BadRecord(String reason, byte[] head) {
            this(reason, BadCause.OTHER, head);
        }
    }
}
