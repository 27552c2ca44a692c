package photon.storage.tail;

import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is known to wait unread in the files of a tail.
 *
 * @param bytes of compressed files compressed ones
 * @param backlogBytes of these, those of files with a backlog, beside others that are read live
 * @param sinceMillis about when the oldest of it was logged, milliseconds since 1970: all events
 *     before were read. 0: nothing waits, or nobody knows
 * @param notBegunMillis the earliest time of modification of files with a backlog of which nothing
 *     was read; {@link #NONE_WAITS} if there is none
 * @param live empty: no log has a backlog, or nothing is read live
 * @param troubles what is not read for other reasons than time
 */
public record TailLag(
        long bytes,
        long backlogBytes,
        long sinceMillis,
        long notBegunMillis,
        Optional<LiveReading> live,
        LogTroubles troubles) {
    /** Of {@code notBegunMillis}. */
    public static final long NONE_WAITS = Long.MAX_VALUE;

    /** All is read. */
    public static final TailLag NONE =
            new TailLag(0, 0, 0, NONE_WAITS, Optional.empty(), LogTroubles.NONE);

    /**
     * How old the oldest is that waits; 0 if nothing does.
     *
     * @param sinceMillis as {@link TailLag#sinceMillis}
     */
    public static long seconds(long sinceMillis, long nowMillis) {
        return sinceMillis <= 0 ? 0 : Math.max(0, nowMillis - sinceMillis) / 1_000;
    }

    /** The earlier of two moments, 0 being none. */
    public static long earlier(long sinceMillis, long otherMillis) {
        return sinceMillis == 0 || otherMillis == 0
                ? sinceMillis + otherMillis
                : Math.min(sinceMillis, otherMillis);
    }

    /**
     * @param newestMicros as {@link LiveReading#of} takes it
     */
    static TailLag of(Collection<TailedFile> files, OptionalLong newestMicros) {
        long bytes = 0;
        long backlogBytes = 0;
        long since = Long.MAX_VALUE;
        long notBegun = NONE_WAITS;
        int unreadable = 0;
        long gone = 0;
        for (TailedFile file : files) {
            gone += file.goneUnread;
            unreadable += file.trouble != null && file.absentListings == 0 ? 1 : 0;
            long unread = file.unreadBytes();
            if (unread == 0) {
                continue;
            }
            bytes += unread;
            backlogBytes += file.backlogged ? unread : 0;
            long waits = file.unreadSinceMillis();
            since = waits > 0 ? Math.min(since, waits) : since;
            if (file.backlogged && !file.begun()) {
                notBegun = Math.min(notBegun, file.listedMillis);
            }
        }
        return new TailLag(
                bytes,
                backlogBytes,
                since == Long.MAX_VALUE ? 0 : since,
                notBegun,
                backlogBytes == 0 ? Optional.empty() : LiveReading.of(files, newestMicros),
                new LogTroubles(unreadable, gone));
    }
}
