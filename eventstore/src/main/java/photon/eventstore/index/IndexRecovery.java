package photon.eventstore.index;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.eventstore.index.FilePool.PooledFile;
import photon.eventstore.index.IndexNames.Range;
import photon.proto.v1.Event;
import photon.storage.files.DurableDirectories;
import photon.storage.files.FileStore;
import photon.storage.tail.FilePosition;

/**
 * Opens what an earlier life left. The last segment may have a torn end, and what is not torn may
 * not be durable yet: its whole batches are copied into a new segment, which is made durable and
 * takes its place. Rows that no sealed part holds are read from the segments; a part that is gone
 * or damaged is written anew from them.
 */
final class IndexRecovery {
    private static final Logger log = LoggerFactory.getLogger(IndexRecovery.class);

    private final FilePool pool;
    private final FileStore files;
    private final String directory;
    private final IndexKeys keys;
    private final String settings;
    private final IndexLimits limits;

    final Map<String, FilePosition> positions = new LinkedHashMap<>();
    final RecentTable table = new RecentTable();
    final List<PartFile> parts = new ArrayList<>();
    final NavigableMap<Long, SegmentStat> segments = new TreeMap<>();
    long primaryEvents;
    long badRecords;

    /** The first segment that the table stands for. */
    long tableFrom;

    /** The last segment, if it is damaged and was copied as far as it is whole; 0: it is not. */
    private long keptAside;

    private final Set<Long> dropped = new HashSet<>();
    private final NavigableMap<Long, Long> segmentBytes = new TreeMap<>();
    private final List<Range> ranges = new ArrayList<>();

    IndexRecovery(
            FilePool pool, String directory, IndexKeys keys, String settings, IndexLimits limits) {
        this.pool = pool;
        this.files = pool.files();
        this.directory = directory;
        this.keys = keys;
        this.settings = settings;
        this.limits = limits;
    }

    /**
     * Returns the segment to go on in.
     *
     * @throws DamagedIndexException if something is missing that cannot be made anew from the rest
     * @throws OtherIndexException if the index is of another format, or of other settings; then
     *     nothing was changed
     */
    SegmentWriter open() throws IOException {
        DurableDirectories.create(files, directory);
        list();
        if (segmentBytes.isEmpty()) {
            if (!ranges.isEmpty()) {
                throw new DamagedIndexException(
                        "Expected segments in %s, but there are only sealed parts"
                                .formatted(directory));
            }
            SegmentWriter writer =
                    SegmentWriter.create(
                            files,
                            directory,
                            1,
                            new SegmentHead(settings, 0, 0, List.of()),
                            List.of());
            tableFrom = 1;
            return publish(writer);
        }
        SegmentWriter writer = copyLast(segmentBytes.lastKey());
        try {
            checkSegments();
            openParts();
            readUncovered(writer.stat().number());
            deleteOthers(writer.stat().number());
        } catch (IOException | RuntimeException e) {
            closeAfter(e, writer);
            closeAfter(e, pool);
            throw e;
        }
        return writer;
    }

    private static void closeAfter(Exception failure, AutoCloseable open) {
        try {
            open.close();
        } catch (Exception e) {
            failure.addSuppressed(e);
        }
    }

    private void list() throws IOException {
        List<String> unfinished = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (FileStore.FileInfo file : files.list(directory)) {
            String name = IndexNames.of(file.path());
            if (IndexNames.isUnfinished(name)) {
                unfinished.add(file.path());
            } else if (IndexNames.segment(name).isPresent()) {
                segmentBytes.put(IndexNames.segment(name).get(), file.length());
            } else if (IndexNames.part(name).isPresent()) {
                ranges.add(IndexNames.part(name).get());
            } else {
                others.add(name);
            }
        }
        if (!others.isEmpty()) {
            if (segmentBytes.isEmpty()) {
                throw new OtherIndexException(
                        "%s has no segments, but has %s".formatted(directory, others));
            }
            log.warn("{} has files that are not of the log index: {}", directory, others);
        }
        for (String path : unfinished) {
            files.delete(path);
        }
    }

