package photon.storage.tail;

import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far logs are read that are read live, while others have a backlog.
 *
 * @param fromMicros events of this time and later are probably in logs that are read live, Unix
 *     microseconds. In a log with a backlog they are only if it is still being written
 * @param unreadMicros from which time on events of the logs that are read live are not read yet;
 *     {@link #ALL_READ} if none is known to wait
 */
public record LiveReading(long fromMicros, long unreadMicros) {
    public static final long ALL_READ = Long.MAX_VALUE;

    /** Empty: all is read in the logs that are read live, as far as is known. */
    public OptionalLong unread() {
        return unreadMicros == ALL_READ ? OptionalLong.empty() : OptionalLong.of(unreadMicros);
    }

    /**
     * Empty: no log has a backlog, or nothing is read live.
     *
     * @param newestMicros what is older than this is behind the newest event; empty: nobody knows.
     *     Where all logs with a backlog were written last before, what came since is not in them
     */
    static Optional<LiveReading> of(Collection<TailedFile> files, OptionalLong newestMicros) {
        boolean backlog = false;
        long from = Long.MIN_VALUE;
        long unread = ALL_READ;
        for (TailedFile file : files) {
            if (file.unreadBytes() == 0) {
                continue;
            }
            if (file.backlogged) {
                backlog = true;
                from = Math.max(from, file.writtenToMicros());
            } else if (file.trouble == null) {
                // What is in one that was not begun is not known.
                unread = Math.min(unread, file.begun() ? file.readToMicros() : Long.MIN_VALUE);
            }
        }
        return backlog && newestMicros.isPresent()
                ? Optional.of(new LiveReading(Math.min(from, newestMicros.getAsLong()), unread))
                : Optional.empty();
    }
}
