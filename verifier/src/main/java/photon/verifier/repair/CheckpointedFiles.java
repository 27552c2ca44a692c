package photon.verifier.repair;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.FilePosition;
import photon.verifier.repair.WriteOffRule.Named;
import photon.verifier.source.ForeignLogs;

/**
 * Which of the files that a dispatcher's checkpoint names were read in one reading, and how far:
 * not by name, but as the tail itself knows them, and also when they were compressed or copied
 * since. What is known of a file is kept, so that each look asks only about what is new. Not
 * thread-safe.
 */
final class CheckpointedFiles {
    private final ForeignLogs.Reading reading;

    /** Which files of the reading, by number, are known to be this one. */
    private final Map<Identity, Set<Integer>> matches = new HashMap<>();

    /** Of what each file of the reading was known not to be, when it had been read so far. */
    private final Map<Integer, Asked> asked = new TreeMap<>();

    CheckpointedFiles(ForeignLogs.Reading reading) {
        this.reading = reading;
    }

    /** What a checkpoint tells a file by; it may be read further later. */
    private record Identity(String key, int prefixLength, String prefixHash) {
        static Identity of(FilePosition position) {
            return new Identity(position.key(), position.prefixLength(), position.prefixHash());
        }
    }

    /**
     * @param offset of the file then: what it begins with changes only when it grows
     */
    private record Asked(long offset, Set<Identity> about) {}

    /**
     * Each file that the dispatcher has read from, also one of which nothing is done: events of it
     * may have been sent.
     */
    List<Named> named(Checkpoint checkpoint) {
        List<FilePosition> reached = reading.reached();
        List<FilePosition> read =
                checkpoint.positions().stream().filter(FilePosition::wasReadFrom).toList();
        match(read, reached);
        List<FilePosition> open =
                read.stream().filter(p -> readTo(p, reached) < p.offset()).toList();
        for (int number = 0; number < reached.size() && !open.isEmpty(); number++) {
            recognise(number, reached.get(number), open);
        }
        return read.stream().map(p -> new Named(p, readTo(p, reached))).toList();
    }

    /**
     * Files that cannot be read on, without those of which the dispatcher is known to have read no
     * more.
     */
    List<String> unreadable(List<Named> named) {
        List<FilePosition> reached = reading.reached();
        Set<Integer> readEnough = new TreeSet<>();
        for (Named file : named) {
            Set<Integer> numbers = matches.getOrDefault(Identity.of(file.position()), Set.of());
            for (int number : numbers) {
                if (reached.get(number).offset() >= file.position().offset()) {
                    readEnough.add(number);
                }
            }
        }
        List<String> found = new ArrayList<>();
        reading.unreadable()
                .forEach(
                        (number, reason) -> {
                            if (!readEnough.contains(number)) {
                                found.add(reached.get(number).path() + ": " + reason);
                            }
                        });
        return found;
    }

    /** What needs no look at a file: the same key, the same first bytes. */
    private void match(List<FilePosition> wanted, List<FilePosition> reached) {
        Map<Identity, Integer> numbers = new HashMap<>();
        for (int number = 0; number < reached.size(); number++) {
            numbers.put(Identity.of(reached.get(number)), number);
        }
        for (FilePosition position : wanted) {
            Integer number = numbers.get(Identity.of(position));
            if (number != null) {
                add(Identity.of(position), number);
            }
        }
    }

    private void recognise(int number, FilePosition file, List<FilePosition> open) {
        Asked before = asked.get(number);
        Set<Identity> known =
                before == null || before.offset() != file.offset() ? Set.of() : before.about();
        List<FilePosition> wanted = new ArrayList<>();
        for (FilePosition position : open) {
            // One that is shorter can only be the same that was cut.
            boolean maybe = position.key().equals(file.key()) || position.offset() <= file.offset();
            if (maybe && !known.contains(Identity.of(position))) {
                wanted.add(position);
            }
        }
        if (wanted.isEmpty()) {
            return;
        }
        Optional<List<FilePosition>> recognised = reading.recognise(file, wanted);
        if (recognised.isEmpty()) {
            return; // Another look may find it, under another name perhaps.
        }
        recognised.get().forEach(p -> add(Identity.of(p), number));
        Set<Identity> about = new HashSet<>(known);
        wanted.forEach(position -> about.add(Identity.of(position)));
        asked.put(number, new Asked(file.offset(), about));
    }

    private void add(Identity identity, int number) {
        matches.computeIfAbsent(identity, unknown -> new TreeSet<>()).add(number);
    }

    private long readTo(FilePosition position, List<FilePosition> reached) {
        long readTo = Named.NOT_MET;
        for (int number : matches.getOrDefault(Identity.of(position), Set.of())) {
            readTo = Math.max(readTo, reached.get(number).offset());
        }
        return readTo;
    }
}
