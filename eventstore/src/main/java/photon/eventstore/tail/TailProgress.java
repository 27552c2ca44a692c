package photon.eventstore.tail;

import java.util.Optional;
import java.util.OptionalLong;
import photon.eventstore.index.IndexState;
import photon.storage.tail.LiveReading;
import photon.storage.tail.LogTroubles;

/**
 * How far the primary logs are indexed.
 *
 * @param primaryEvents primary events indexed, repeats among them
 * @param badRecords records without a usable identity, once a file and offset
 * @param caughtUp every file that matched at the last listing was read and indexed to its end, and
 *     nothing new was seen since
 * @param behind the logs' end was not reached in this life, or not for {@link
 *     PrimaryIndexer#BEHIND_AFTER} and the time between two listings: misses are to be expected
 * @param unreadMicros from which time on primary events are probably not read yet, Unix
 *     microseconds; {@link #ALL_READ} unless {@code behind}
 * @param live how far logs are read that are read live; empty unless {@code behind}, and where none
 *     has a backlog
 * @param allReadUntilNanos until when it counts that all was read which the last listing showed, by
 *     the clock of the loop that reads; empty: not in this life, or the logs are not in sight
 * @param lagBytes known to wait unread
 * @param unreadSinceMillis about when the oldest of it was logged, milliseconds since 1970; 0: all
 *     is read
 * @param troubles of the logs
 * @param files whose positions are kept in memory
 */
public record TailProgress(
        long primaryEvents,
        long badRecords,
        boolean caughtUp,
        boolean behind,
        long unreadMicros,
        Optional<LiveReading> live,
        OptionalLong allReadUntilNanos,
        long lagBytes,
        long unreadSinceMillis,
        LogTroubles troubles,
        int files) {
    public static final long ALL_READ = Long.MAX_VALUE;

    /** Empty: all primary events are read, as far as is known. */
    public OptionalLong unread() {
        return unreadMicros == ALL_READ ? OptionalLong.empty() : OptionalLong.of(unreadMicros);
    }

    /**
     * Whether a primary event that is not found had not been logged shortly before now. False says
     * nothing. To be asked when the progress may be old, since the loop that tells it may hang.
     *
     * @param nanoTime of the loop that reads
     */
    public boolean allRead(long nanoTime) {
        return allReadUntilNanos.isPresent() && nanoTime - allReadUntilNanos.getAsLong() <= 0;
    }

    /** In a new life, before anything is read. */
    public static TailProgress begun(IndexState opened) {
        return new TailProgress(
                opened.primaryEvents(),
                opened.badRecords(),
                false,
                true,
                Long.MIN_VALUE,
                Optional.empty(),
                OptionalLong.empty(),
                0,
                0,
                LogTroubles.NONE,
                0);
    }
}
