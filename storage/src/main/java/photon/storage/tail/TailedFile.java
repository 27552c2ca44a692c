package photon.storage.tail;

import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.FileStore.Writer;
import photon.storage.format.FileParser;

/** What a tail knows of one file: little, since there may be many. */
final class TailedFile {
    /** Of times: it has not happened in this life. */
    static final long NEVER = Long.MIN_VALUE;

    final int number;
    final String key;
    final FileParser parser;

    /** Positions of an earlier life under this key; one of them may be this file's. */
    List<FilePosition> candidates;

    String path;

    /** Where it stood when it was read last; null: it has not been. */
    @Nullable String readAs;

    State state = State.NEW;

    /** Of a plain file, as far as it was taken. */
    final ContentCrc content = new ContentCrc();

    boolean compressed;

    /** Of a compressed file: where to begin when it is opened again. */
    MemberBoundary boundary = MemberBoundary.NONE;

    /** The largest {@link OpenFile#windowBytes}; 0: none, or not known before it is read. */
    long windowBytes;

    /** A checkpoint says how far it was read: it needs no other log to tell. */
    boolean known;

    /** Of a compressed file: whether {@link #alike} was looked for. */
    boolean lookedForAlike;

    /** Null: it was found out, or does not matter. */
    @Nullable CopyCheck copyCheck;

    /**
     * Of a compressed file: where logs were read to that begin as it does, and were written to
     * lately.
     */
    List<FilePosition> alike = List.of();

    Prefix prefix = Prefix.NONE;

    /** The next byte to take, uncompressed; before it everything was handed out. */
    long offset;

    /** The end of what was handed out, and up to where that is done; -1: nothing. */
    long handedTo = -1;

    long doneTo = -1;

    /** Where a bad range began whose end has not been seen; -1: none. */
    long badFrom = -1;

    byte[] badHead = new byte[0];
    @Nullable OpenFile open;

    /** Waits for its turn: it stands in the tail's queue. */
    boolean queued;

    /** It has a backlog, by {@link photon.storage.tail.rules.BacklogRule}, as of its last turn. */
    boolean backlogged;

    /** Of the last event that was read, Unix microseconds; or {@link #NEVER}. */
    long eventMicros = NEVER;

    /** When nothing more was to be read in it, last; or {@link #NEVER}. */
    long endSeenMillis = NEVER;

    /** The listing shows a change that no turn has looked at. */
    boolean changed;

    /** Its last turn ended before its end: a part of it may have been fetched and not taken. */
    boolean more;

    /** No listing shows it any more, and it was read as far as it could be. It may come back. */
    boolean gone;

    /** When that was found out. */
    long goneNanos;

    /** Bytes that were not read of it then; 0: none, or a compressed copy has them. */
    long goneUnread;

    long listedLength = -1;
    long listedMillis = -1;

    /** On HDFS, where the time of modification of a log that is written stands still. */
    boolean writerOpen;

    int absentListings;
    long rawPosition;
    int failures;
    boolean troubleReported;

    /** Why it cannot be read on; null: it can, as far as is known. */
    @Nullable String trouble;

    long retryAtNanos;
    long retryDelayNanos;

    /**
     * A compressed file that is whole as it stands, but for its last record, whose end is known
     * only when the file is finished.
     */
    boolean endAwaited;

    long endDueNanos;

    /** As the file was when its end was looked at last, and since when it has been so. */
    long endLength = -1;

    long endMillis;
    long endSinceNanos;

    /** What stands unconsumed at the end for now; -1: nothing. */
    long leftoverLength = -1;

    /** Life of a file. */
    enum State {
        /** Not opened yet: whether it is known from an earlier life is not known. Ends READING. */
        NEW,
        /** Read as it grows. */
        READING,
        /** A compressed stream that is broken. READING again if the file changes. */
        CORRUPT,
        /** Another file, or other content, has taken its key. For ever. */
        REPLACED
    }

    TailedFile(int number, FileInfo info, FileParser parser, List<FilePosition> candidates) {
        this.number = number;
        this.key = info.key();
        this.path = info.path();
        this.parser = parser;
        this.candidates = candidates;
    }

    /** Takes over what a listing says. */
    void listed(FileInfo info) {
        // What a writer only flushes changes nothing that a listing of HDFS shows.
        changed |=
                info.length() != listedLength
                        || info.modifiedMillis() != listedMillis
                        || info.writer() == Writer.OPEN
                        || gone;
        path = info.path();
        listedLength = info.length();
        listedMillis = info.modifiedMillis();
        writerOpen = info.writer() == Writer.OPEN;
        absentListings = 0;
        gone = false;
        goneUnread = 0;
    }

    /** As far as is known. */
    void goes(long nanoTime) {
        // What an earlier life has read is not judged yet; of a compressed file it is no length.
        goneUnread =
                state == State.NEW && !candidates.isEmpty()
                        ? Math.max(0, listedLength - candidates.get(0).offset())
                        : unreadBytes();
        gone = true;
        goneNanos = nanoTime;
    }

    FilePosition position(long at) {
        if (state == State.NEW && !candidates.isEmpty()) {
            return candidates.get(0); // what an earlier life has read is not judged yet
        }
        return new FilePosition(
                path,
                key,
                prefix.length(),
                prefix.hash(),
                at,
                Math.max(0, listedMillis),
                at > 0 ? content.at(at) : null);
    }

    /** What is to be kept of the file when it has gone; empty: nothing of it was read. */
    List<FilePosition> positions() {
        if (state == State.NEW) {
            return candidates;
        }
        long at = badFrom >= 0 ? badFrom : offset;
        return at > 0 ? List.of(position(at)) : List.of();
    }

    /** An event of it was read in this life, or its end was seen. */
    boolean begun() {
        return eventMicros != NEVER || endSeenMillis != NEVER;
    }

    /** What was logged in it before was read, about; Unix microseconds. Once it is begun. */
    long readToMicros() {
        return endSeenMillis == NEVER ? eventMicros : Math.max(eventMicros, endSeenMillis * 1_000);
    }

    /** What is of this time or later is not in it, as far as a listing tells; highest: no idea. */
    long writtenToMicros() {
        return writerOpen || listedMillis <= 0
                ? Long.MAX_VALUE
                : Math.max((listedMillis + 1) * 1_000, eventMicros);
    }

    /** About when the oldest was logged that waits; 0: nothing waits, or nobody knows. */
    long unreadSinceMillis() {
        if (unreadBytes() == 0) {
            return 0;
        }
        return begun() ? readToMicros() / 1_000 : Math.max(0, listedMillis);
    }

    /**
     * That are known to wait; of a compressed file compressed ones. What is fetched counts as read,
     * but for one byte.
     */
    long unreadBytes() {
        if (gone || state == State.CORRUPT || state == State.REPLACED) {
            return 0;
        }
        return Math.max(more ? 1 : 0, listedLength - rawPosition);
    }
}
