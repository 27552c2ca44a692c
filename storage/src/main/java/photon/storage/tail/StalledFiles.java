package photon.storage.tail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import photon.core.error.IoText;
import photon.storage.files.UnavailableException;
import photon.storage.tail.TailBatch.Stall;

/**
 * Files whose file system does not answer for them. Such a question may take seconds, so one of
 * them alone is asked for again, less and less often; when that one answers, all are. Not
 * thread-safe.
 */
final class StalledFiles {
    private static final Duration PROBE_MIN = Duration.ofSeconds(1);
    private static final Duration PROBE_MAX = Duration.ofSeconds(10);

    private final LinkedHashSet<TailedFile> files = new LinkedHashSet<>();
    private String reason = "";
    private long sinceNanos;
    private long delayNanos = PROBE_MIN.toNanos();

    /** When one is asked for again. Counted from the poll after a failure: that may have waited. */
    private long probeAtNanos;

    private boolean probeIsDue = true;

    boolean contains(TailedFile file) {
        return files.contains(file);
    }

    /** Whatever the answer will be: what the last one said does not hold any more. */
    void asking(TailedFile file) {
        if (files.contains(file)) {
            file.trouble = null;
        }
    }

    /** The last one to be asked for is the last to be asked for again. */
    void add(TailedFile file, UnavailableException why, long nanoTime) {
        if (files.isEmpty()) {
            sinceNanos = nanoTime;
            delayNanos = PROBE_MIN.toNanos();
        } else if (files.remove(file)) {
            delayNanos = Math.min(PROBE_MAX.toNanos(), delayNanos * 2);
        }
        files.add(file);
        reason = IoText.of(why);
        file.trouble = reason;
        file.changed = true; // whoever asks if all is read hears that it is not
        probeIsDue = false;
    }

    /** This one has gone. */
    void remove(TailedFile file) {
        files.remove(file);
    }

    /**
     * A file was read.
     *
     * @return those to be asked for again at once: none if it was no stalled one
     */
    List<TailedFile> answered(TailedFile file) {
        if (!files.remove(file)) {
            return List.of();
        }
        List<TailedFile> others = new ArrayList<>(files);
        delayNanos = PROBE_MIN.toNanos();
        return others;
    }

    /** The file that is asked for again now, if it is time. */
    List<TailedFile> due(long nanoTime) {
        if (files.isEmpty()) {
            return List.of();
        }
        if (!probeIsDue) {
            probeIsDue = true;
            probeAtNanos = nanoTime + delayNanos;
        }
        return nanoTime - probeAtNanos < 0 ? List.of() : List.of(files.iterator().next());
    }

    Optional<Stall> now() {
        return files.isEmpty()
                ? Optional.empty()
                : Optional.of(new Stall(files.size(), sinceNanos, reason));
    }
}
