package photon.storage.tail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Positions of files that the globs do not show: of an earlier life, or gone in this one. Kept so
 * that a file that comes back is read on. Not thread-safe.
 */
final class AbsentFiles {
    /** A volume that is remounted and a file that is moved are back by then, as a rule. */
    static final Duration LONG = Duration.ofHours(1);

    private final Map<String, Absent> byKey = new HashMap<>();
    private boolean listed;
    private long completeSinceNanos;

    private record Absent(List<FilePosition> positions, long sinceNanos) {}

    AbsentFiles(List<FilePosition> earlier) {
        for (FilePosition position : earlier) {
            byKey.computeIfAbsent(
                            position.key(), key -> new Absent(new ArrayList<>(), Long.MIN_VALUE))
                    .positions()
                    .add(position);
        }
    }

    /**
     * The globs were listed.
     *
     * @param complete every directory that a glob names before a wildcard was there: what a listing
     *     does not show counts as absent only then
     */
    void listed(boolean complete, long nanoTime) {
        if (!listed || !complete) {
            completeSinceNanos = nanoTime;
            listed = true;
        }
    }

    /** What may be positions in the file that has this key now. It is not absent any more. */
    List<FilePosition> take(String key) {
        Absent found = byKey.remove(key);
        return found == null ? List.of() : found.positions();
    }

    /** Whether what was seen last then has been absent for long, its directories being there. */
    private boolean isLong(long sinceNanos, long nanoTime) {
        long since =
                sinceNanos == Long.MIN_VALUE || completeSinceNanos - sinceNanos > 0
                        ? completeSinceNanos
                        : sinceNanos;
        return listed && nanoTime - since >= LONG.toNanos();
    }

    /**
     * Takes out of a tail's files those that are over: replaced, or gone for long. All that was
     * handed out of them must be done.
     *
     * @return their numbers
     */
    List<Integer> retire(
            Map<Integer, TailedFile> all, Map<String, TailedFile> tailed, long nanoTime) {
        List<TailedFile> over = new ArrayList<>();
        for (TailedFile file : all.values()) {
            boolean absent = file.gone && isLong(file.goneNanos, nanoTime);
            if ((absent || file.state == TailedFile.State.REPLACED)
                    && file.doneTo >= file.handedTo) {
                over.add(file);
            }
        }
        for (TailedFile file : over) {
            all.remove(file.number);
            if (tailed.remove(file.key, file) && !file.positions().isEmpty()) {
                byKey.put(file.key, new Absent(List.copyOf(file.positions()), file.goneNanos));
            }
        }
        return over.stream().map(file -> file.number).toList();
    }

    /** Those that have been absent for long. */
    List<FilePosition> longAbsent(long nanoTime) {
        List<FilePosition> found = new ArrayList<>();
        for (Absent absent : byKey.values()) {
            if (isLong(absent.sinceNanos(), nanoTime)) {
                found.addAll(absent.positions());
            }
        }
        return found;
    }

    void forget(Collection<String> keys) {
        keys.forEach(byKey::remove);
    }

    int size() {
        return byKey.size();
    }
}
