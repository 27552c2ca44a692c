package photon.dispatcher.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointHistory;
import photon.storage.tail.FilePosition;

/**
 * Decides what a reset makes of each position of a checkpoint (docs/protocol.md section 7). Reading
 * again is always safe, since the registry tells repeats. What is skipped is skipped forever, so
 * only {@link ResetTarget#LATEST} moves a position forward. Immutable.
 *
 * @param resets each file that the reset is about, in order of path
 * @param positions the next checkpoint's
 */
public record ResetPlan(List<FileReset> resets, List<FilePosition> positions) {
    public ResetPlan {
        resets = List.copyOf(resets);
        positions = List.copyOf(positions);
    }

    /** What becomes of a file. */
    public enum Fate {
        /** It is read again. */
        BACK,
        /** What is unread in it is skipped. */
        FORWARD,
        /** It is there already. */
        STAYS,
        /** Refused: no glob of the stream shows it now. */
        AWAY,
        /** Refused: the boundary has passed all that it can hold. */
        TOO_OLD
    }

    /**
     * One file.
     *
     * @param before as the checkpoint has it; of a file that it does not name at offset 0
     * @param after as the next checkpoint has it
     */
    public record FileReset(FilePosition before, FilePosition after, Fate fate) {
        /** Uncompressed bytes that are read again, or skipped. */
        public long bytes() {
            return Math.abs(after.offset() - before.offset());
        }
    }

    /**
     * What is known of one partition of the state.
     *
     * @param checkpoint that stands, its positions as {@link PositionsThere} says, like those of
     *     {@code asOf}
     * @param there the partition's logs, by key
     * @param chosen keys of the files that an operator has named; empty: all
     * @param asOf the newest noted checkpoint of the target's time or before; empty: there is none
     * @param ends with {@link ResetTarget#LATEST}, the ends of logs that have something unread, by
     *     key
     * @param boundaryMicros ids below it are refused
     */
    public record Facts(
            Checkpoint checkpoint,
            Map<String, FileInfo> there,
            Optional<Set<String>> chosen,
            Optional<CheckpointHistory.Entry> asOf,
            Map<String, FilePosition> ends,
            long boundaryMicros) {
        boolean has(String key) {
            return chosen.isEmpty() || chosen.get().contains(key);
        }
    }

    public static ResetPlan of(ResetTarget target, Facts facts) {
        Map<String, FilePosition> next = new LinkedHashMap<>();
        List<FileReset> resets = new ArrayList<>();
        Map<String, FilePosition> asOf = new HashMap<>();
        facts.asOf().ifPresent(entry -> entry.positions().forEach(p -> asOf.put(p.key(), p)));
        for (FilePosition before : facts.checkpoint().positions()) {
            FileReset reset =
                    !facts.has(before.key())
                            ? new FileReset(before, before, Fate.STAYS)
                            : target.kind() == ResetTarget.Kind.LATEST
                                    ? forward(before, facts)
                                    : back(before, backTo(target, before, asOf, facts), facts);
            next.put(before.key(), reset.after());
            if (facts.has(before.key())) {
                resets.add(reset);
            }
        }
        if (target.kind() != ResetTarget.Kind.LATEST) {
            facts.there()
                    .forEach(
                            (key, file) -> {
                                // Otherwise a log that was compressed would go on where it was read
                                // to before.
                                if (facts.has(key)) {
                                    next.putIfAbsent(key, FilePosition.unread(file));
                                }
                            });
        }
        facts.ends()
                .forEach(
                        (key, end) -> {
                            if (!next.containsKey(key) && facts.has(key)) {
                                next.put(key, end);
                                resets.add(new FileReset(at(end, 0), end, Fate.FORWARD));
                            }
                        });
        resets.sort((one, other) -> one.before().path().compareTo(other.before().path()));
        return new ResetPlan(resets, List.copyOf(next.values()));
    }

    private static FileReset forward(FilePosition before, Facts facts) {
        FilePosition end = facts.ends().get(before.key());
        if (end != null && end.offset() > before.offset()) {
            return new FileReset(before, end, Fate.FORWARD);
        }
        boolean away = !facts.there().containsKey(before.key());
        return new FileReset(before, before, away ? Fate.AWAY : Fate.STAYS);
    }

    private static FileReset back(FilePosition before, long offset, Facts facts) {
        if (before.offset() <= offset) {
            return new FileReset(before, before, Fate.STAYS);
        }
        FileInfo file = facts.there().get(before.key());
        if (file == null) {
            return new FileReset(before, before, Fate.AWAY);
        }
        long newestMillis = file.modifiedMillis() + KeptPositions.CLOCK_MARGIN.toMillis();
        return newestMillis < facts.boundaryMicros() / 1_000
                ? new FileReset(before, before, Fate.TOO_OLD)
                : new FileReset(before, at(before, offset), Fate.BACK);
    }

    private static long backTo(
            ResetTarget target, FilePosition before, Map<String, FilePosition> asOf, Facts facts) {
        if (target.kind() == ResetTarget.Kind.EARLIEST) {
            return 0;
        }
        FileInfo file = facts.there().get(before.key());
        long margin = KeptPositions.CLOCK_MARGIN.toMillis();
        if (file != null && file.modifiedMillis() + margin < target.at().toEpochMilli()) {
            return before.offset(); // Nothing that is younger than the time can stand in it.
        }
        FilePosition then = asOf.get(before.key());
        // Another file may have had the key then. A longer prefix of the same file is another, too.
        return then != null && then.prefixHash().equals(before.prefixHash()) ? then.offset() : 0;
    }

    private static FilePosition at(FilePosition position, long offset) {
        return new FilePosition(
                position.path(),
                position.key(),
                position.prefixLength(),
                position.prefixHash(),
                offset,
                position.modifiedMillis());
    }

    /** Those that this becomes of, in order of path. */
    public List<FileReset> of(Fate fate) {
        return resets.stream().filter(reset -> reset.fate() == fate).toList();
    }

    /** True: the reset would change nothing. */
    public boolean changesNothing() {
        return resets.stream().noneMatch(r -> r.fate() == Fate.BACK || r.fate() == Fate.FORWARD);
    }
}