    private String segmentPath(long number) {
        return directory + "/" + IndexNames.segment(number);
    }

    private static SegmentWriter publish(SegmentWriter writer) throws IOException {
        try {
            writer.publish();
        } catch (IOException e) {
            writer.close();
            throw e;
        }
        return writer;
    }

    private SegmentWriter copyLast(long last) throws IOException {
        try (SegmentReader reader = new SegmentReader(files, segmentPath(last))) {
            SegmentHead head = reader.head();
            Optional<String> other = IndexSettings.refusal(head.settings(), settings);
            if (other.isPresent()) {
                throw new OtherIndexException(other.get());
            }
            primaryEvents = head.primaryEvents();
            badRecords = head.badRecords();
            head.segments().forEach(segment -> segments.put(segment.number(), segment));
            SegmentWriter writer =
                    SegmentWriter.create(
                            files,
                            directory,
                            last + 1,
                            new SegmentHead(settings, primaryEvents, badRecords, head.segments()),
                            List.of());
            try {
                copy(reader, writer);
                sayIfCut(reader, last);
                writer.publish();
            } catch (IOException | RuntimeException e) {
                writer.close();
                throw e;
            }
            return writer;
        }
    }

    private void sayIfCut(SegmentReader reader, long last) {
        if (reader.corrupt()) {
            keptAside = last;
            log.error(
                    "{} is damaged, by its disk or by a power cut: {}, and whole batches stand behind"
                            + " them. What stands before is used, and the primary logs are read again"
                            + " from there. The file is kept as {}",
                    segmentPath(last),
                    reader.cut(),
                    aside());
        } else if (reader.cut() != null) {
            log.warn(
                    "The end of {} was not whole and is cut off: {}. The primary logs are read again"
                            + " from where they stood before",
                    segmentPath(last),
                    reader.cut());
        }
    }

    /** Where the newest damaged segment is kept, beside the index. */
    private String aside() {
        return directory + ".corrupt-segment";
    }

    private void copy(SegmentReader reader, SegmentWriter writer) throws IOException {
        SegmentReader.@Nullable Batch batch = reader.next();
        while (batch != null) {
            for (SegmentReader.StoredBlock block : batch.blocks()) {
                long offset = writer.block(block.payload(), block.payload().length);
                insert(block.events(), writer.stat().number(), offset, table);
            }
            writer.append(batch.commit());
            apply(batch.commit());
            batch = reader.next();
        }
    }

    private void insert(List<Event> events, long segment, long offset, RecentTable into) {
        for (int i = 0; i < events.size(); i++) {
            Place place = keys.place(events.get(i));
            into.put(place.high(), place.low(), RecordPosition.of(segment, offset, i));
        }
    }

    private void apply(Commit commit) {
        primaryEvents += commit.events();
        badRecords += commit.badRecords();
        for (FilePosition position : commit.positions()) {
            positions.put(position.key(), position);
        }
        commit.forgotten().forEach(positions::remove);
        dropped.addAll(commit.dropped());
    }

    private void checkSegments() throws IOException {
        segments.keySet().removeAll(dropped);
        for (SegmentStat segment : segments.values()) {
            Long bytes = segmentBytes.get(segment.number());
            if (bytes == null || bytes != segment.bytes()) {
                throw new DamagedIndexException(
                        "Expected %s to have %d bytes, but it %s"
                                .formatted(
                                        segmentPath(segment.number()),
                                        segment.bytes(),
                                        bytes == null ? "is missing" : "has " + bytes));
            }
        }
    }

