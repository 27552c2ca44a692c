package photon.storage.tail;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that could not be read for now: each is tried again soon, and reported when that did not
 * help. Then each listing tries it. Not thread-safe.
 */
final class FailingFiles {
    private static final int FAILURES_MAX = 3;
    private static final long RETRY_NANOS = 100_000_000;

    private static final Logger log = LoggerFactory.getLogger(FailingFiles.class);

    private final LinkedHashSet<TailedFile> failing = new LinkedHashSet<>();

    /** Those that have a trouble. */
    private final Set<TailedFile> unreadable = new HashSet<>();

    /** It is not tried again soon. */
    void remove(TailedFile file) {
        failing.remove(file);
    }

    /** It has gone, or is another one now. */
    void forget(TailedFile file) {
        failing.remove(file);
        unreadable.remove(file);
    }

    /** A turn did not fail: the file could be read on, or its stream is corrupt. */
    void read(TailedFile file, boolean corrupt) {
        file.failures = 0;
        failing.remove(file);
        if (corrupt) {
            unreadable.add(file);
        } else {
            file.trouble = null;
            unreadable.remove(file);
        }
    }

    /**
     * Whether a file that is there holds what may yet be read: it could not be opened or read, or
     * its stream is corrupt and it was written to lately, so that a whole one may take its place.
     *
     * @param nowMillis what the time is at least, milliseconds since 1970
     */
    boolean keepBack(long nowMillis) {
        for (TailedFile file : unreadable) {
            if (file.state != TailedFile.State.CORRUPT
                    || AbsentFiles.mayBeMissed(file.listedMillis, nowMillis)) {
                return true;
            }
        }
        return false;
    }

    /** Those whose time has come. */
    List<TailedFile> due(long nanoTime) {
        return failing.stream().filter(file -> nanoTime - file.retryAtNanos >= 0).toList();
    }

    /** Whether it was reported. */
    static boolean isGivenUp(TailedFile file) {
        return file.failures >= FAILURES_MAX;
    }

    void add(TailedFile file, IOException e, BatchBuilder batch, long nanoTime) {
        file.failures = e instanceof AccessDeniedException ? FAILURES_MAX : file.failures + 1;
        file.changed = true; // so that each listing tries it, too
        file.retryAtNanos = nanoTime + RETRY_NANOS;
        if (!isGivenUp(file)) {
            failing.add(file);
            return;
        }
        failing.remove(file);
        unreadable.add(file);
        String reason =
                "Expected to read the file, but it failed: %s %s"
                        .formatted(e.getClass().getSimpleName(), e.getMessage());
        file.trouble = reason;
        if (!file.troubleReported) {
            file.troubleReported = true;
            log.warn("{} cannot be read at its offset {}", file.path, file.offset, e);
            // A bad range that goes on is told later, from where it begins.
            long at = file.badFrom >= 0 ? file.badFrom : file.offset;
            batch.bad(file, at, at, reason, new byte[0]);
        }
    }
}
