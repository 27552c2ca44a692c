package photon.storage.tail;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.FileStore.Writer;

/**
 * Knows which compressed files are finished (docs/protocol.md section 12): those whose file system
 * says that they are closed; elsewhere those that have not changed for a while, by their time of
 * modification or as this tail has seen it.
 */
final class FileEnds {
    private final FileStore files;
    private final IntervalClock clock;
    private final Duration finishedAfter;

    FileEnds(FileStore files, IntervalClock clock, Duration finishedAfter) {
        this.files = files;
        this.clock = clock;
        this.finishedAfter = finishedAfter;
    }

    /**
     * True: what was read of the file is all of it.
     *
     * @param open read to its end just now
     */
    boolean finished(TailedFile file, OpenFile open, long nanoTime) throws IOException {
        Writer writer = open.raw().writer(); // before the length, which is then final
        long length = open.raw().length();
        FileInfo named = files.stat(file.path);
        FileInfo now = named != null && named.key().equals(file.key) ? named : null;
        long unchangedNanos = unchangedNanos(file, length, now, nanoTime);
        if (length > open.rawPosition()) {
            return false;
        }
        return switch (writer) {
            case CLOSED -> true;
            case OPEN -> false;
            case UNKNOWN -> unchangedNanos >= finishedAfter.toNanos() || isOld(now);
        };
    }

    /** When to look again at a file that is not open. */
    long dueNanos(long nanoTime) {
        return nanoTime + finishedAfter.toNanos();
    }

    private static long unchangedNanos(
            TailedFile file, long length, @Nullable FileInfo now, long nanoTime) {
        long millis = now == null ? file.endMillis : now.modifiedMillis();
        if (length != file.endLength || millis != file.endMillis) {
            file.endLength = length;
            file.endMillis = millis;
            file.endSinceNanos = nanoTime;
        }
        return nanoTime - file.endSinceNanos;
    }

    /** What the time is at least, milliseconds since 1970. */
    long nowMillis() {
        return clock.now().earliestMicros() / 1_000;
    }

    /** So that logs of yesterday need no waiting. */
    private boolean isOld(@Nullable FileInfo now) {
        if (now == null) {
            return false;
        }
        long ageMillis = nowMillis() - now.modifiedMillis();
        return ageMillis >= finishedAfter.toMillis();
    }
}
