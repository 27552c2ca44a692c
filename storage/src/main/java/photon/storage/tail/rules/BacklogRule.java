package photon.storage.tail.rules;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Which files have a backlog: what is to be read next in them is much older than what others have
 * come to. Files are compared with each other, not with the time: where all are equally far behind,
 * none has a backlog; nor where nothing that was read is of the last day, since then nothing waits
 * for its turn beside history, and history is read fastest by turns. A file of which something was
 * read is told by its events, another one by its time of modification, which is the time of its
 * last event at the earliest; the two are not compared with each other, since logs may be copies of
 * old ones. Not thread-safe.
 */
public final class BacklogRule {
    /** Less is what files differ by that are read live. */
    public static final Duration BEHIND_MIN = Duration.ofMinutes(1);

    /** What is older is history, and nothing has a backlog beside it. */
    public static final Duration LIVE_MAX = Duration.ofDays(1);

    private static final long NONE = Long.MIN_VALUE;

    private long newestEventMicros = NONE;
    private long newestModifiedMillis = NONE;

    /** A listing shows a file. One that is dated later than now says nothing of the others. */
    public void listed(long modifiedMillis, long nowMillis) {
        if (modifiedMillis <= nowMillis && modifiedMillis >= nowMillis - LIVE_MAX.toMillis()) {
            newestModifiedMillis = Math.max(newestModifiedMillis, modifiedMillis);
        }
    }

    /** An event of some file was read. One that is dated later than now says nothing. */
    public void read(long eventMicros, long nowMicros) {
        if (eventMicros <= nowMicros && eventMicros >= nowMicros - LIVE_MAX.toNanos() / 1_000) {
            newestEventMicros = Math.max(newestEventMicros, eventMicros);
        }
    }

    /** What is older is behind the newest event that was read; empty: there is none. */
    public OptionalLong newestMicros() {
        return newestEventMicros == NONE
                ? OptionalLong.empty()
                : OptionalLong.of(newestEventMicros - BEHIND_MIN.toNanos() / 1_000);
    }

    /**
     * Whether a file has a backlog of which events were read, or whose end was seen.
     *
     * @param readToMicros the time of the last event that was read, or when its end was seen
     */
    public boolean isBehind(long readToMicros) {
        OptionalLong newest = newestMicros();
        return newest.isPresent() && readToMicros < newest.getAsLong();
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
