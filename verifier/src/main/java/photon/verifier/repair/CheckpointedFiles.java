package photon.verifier.repair;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import photon.storage.tail.FilePosition;
import photon.verifier.repair.WriteOffRule.Named;
import photon.verifier.source.ForeignLogs;

/**
 * Finds out which of the files that a dispatcher's checkpoint names were read in one reading, and
 * how far: not by name, but as the tail itself knows them, and also when they were compressed or
 * copied since. Looks into files only for what their numbers do not tell, a few at a time, and into
 * none twice for the same. Memory grows with the files, and not with pairs of them. Not
 * thread-safe.
 */
final class CheckpointedFiles {
    /** On HDFS a look into a file takes some 10 ms, and the loop has others to serve. */
    static final int FILES_PER_STEP = 100;

    private final ForeignLogs.Reading reading;

    /** Which files of the reading, by number, are known to be this one. */
    private final Map<Identity, Set<Integer>> matches = new HashMap<>();

    /** What is not known to have been read as far as the dispatcher has read it. */
    private Map<Identity, Wanted> open = new LinkedHashMap<>();

    /** What files of the reading were asked for, by number. */
    private final Map<Integer, Asked> asked = new HashMap<>();

    private int wantedEver;
    private List<FilePosition> read = List.of();
    private List<FilePosition> reached = List.of();
    private Iterator<Integer> toAsk = Collections.emptyIterator();

    CheckpointedFiles(ForeignLogs.Reading reading) {
        this.reading = reading;
    }

    /** What a checkpoint tells a file by; it may be read further later. */
    private record Identity(String key, int prefixLength, String prefixHash) {
        static Identity of(FilePosition position) {
            return new Identity(position.key(), position.prefixLength(), position.prefixHash());
        }

        /** What another machine would tell it by, too: on NFS the rest of a key is its own. */
        static Identity elsewhere(FilePosition position) {
            return of(position.under(FilePosition.number(position.key())));
        }
    }

    /**
     * @param since counts what was ever looked for, so that a file is not asked twice
     */
    private record Wanted(FilePosition position, int since) {}

    /**
     * @param offset of the file then: what it begins with changes only when it grows
     * @param upTo it was asked for all that was wanted up to this one
     */
    private record Asked(long offset, int upTo) {}

    /**
     * Begins anew when everything is read. {@link #recogniseSome} comes next, until it is done.
     *
     * @param positions of the dispatcher's checkpoint
     */
    void begin(Collection<FilePosition> positions) {
        reached = reading.reached();
        // Also one of which nothing is done: events of it may have been sent.
        read = positions.stream().filter(FilePosition::wasReadFrom).toList();
        match();
        Map<Identity, Wanted> before = open;
        open = new LinkedHashMap<>();
        for (FilePosition position : read) {
            if (readTo(position) < position.offset()) {
                want(position, before.get(Identity.of(position)));
            }
        }
        toAsk = likelyFirst().iterator();
    }

    /** Looks into some files; true: nothing is left to look into. */
    boolean recogniseSome() {
        int looks = 0;
        while (toAsk.hasNext() && !open.isEmpty()) {
            if (looks == FILES_PER_STEP) {
                return false;
            }
            looks += recognise(toAsk.next()) ? 1 : 0;
        }
        return true;
    }

    /** Each file that the dispatcher has read from. */
    List<Named> named() {
        return read.stream().map(p -> new Named(p, readTo(p))).toList();
    }

    /**
     * Files that cannot be read on, without those of which the dispatcher is known to have read no
     * more.
     */
    List<String> unreadable() {
        Set<Integer> readEnough = new HashSet<>();
        Set<Integer> readLess = new HashSet<>();
        for (FilePosition position : read) {
            for (int number : matches.getOrDefault(Identity.of(position), Set.of())) {
                boolean enough = reached.get(number).offset() >= position.offset();
                (enough ? readEnough : readLess).add(number);
            }
        }
        readEnough.removeAll(readLess);
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

    /** What needs no look at a file: the same number, the same first bytes. */
    private void match() {
        Set<Identity> identities = new HashSet<>();
        read.forEach(position -> identities.add(Identity.of(position)));
        matches.keySet().retainAll(identities);
        Map<Identity, List<Integer>> numbers = new HashMap<>();
        for (int number = 0; number < reached.size(); number++) {
            numbers.computeIfAbsent(
                            Identity.elsewhere(reached.get(number)), unknown -> new ArrayList<>(1))
                    .add(number);
        }
        for (FilePosition position : read) {
            for (int number : numbers.getOrDefault(Identity.elsewhere(position), List.of())) {
                add(Identity.of(position), number);
            }
        }
    }

    /** What was looked for before, too, need not be looked for again where it was not found. */
    private void want(FilePosition position, @Nullable Wanted before) {
        int since =
                before != null && before.position().offset() <= position.offset()
                        ? before.since()
                        : ++wantedEver;
        open.merge(
                Identity.of(position),
                new Wanted(position, since),
                (one, other) -> one.position().offset() >= other.position().offset() ? one : other);
    }

    /** Those first that may be what is wanted by their number: then the others need no look. */
    private List<Integer> likelyFirst() {
        Set<String> wanted = new HashSet<>();
        for (Wanted one : open.values()) {
            wanted.add(FilePosition.number(one.position().key()));
        }
        List<Integer> likely = new ArrayList<>();
        List<Integer> others = new ArrayList<>();
        for (int number = 0; number < reached.size(); number++) {
            String own = FilePosition.number(reached.get(number).key());
            (wanted.contains(own) ? likely : others).add(number);
        }
        likely.addAll(others);
        return likely;
    }

    /** False: it was asked for all that is wanted before. */
    private boolean recognise(int number) {
        FilePosition file = reached.get(number);
        Asked before = asked.get(number);
        int upTo = before == null || before.offset() != file.offset() ? 0 : before.upTo();
        if (upTo == wantedEver) {
            return false;
        }
        List<FilePosition> wanted = new ArrayList<>();
        for (Wanted one : open.values()) {
            if (one.since() > upTo && mayBe(one.position(), file)) {
                wanted.add(one.position());
            }
        }
        Optional<List<FilePosition>> recognised =
                wanted.isEmpty() ? Optional.of(List.of()) : reading.recognise(file, wanted);
        if (recognised.isEmpty()) {
            return true; // Another look may find it, under another name perhaps.
        }
        asked.put(number, new Asked(file.offset(), wantedEver));
        for (FilePosition position : recognised.get()) {
            add(Identity.of(position), number);
            if (file.offset() >= position.offset()) {
                open.remove(Identity.of(position));
            }
        }
        return true;
    }

    /** One that is shorter can only be the same that was cut. */
    private static boolean mayBe(FilePosition position, FilePosition file) {
        return position.offset() <= file.offset()
                || FilePosition.number(position.key()).equals(FilePosition.number(file.key()));
    }

    private void add(Identity identity, int number) {
        matches.computeIfAbsent(identity, unknown -> new TreeSet<>()).add(number);
    }

    private long readTo(FilePosition position) {
        long readTo = Named.NOT_MET;
        for (int number : matches.getOrDefault(Identity.of(position), Set.of())) {
            readTo = Math.max(readTo, reached.get(number).offset());
        }
        return readTo;
    }
}
