package photon.storage.tail.rules;

import java.time.Duration;

/**
 * Which files have a backlog: what is to be read next in them is much older than what others have
 * come to. Files are compared with each other alone, not with the time: where all are equally far
 * behind, none has a backlog. A file of which something was read is told by its events, another one
 * by its time of modification, which is the time of its last event at the earliest; the two are not
 * compared with each other, since logs may be copies of old ones. Not thread-safe.
 */
public final class BacklogRule {
    /** Less is what files differ by that are read live. */
    public static final Duration BEHIND_MIN = Duration.ofMinutes(1);

    private static final long NONE = Long.MIN_VALUE;

    private long newestEventMicros = NONE;
    private long newestModifiedMillis = NONE;

    /** A listing shows a file. One that is dated later than now says nothing of the others. */
    public void listed(long modifiedMillis, long nowMillis) {
        if (modifiedMillis <= nowMillis) {
            newestModifiedMillis = Math.max(newestModifiedMillis, modifiedMillis);
        }
    }

    /** An event of some file was read. One that is dated later than now says nothing. */
    public void read(long eventMicros, long nowMicros) {
        if (eventMicros <= nowMicros) {
            newestEventMicros = Math.max(newestEventMicros, eventMicros);
        }
    }

    /**
     * Whether a file has a backlog of which events were read, or whose end was seen.
     *
     * @param readToMicros the time of the last event that was read, or when its end was seen
     */
    public boolean isBehind(long readToMicros) {
        return newestEventMicros != NONE
                && readToMicros < newestEventMicros - BEHIND_MIN.toNanos() / 1_000;
    }

    /**
     * Whether a file has a backlog that was not begun.
     *
     * @param modifiedMillis 0 or less: nobody knows
     */
    public boolean isOld(long modifiedMillis) {
        return modifiedMillis > 0
                && newestModifiedMillis != NONE
                && modifiedMillis < newestModifiedMillis - BEHIND_MIN.toMillis();
    }
}
