package photon.dispatcher.rules;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.FilePosition;
import photon.storage.tail.GoneFiles;

/**
 * Which positions a checkpoint holds, and which of them it writes at a time (docs/protocol.md
 * section 7). Of a file that has been absent for long, the position is dropped once the boundary
 * has passed all that the file can hold; before that, one that is a week old is only counted. Not
 * thread-safe.
 */
public final class KeptPositions {
    /** The most positions that the document itself holds, which then has some 300 kB. */
    public static final int MOVED_MAX = 1_024;

    /** A file's time of modification may be so much before the last timestamp in it. */
    static final Duration CLOCK_MARGIN = Duration.ofHours(1);

    /** An absent file is listed for so long after its last modification. */
    static final Duration LISTED = Duration.ofDays(7);

    private final Map<String, Known> known = new LinkedHashMap<>();
    private final Map<String, FilePosition> moved = new LinkedHashMap<>();
    private final int movedMax;
    private GoneFiles gone;

    /** Positions written since all were. */
    private long written;

    /**
     * @param file the tail's number; a file that has replaced another under its key has a higher
     *     one
     */
    private record Known(int file, FilePosition position) {}

    /**
     * @param before of an earlier life: kept for files that have not been met again yet
     * @param nowMillis where such a position does not say when its file was modified, it was not
     *     later
     * @param movedMax how many positions stand in the document before all are written anew
     */
    public KeptPositions(Checkpoint before, long nowMillis, int movedMax) {
        this.movedMax = movedMax;
        for (FilePosition position : before.positions()) {
            boolean told = position.modifiedMillis() > 0;
            known.put(
                    position.key(),
                    new Known(-1, told ? position : position.modifiedAt(nowMillis)));
        }
        this.gone = before.gone();
        // Which of these stand in the document is not known here: so all count as moved.
        written = known.size();
        known.forEach((key, file) -> moved.put(key, file.position()));
    }

    /** The end of a file that was replaced must not hide how far the one after it is done. */
    public void learn(int file, FilePosition position) {
        Known before = known.get(position.key());
        if (before == null || before.file() <= file) {
            known.put(position.key(), new Known(file, position));
            moved.put(position.key(), position);
        }
    }

    /**
     * True: all positions are to be written anew. That is when many have moved, and at least as
     * many were written since as there are, so that it doubles the work at the most.
     */
    public boolean wholeIsDue() {
        return moved.size() > movedMax && written >= known.size();
    }

    /**
     * Drops what is not needed any more.
     *
     * @param longAbsent positions of files that have been absent for long
     * @param boundaryMicros ids below it can neither be committed nor removed
     * @param earliestMillis what the time is at least, in milliseconds since 1970
     * @return keys of which nothing is kept now
     */
    public List<String> drop(
            Collection<FilePosition> longAbsent, long boundaryMicros, long earliestMillis) {
        List<String> dropped = new ArrayList<>();
        @Nullable Map<Log, Map<String, Long>> logs = null;
        for (FilePosition absent : longAbsent) {
            Known file = known.get(absent.key());
            if (file == null) {
                dropped.add(absent.key());
                continue;
            }
            FilePosition position = file.position();
            long modified = position.modifiedMillis();
            if (modified <= 0) {
                continue;
            }
            boolean passed = modified + CLOCK_MARGIN.toMillis() < boundaryMicros / 1_000;
            if (passed || modified + LISTED.toMillis() < earliestMillis) {
                if (!passed && position.wasReadFrom()) {
                    logs = logs == null ? logs() : logs;
                    if (!isUnderAnotherKey(position, logs)) {
                        gone = gone.and(position);
                    }
                }
                known.remove(absent.key());
                moved.remove(absent.key());
                dropped.add(absent.key());
            }
        }
        if (gone.newestMillis() + CLOCK_MARGIN.toMillis() < boundaryMicros / 1_000) {
            gone = GoneFiles.NONE;
        }
        return dropped;
    }

    /**
     * What is one log under several keys: another machine, or a file system that was mounted anew,
     * gives its files other ones. The log has not gone as long as one of them stands.
     */
    private record Log(String number, int prefixLength, String prefixHash) {
        static Log of(FilePosition position) {
            return new Log(
                    FilePosition.number(position.key()),
                    position.prefixLength(),
                    position.prefixHash());
        }
    }

    /** How far each log is read, by key. */
    private Map<Log, Map<String, Long>> logs() {
        Map<Log, Map<String, Long>> logs = new HashMap<>();
        for (FilePosition position : all()) {
            if (position.prefixLength() > 0) {
                logs.computeIfAbsent(Log.of(position), log -> new HashMap<>(2))
                        .put(position.key(), position.offset());
            }
        }
        return logs;
    }

    /** Takes it out of them. */
    private static boolean isUnderAnotherKey(
            FilePosition position, Map<Log, Map<String, Long>> logs) {
        Map<String, Long> keys = logs.get(Log.of(position));
        if (keys == null) {
            return false;
        }
        keys.remove(position.key());
        return keys.values().stream().anyMatch(to -> to >= position.offset());
    }

    /**
     * What to write now; counts as written.
     *
     * @param whole all positions
     */
    public CheckpointFiles.Change take(boolean whole) {
        if (whole) {
            moved.clear();
            written = 0;
            return new CheckpointFiles.Change(List.of(), all(), gone);
        }
        written += moved.size();
        return new CheckpointFiles.Change(List.copyOf(moved.values()), null, gone);
    }

    /** Each position as it is known. */
    public List<FilePosition> all() {
        return known.values().stream().map(Known::position).toList();
    }

    /** Positions that are kept. */
    public int size() {
        return known.size();
    }
}