    /** Those that are whole, and not within another one. */
    private void openParts() throws IOException {
        ranges.sort(
                java.util.Comparator.comparingLong(Range::from)
                        .thenComparing(java.util.Comparator.comparingLong(Range::to).reversed()));
        long covered = 0;
        for (Range range : ranges) {
            PooledFile file = pool.file(directory + "/" + IndexNames.part(range));
            boolean held = !segments.subMap(range.from(), true, range.to(), true).isEmpty();
            if (range.to() <= covered || !held) {
                file.delete();
                continue;
            }
            try {
                if (range.from() <= covered) {
                    throw new DamagedIndexException(file.path(), 0, "overlaps the part before");
                }
                parts.add(PartFile.open(file, range));
                covered = range.to();
            } catch (DamagedIndexException | NoSuchFileException e) {
                log.error(
                        "A part of the log index is damaged or gone and is written anew from the"
                                + " segments: {}",
                        e.getMessage());
                file.delete();
            }
        }
    }

    /**
     * Rows of segments that no part stands for: those that the table has no room for become parts,
     * and those before the last part.
     */
    private void readUncovered(long next) throws IOException {
        List<PartFile> sealed = List.copyOf(parts);
        RecentTable rows = new RecentTable();
        long from = 0;
        long to = 0;
        for (SegmentStat segment : segments.values()) {
            if (isCovered(sealed, segment.number())) {
                continue;
            }
            boolean sameRun = from > 0 && !anyBetween(sealed, to, segment.number());
            boolean fits = rows.rows() + segment.events() <= limits.recentRows();
            if (from > 0 && !(sameRun && fits)) {
                seal(rows, new Range(from, to));
                rows = new RecentTable();
                from = 0;
            }
            from = from == 0 ? segment.number() : from;
            to = segment.number();
            read(segment.number(), rows);
        }
        boolean isPart =
                from > 0
                        && (anyBetween(sealed, to, next)
                                || rows.rows() + table.rows() > limits.recentRows());
        if (isPart) {
            seal(rows, new Range(from, to));
        } else {
            table.putAll(rows);
        }
        tableFrom = from == 0 || isPart ? next : from;
    }

    private static boolean isCovered(List<PartFile> sealed, long segment) {
        return sealed.stream()
                .anyMatch(p -> p.range().from() <= segment && segment <= p.range().to());
    }

    private static boolean anyBetween(List<PartFile> sealed, long after, long before) {
        return sealed.stream().anyMatch(p -> p.range().from() > after && p.range().from() < before);
    }

    private void read(long number, RecentTable into) throws IOException {
        try (SegmentReader reader = new SegmentReader(files, segmentPath(number))) {
            SegmentReader.@Nullable Batch batch = reader.next();
            while (batch != null) {
                for (SegmentReader.StoredBlock block : batch.blocks()) {
                    insert(block.events(), number, block.offset(), into);
                }
                batch = reader.next();
            }
            reader.checkWhole();
        }
    }

    private void seal(RecentTable rows, Range range) throws IOException {
        log.info("Writing the log index of segments {} to {} anew", range.from(), range.to());
        PartFile part = IndexUpkeep.write(pool, directory, rows, range, () -> {});
        int at = 0;
        while (at < parts.size() && parts.get(at).range().to() < range.from()) {
            at++;
        }
        parts.add(at, part);
    }

    /** What was copied, dropped, or never counted. */
    private void deleteOthers(long current) throws IOException {
        for (long number : segmentBytes.keySet()) {
            if (number == keptAside) {
                files.delete(aside());
                files.rename(segmentPath(number), aside());
            } else if (number != current && !segments.containsKey(number)) {
                files.delete(segmentPath(number));
            }
        }
    }

    /** Of the segments that are held, and the one that is written. */
    Collection<SegmentFile> segmentFiles(SegmentStat current) {
        List<SegmentFile> all = new ArrayList<>();
        for (SegmentStat segment : segments.values()) {
            all.add(new SegmentFile(segment, pool.file(segmentPath(segment.number()))));
        }
        all.add(new SegmentFile(current, pool.file(segmentPath(current.number()))));
        return all;
    }

    IndexState state() {
        return new IndexState(List.copyOf(positions.values()), primaryEvents, badRecords);
    }
}
