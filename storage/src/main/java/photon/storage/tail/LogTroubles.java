package photon.storage.tail;

/**
 * Logs of which a part is not read, and will not be unless somebody does something.
 *
 * @param unreadable logs that are there and cannot be read on
 * @param goneBytes bytes that were not read of logs that have gone within the last hour; of
 *     compressed files compressed ones
 */
public record LogTroubles(int unreadable, long goneBytes) {
    public static final LogTroubles NONE = new LogTroubles(0, 0);

    /** Together with those of other logs. */
    public LogTroubles and(LogTroubles other) {
        return new LogTroubles(unreadable + other.unreadable, goneBytes + other.goneBytes);
    }
}
