package photon.storage.tail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.storage.files.StreamListing;

/**
 * Positions of files that the globs do not show: of an earlier life, or gone in this one. Kept so
 * that a file that comes back is read on. Not thread-safe.
 */
final class AbsentFiles {
    /** A volume that is remounted and a file that is moved are back by then, as a rule. */
    static final Duration LONG = Duration.ofHours(1);

    /** So long a file that has vanished may come back before it counts as gone for good. */
    static final Duration AWAY = Duration.ofMinutes(10);

    /** A log that was not written to for so long is finished: nothing is missed when it goes. */
    static final Duration WRITTEN = Duration.ofHours(1);

    /** What compressors add to a name. */
    private static final List<String> COMPRESSED = List.of(".gz", ".zst");

    private static final Logger log = LoggerFactory.getLogger(AbsentFiles.class);

    private final Map<String, Absent> byKey = new HashMap<>();

    /**
     * Keys of an earlier life by the file's number in its file system: what comes before it is
     * another one on each machine, and perhaps after each start of one.
     */
    private final Map<String, Set<String>> keysByNumber = new HashMap<>();

    private boolean listed;
    private long completeSinceNanos;
    private long beganNanos;
    private boolean inSight;

    private record Absent(List<FilePosition> positions, long sinceNanos) {}

    /** What tells a log, but for how far it was read. */
    private record Log(String key, String prefixHash) {
        static Log of(FilePosition position) {
            return new Log(position.key(), position.prefixHash());
        }
    }

    AbsentFiles(List<FilePosition> earlier) {
        for (FilePosition position : earlier) {
            byKey.computeIfAbsent(
                            position.key(), key -> new Absent(new ArrayList<>(), Long.MIN_VALUE))
                    .positions()
                    .add(position);
            keysByNumber
                    .computeIfAbsent(
                            FilePosition.number(position.key()), number -> new LinkedHashSet<>())
                    .add(position.key());
        }
    }

    /**
     * The globs were listed. What a listing does not show counts as absent only if every directory
     * that a glob names before a wildcard was there.
     *
     * @param tailed the tail's files, which know whether they were seen
     * @param nowMillis what the time is at least, milliseconds since 1970
     */
    void listed(
            StreamListing.Look look, Collection<TailedFile> tailed, long nowMillis, long nanoTime) {
        if (!listed) {
            beganNanos = nanoTime;
        }
        if (!listed || !look.complete()) {
            completeSinceNanos = nanoTime;
            listed = true;
        }
        tellUnread(look, tailed, nanoTime);
        inSight =
                look.complete()
                        && !look.found().isEmpty()
                        && !anyIsAway(look, tailed, nowMillis, nanoTime);
    }

    /**
     * Whether the last listing found every directory that a glob names before a wildcard, and files
     * there, and no file had vanished shortly before that was still written to within {@link
     * #WRITTEN}. If not, a volume or a file may be away, and come back with what was written
     * meanwhile. A file whose path another one has taken was rotated, and is not away; nor is one
     * that was compressed: a compressed file begins as it does, and is read as far.
     */
    boolean inSight() {
        return inSight;
    }

    private boolean anyIsAway(
            StreamListing.Look look, Collection<TailedFile> tailed, long nowMillis, long nanoTime) {
        List<FilePosition> away = new ArrayList<>();
        for (TailedFile file : tailed) {
            if (file.absentListings > 0
                    && file.state != TailedFile.State.REPLACED
                    && mayBeMissed(file.listedMillis, nowMillis)
                    && (!file.gone || nanoTime - file.goneNanos < AWAY.toNanos())) {
                away.add(file.position(file.offset));
            }
        }
        for (Absent absent : byKey.values()) {
            long since = absent.sinceNanos() == Long.MIN_VALUE ? beganNanos : absent.sinceNanos();
            if (nanoTime - since < AWAY.toNanos()) {
                absent.positions().stream()
                        .filter(position -> mayBeMissed(position.modifiedMillis(), nowMillis))
                        .forEach(away::add);
            }
        }
        if (away.isEmpty()) {
            return false;
        }
        Set<String> taken = new HashSet<>();
        look.found().forEach(info -> taken.add(info.path()));
        away.removeIf(log -> taken.contains(log.path()));
        if (away.isEmpty()) {
            return false;
        }
        Map<Log, Long> copied = copied(tailed);
        return away.stream().anyMatch(log -> copied.getOrDefault(Log.of(log), -1L) < log.offset());
    }

    /** Of logs that have just gone. One whose compressed copy is there is read on in that. */
    private static void tellUnread(
            StreamListing.Look look, Collection<TailedFile> tailed, long nanoTime) {
        List<TailedFile> unread =
                tailed.stream().filter(file -> file.gone && file.goneUnread > 0).toList();
        if (unread.isEmpty()) {
            return;
        }
        Set<String> names = new HashSet<>();
        look.found().forEach(info -> names.add(info.path()));
        Map<Log, Long> copied = copied(tailed);
        for (TailedFile file : unread) {
            Log key = Log.of(file.position(file.offset));
            if (copied.getOrDefault(key, -1L) >= file.offset
                    || COMPRESSED.stream().anyMatch(end -> names.contains(file.path + end))) {
                file.goneUnread = 0;
            } else if (file.goneNanos == nanoTime) {
                log.warn(
                        "{} has gone, and {} bytes of it were not read: bring it back within an hour, under any name that a path matches",
                        file.path,
                        file.goneUnread);
            }
        }
    }

    /** Whether what was last modified then was written to shortly before it may have gone. */
    static boolean mayBeMissed(long modifiedMillis, long nowMillis) {
        return modifiedMillis > nowMillis - WRITTEN.toMillis() - AWAY.toMillis();
    }

    /**
     * Logs that a compressed file has taken the place of, and how far that is read. By their first
     * bytes, too: file systems use the keys of deleted files again.
     */
    private static Map<Log, Long> copied(Collection<TailedFile> tailed) {
        Map<Log, Long> logs = new HashMap<>();
        for (TailedFile file : tailed) {
            if (file.absentListings == 0) {
                file.alike.forEach(log -> logs.merge(Log.of(log), file.offset, Math::max));
            }
        }
        return logs;
    }

    /**
     * What may be positions in the file that has this key now; their first bytes tell. It is not
     * absent any more.
     *
     * @param present keys of all files that are there: what is known of these is not this file's
     */
    List<FilePosition> take(String key, Set<String> present) {
        List<FilePosition> found = new ArrayList<>();
        Absent own = byKey.remove(key);
        if (own != null) {
            found.addAll(own.positions());
        }
        for (String other : keysByNumber.getOrDefault(FilePosition.number(key), Set.of())) {
            Absent elsewhere = byKey.get(other);
            if (elsewhere != null && !present.contains(other)) {
                found.addAll(elsewhere.positions());
            }
        }
        return found;
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
            // Of one that was never opened, some may be positions under another key.
            List<FilePosition> own =
                    file.positions().stream().filter(p -> p.key().equals(file.key)).toList();
            if (tailed.remove(file.key, file) && !own.isEmpty()) {
                byKey.put(file.key, new Absent(own, file.goneNanos));
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

    void forEach(Consumer<FilePosition> each) {
        byKey.values().forEach(absent -> absent.positions().forEach(each));
    }

    void forget(Collection<String> keys) {
        for (String key : keys) {
            byKey.remove(key);
            keysByNumber.computeIfPresent(
                    FilePosition.number(key),
                    (number, of) -> {
                        of.remove(key);
                        return of.isEmpty() ? null : of;
                    });
        }
    }

    int size() {
        return byKey.size();
    }
}
