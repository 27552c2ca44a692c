package photon.storage.ledger;

import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.id.EventId;
import photon.storage.files.FileStore;
import photon.storage.ledger.LedgerDirectory.Ended;
import photon.storage.ledger.LedgerDirectory.Segment;

/**
 * Takes the segments of a ledger away of which nobody needs an entry any more, at most one a pass
 * (docs/protocol.md section 8). Its figures may be asked for by any thread; otherwise not
 * thread-safe. Writers of the ledger, in this process and in others, may be at work: one whose
 * segment is looked at goes on in a new one.
 */
public final class LedgerRetention {
    private static final Logger log = LoggerFactory.getLogger(LedgerRetention.class);
    private static final long MICROS_PER_MILLI = 1_000;

    /** A segment that cannot go is read again after so many passes. */
    private static final long REST_PASSES = 60;

    private final FileStore files;
    private final LedgerDirectory directory;

    /** Segments that were read and were too young, with how young they are. */
    private final Map<Long, Youngest> tooYoung = new HashMap<>();

    /** Of those that were read and stay for another cause: before which pass they rest. */
    private final Map<Long, Long> resting = new HashMap<>();

    private long passes;

    private volatile Figures figures = Figures.NOTHING_KNOWN;

    /**
     * What a ledger holds.
     *
     * @param bytes of its segments
     * @param segments how many
     * @param ended entries that were taken away, ever
     */
    public record Figures(long bytes, long segments, long ended) {
        /** Before the first look. */
        public static final Figures NOTHING_KNOWN = new Figures(0, 0, 0);
    }

    /**
     * @param directory the ledger's; need not exist
     */
    public LedgerRetention(FileStore files, String directory) {
        this.files = files;
        this.directory = new LedgerDirectory(files, directory);
    }

    /** As of the last look. */
    public Figures figures() {
        return figures;
    }

    /**
     * Reads one segment that may have become old enough, and takes it away if all its entries are,
     * by their identity and by the time at which they were written. What fails is tried again by a
     * later pass.
     *
     * @param age which entries are old enough
     * @param needed what must stay whatever its age
     */
    public void pass(LedgerAge age, Predicate<LedgerEntry> needed) {
        passes++;
        try {
            Ended ended = directory.endedVersion();
            if (ended.entries().going() != 0) {
                remove(ended.entries().going());
            }
            for (Segment segment : directory.segments(ended.entries())) {
                if (mayGo(segment, age)) {
                    resting.put(segment.number(), passes + REST_PASSES);
                    tryToEnd(segment, ended, age, needed);
                    break;
                }
            }
            look();
        } catch (IOException e) {
            log.warn("The ledger in {} could not be shortened: next time", directory.path(), e);
        }
    }

    /** Takes the {@link #figures}; a pass ends with it. */
    public void look() throws IOException {
        EndedEntries ended = directory.ended();
        List<Segment> segments = directory.segments(ended);
        List<Long> numbers = segments.stream().map(Segment::number).toList();
        tooYoung.keySet().retainAll(numbers);
        resting.keySet().retainAll(numbers);
        long bytes = segments.stream().mapToLong(segment -> segment.file().length()).sum();
        figures = new Figures(bytes, segments.size(), ended.entries());
    }

    /** Without reading it. */
    private boolean mayGo(Segment segment, LedgerAge age) {
        long number = segment.number();
        Youngest known = tooYoung.get(number);
        return segment.file().modifiedMillis() * MICROS_PER_MILLI < age.writtenBeforeMicros()
                && (known == null || known.isPast(age))
                && resting.getOrDefault(number, 0L) < passes;
    }

    private void tryToEnd(
            Segment segment, Ended ended, LedgerAge age, Predicate<LedgerEntry> needed)
            throws IOException {
        long number = segment.number();
        Contents before = read(segment.file().path(), needed);
        if (!before.youngest.isPast(age)) {
            tooYoung.put(number, before.youngest);
            resting.remove(number);
            return;
        }
        if (before.needed) {
            return;
        }
        if (!segment.leaving()) {
            files.rename(segment.file().path(), directory.leaving(number));
            files.syncDirectory(directory.path());
        }
        // Only behind the new name: a writer looks for the old one when its entries are synced.
        Contents all = read(directory.leaving(number), needed);
        if (!all.youngest.isPast(age) || all.needed) {
            return;
        }
        if (directory.write(ended.version(), ended.entries().with(number, all.sums()))) {
            remove(number);
            log.info(
                    "{} is older than all that can be joined, and gone: its entries are summed",
                    directory.segment(number));
        }
    }

    private void remove(long segment) throws IOException {
        files.delete(directory.segment(segment));
        files.delete(directory.leaving(segment));
        files.syncDirectory(directory.path());
    }

    private Contents read(String path, Predicate<LedgerEntry> needed) throws IOException {
        Contents contents = new Contents();
        Optional<LedgerSegment> segment = LedgerSegment.read(files, path);
        if (segment.isEmpty()) {
            throw new IOException("Expected the ledger's segment " + path + ", but it is gone");
        }
        segment.get()
                .forEach(
                        entry -> {
                            contents.add(entry);
                            contents.needed |= needed.test(entry);
                        });
        return contents;
    }

    /** Of some entries, by the youngest event and by the last one that was written. */
    private record Youngest(long idMicros, long writtenMicros) {
        Youngest with(LedgerEntry entry) {
            long written = entry.atMillis() * MICROS_PER_MILLI;
            EventId id = entry.id();
            return new Youngest(
                    id == null ? idMicros : Math.max(idMicros, id.micros()),
                    Math.max(writtenMicros, written));
        }

        boolean isPast(LedgerAge age) {
            return age.isPast(idMicros, writtenMicros);
        }
    }

    private static final class Contents {
        private Youngest youngest = new Youngest(Long.MIN_VALUE, Long.MIN_VALUE);
        private boolean needed;
        private final Map<LedgerEntry.Kind, Map<String, Count>> counts =
                new EnumMap<>(LedgerEntry.Kind.class);

        private static final class Count {
            private final Set<EventId> ids = new HashSet<>();
            private long nameless;
        }

        void add(LedgerEntry entry) {
            youngest = youngest.with(entry);
            Count count =
                    counts.computeIfAbsent(entry.kind(), kind -> new HashMap<>())
                            .computeIfAbsent(entry.reason(), reason -> new Count());
            EventId id = entry.id();
            if (id == null) {
                count.nameless++;
            } else if (!id.isUpgrade()) {
                count.ids.add(id); // an upgrade is no event of its own, and in no sum
            }
        }

        Map<LedgerEntry.Kind, Map<String, EndedEntries.Sum>> sums() {
            Map<LedgerEntry.Kind, Map<String, EndedEntries.Sum>> sums =
                    new EnumMap<>(LedgerEntry.Kind.class);
            counts.forEach(
                    (kind, reasons) -> {
                        Map<String, EndedEntries.Sum> of = new HashMap<>();
                        reasons.forEach((reason, count) -> of.put(reason, sum(count)));
                        sums.put(kind, of);
                    });
            return sums;
        }

        private static EndedEntries.Sum sum(Count count) {
            long last = count.ids.stream().mapToLong(EventId::micros).max().orElse(-1);
            return new EndedEntries.Sum(count.ids.size() + count.nameless, last);
        }
    }
}
