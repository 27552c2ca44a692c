package photon.storage.tail;

import java.util.Comparator;

/**
 * How far one file of a tail was read, and why not further. For people.
 *
 * @param offset of the next record; of compressed files uncompressed
 * @param unreadBytes bytes that are known to wait; of compressed files compressed
 * @param sinceMillis about when the oldest of them was logged; 0: none waits, or nobody knows
 * @param why what keeps it from being read to its end; empty: nothing does
 */
public record FileReading(
        String path, State state, long offset, long unreadBytes, long sinceMillis, String why) {
    /** What a person looks at first comes first. */
    public static final Comparator<FileReading> URGENT_FIRST =
            Comparator.comparingInt((FileReading file) -> file.state().rank)
                    .thenComparingLong(file -> -file.unreadBytes())
                    .thenComparing(FileReading::path);

    /** How a file stands. */
    public enum State {
        /** To its end, as far as is known. */
        READ(3),
        /** Bytes wait, and nothing keeps them from being read. */
        UNREAD(2),
        /** Bytes at its end are no whole record yet. */
        INCOMPLETE(1),
        /** It cannot be read on. */
        FAILED(0),
        /** Not there any more, or under a name that no path matches. */
        GONE(4);

        private final int rank;

        State(int rank) {
            this.rank = rank;
        }
    }

    static FileReading of(TailedFile file) {
        long unread = file.unreadBytes();
        State state = State.READ;
        String why = "";
        if (file.goneUnread > 0) {
            state = State.FAILED;
            unread = file.goneUnread;
            why = "it has gone, or has a name that no path matches, before all of it was read";
        } else if (file.gone) {
            state = State.GONE;
            why = "it has gone, or has a name that no path matches";
        } else if (file.trouble != null) {
            state = State.FAILED;
            why = file.trouble;
        } else if (file.copyCheck != null && file.endAwaited) {
            state = State.UNREAD;
            why = "it begins as a log whose events are not all done: it waits for them";
        } else if (file.endAwaited) {
            state = State.INCOMPLETE;
            why = "its last record has no line feed: it counts when the file is finished";
        } else if (file.leftoverLength > 0) {
            state = State.INCOMPLETE;
            why =
                    "%,d %s at its end %s no whole record yet"
                            .formatted(
                                    file.leftoverLength,
                                    file.leftoverLength == 1 ? "byte" : "bytes",
                                    file.leftoverLength == 1 ? "is" : "are");
        } else if (unread > 0) {
            state = State.UNREAD;
        }
        return new FileReading(
                file.path, state, file.offset, unread, file.unreadSinceMillis(), why);
    }
}
