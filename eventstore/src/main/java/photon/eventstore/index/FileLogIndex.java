package photon.eventstore.index;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.eventstore.index.IndexNames.Range;
import photon.proto.v1.Event;
import photon.storage.tail.FilePosition;

/**
 * The index on disk (docs/decisions/0007-log-index-of-our-own.md). Events are appended to segments,
 * in compressed blocks, each batch with a commit that has the positions; where each event lies is
 * in a table in memory, and in sealed parts once that is full. Opened by {@link IndexDirectory}.
 *
 * <p>A batch survives the death of the process. It is not synced: a power cut may take the newest
 * batches, each as a whole with its positions, and they are read again from the logs.
 */
public final class FileLogIndex implements LogIndex {
    private final FilePool pool;
    private final String directory;
    private final IndexKeys keys;
    private final String settings;
    private final IndexLimits limits;
    private final Runnable onDamage;
    private final IndexState opened;
    private final IndexContents contents;
    private final IndexUpkeep upkeep;
    private final BlockBuilder builder;

    // Of the loop that puts.
    private final Map<String, FilePosition> positions;
    private final NavigableMap<Long, SegmentStat> ended;
    private SegmentWriter writer;
    private long tableFrom;
    private long primaryEvents;
    private long badRecords;

    private volatile boolean closed;
    private volatile long writtenEvents;
    private volatile long writtenBytes;
    private final AtomicLong expired = new AtomicLong();
    private final RecentBlocks newest;
    private final LongAdder cacheHits = new LongAdder();
    private final LongAdder diskHits = new LongAdder();

    /**
     * @param background where parts are written
     * @param onDamage called when a segment turns out to be damaged, before the exception
     */
    FileLogIndex(
            FilePool pool,
            String directory,
            IndexKeys keys,
            String settings,
            IndexLimits limits,
            Executor background,
            Runnable onDamage)
            throws IOException {
        this.pool = pool;
        this.directory = directory;
        this.keys = keys;
        this.settings = settings;
        this.limits = limits;
        this.onDamage = onDamage;
        IndexRecovery found = new IndexRecovery(pool, directory, keys, settings, limits);
        this.writer = found.open();
        this.opened = found.state();
        this.positions = found.positions;
        this.ended = found.segments;
        this.tableFrom = found.tableFrom;
        this.primaryEvents = found.primaryEvents;
        this.badRecords = found.badRecords;
        this.contents =
                new IndexContents(found.table, found.parts, found.segmentFiles(writer.stat()));
        this.upkeep = new IndexUpkeep(pool, directory, contents, limits, background);
        this.builder = new BlockBuilder(limits.blockBytes());
        this.newest = new RecentBlocks(limits.cacheBytes());
        written();
        upkeep.merge();
    }

    private void written() {
        writtenEvents = writer.stat().events();
        writtenBytes = writer.stat().bytes();
    }

    @Override
    public IndexState opened() {
        return opened;
    }

    @Override
    public void put(IndexBatch batch) {
        try {
            upkeep.check();
            List<Event> events = batch.events();
            makeRoom(events.size());
            long[] at = append(events);
            writer.commit(
                    new Commit(
                            events.size(),
                            Math.min(newestMicros(events), batch.newestMicros()),
                            batch.badRecords(),
                            batch.positions(),
                            List.of(),
                            List.of()));
            RecentTable table = contents.view().active();
            table.putBatch(rows(events, at));
            primaryEvents += events.size();
            badRecords += batch.badRecords();
            for (FilePosition position : batch.positions()) {
                positions.put(position.key(), position);
            }
            written();
            if (writer.stat().bytes() >= limits.segmentBytes()) {
                roll();
                if (writer.stat().number() - tableFrom >= limits.recentSegments()) {
                    sealTable();
                }
            }
        } catch (IOException e) {
            throw failure("Cannot write", e);
        }
    }

    private long[] rows(List<Event> events, long[] at) {
        long[] rows = new long[3 * at.length];
        for (int i = 0; i < at.length; i++) {
            Place place = keys.place(events.get(i));
            rows[3 * i] = place.high();
            rows[3 * i + 1] = place.low();
            rows[3 * i + 2] = at[i];
        }
        return rows;
    }

    /** Seals the table if it has no room for this many more rows. */
    private void makeRoom(int rows) throws IOException {
        int taken = contents.view().active().rows();
        if (taken == 0 || taken + rows <= limits.recentRows()) {
            return;
        }
        if (writer.stat().events() > 0) {
            roll();
        }
        sealTable();
    }

    /** Returns where each event lies. */
    private long[] append(List<Event> events) throws IOException {
        long[] at = new long[events.size()];
        int first = 0;
        for (int i = 0; i < at.length; i++) {
            if (builder.isFullFor(events.get(i))) {
                endBlock(at, first, i);
                first = i;
            }
            builder.add(events.get(i));
        }
        if (!builder.isEmpty()) {
            endBlock(at, first, at.length);
        }
        return at;
    }

    private void endBlock(long[] at, int from, int to) throws IOException {
        Block block = builder.block();
        int length = builder.finish();
        long offset = writer.block(builder.payload(), length);
        newest.put(RecordPosition.of(writer.stat().number(), offset, 0), block);
        for (int i = from; i < to; i++) {
            at[i] = RecordPosition.of(writer.stat().number(), offset, i - from);
        }
    }

    private static long newestMicros(List<Event> events) {
        long newest = Long.MIN_VALUE;
        for (Event event : events) {
            newest = Math.max(newest, EventId.micros(event.getId()));
        }
        return newest;
    }

    /** Ends the segment, and begins the next one. */
    private void roll() throws IOException {
        writer.sync();
        writer.close();
        SegmentStat last = writer.stat();
        ended.put(last.number(), last);
        writer =
                SegmentWriter.create(
                        pool.files(),
                        directory,
                        last.number() + 1,
                        new SegmentHead(
                                settings, primaryEvents, badRecords, List.copyOf(ended.values())),
                        positions.values());
        writer.publish();
        contents.rolled(
                new SegmentFile(last, segmentFile(last.number()).file()),
                new SegmentFile(
                        writer.stat(),
                        pool.file(directory + "/" + IndexNames.segment(writer.stat().number()))));
        written();
    }

    /** The segment that is written has no events yet: the table stands for those before it. */
    private void sealTable() throws IOException {
        upkeep.awaitSealed();
        RecentTable full = contents.freeze();
        Range range = new Range(tableFrom, writer.stat().number() - 1);
        tableFrom = writer.stat().number();
        upkeep.seal(full, range);
    }

    private SegmentFile segmentFile(long number) {
        SegmentFile segment = contents.view().segments().get(number);
        if (segment == null) {
            throw new IllegalStateException("There is no segment " + number);
        }
        return segment;
    }

    @Override
    public void forget(List<String> fileKeys) {
        try {
            upkeep.check();
            writer.commit(Commit.forget(fileKeys));
            fileKeys.forEach(positions::remove);
        } catch (IOException e) {
            throw failure("Cannot write", e);
        }
    }

    /**
     * Drops segments whose events are all older, with what stands for them; events of the segment
     * that is written stay. For the loop that puts.
     *
     * @return how many events were dropped, repeats among them
     * @throws LogIndexException if the store fails; the index may then only be closed
     */
    public long expire(long beforeMicros) {
        List<Long> old =
                ended.values().stream()
                        .filter(segment -> segment.newestMicros() < beforeMicros)
                        .map(SegmentStat::number)
                        .toList();
        if (old.isEmpty()) {
            return 0;
        }
        try {
            upkeep.check();
            // Durable first: a segment that is missing, and was not dropped, is damage.
            writer.commit(Commit.drop(old));
            writer.sync();
            ended.keySet().removeAll(old);
            long events = 0;
            for (SegmentFile segment : contents.drop(old)) {
                events += segment.stat().events();
                segment.file().delete();
            }
            expired.addAndGet(events);
            upkeep.merge();
            return events;
        } catch (IOException e) {
            throw failure("Cannot drop old events of", e);
        }
    }

    @Override
    public List<@Nullable Event> get(List<ByteString> wanted) {
        while (true) {
            IndexView view = contents.view();
            try {
                long[] at = find(view, wanted);
                // The newest rows are live: they may name a segment that was begun meanwhile.
                if (Arrays.stream(at).allMatch(view::reaches)) {
                    return get(view, wanted, at);
                }
            } catch (NoSuchFileException e) {
                // Merged or dropped meanwhile, unless nothing has changed.
                if (contents.isCurrent(view)) {
                    throw failure("Cannot read", e);
                }
            } catch (IOException e) {
                throw failure("Cannot read", e);
            }
        }
    }

    /** Where each may lie; 0: nowhere. */
    private long[] find(IndexView view, List<ByteString> wanted) throws IOException {
        byte[] into = new byte[view.parts().isEmpty() ? 0 : PartFormat.BLOCK];
        long[] at = new long[wanted.size()];
        for (int i = 0; i < at.length; i++) {
            at[i] = view.find(keys.place(wanted.get(i)), into);
        }
        return at;
    }

    private List<@Nullable Event> get(IndexView view, List<ByteString> wanted, long[] at)
            throws IOException {
        @Nullable Event[] found = new @Nullable Event[wanted.size()];
        Integer[] order = new Integer[wanted.size()];
        Arrays.setAll(order, i -> i);
        // Those of one block together: it is read once.
        Arrays.sort(order, (one, other) -> Long.compare(at[one], at[other]));
        byte[] read = new byte[SegmentFile.FIRST_READ_BYTES];
        long blockAt = 0;
        Block block = null;
        boolean cached = false;
        for (int i : order) {
            long position = at[i];
            SegmentFile segment = view.segments().get(RecordPosition.segment(position));
            if (position == 0 || segment == null) {
                continue;
            }
            if (block == null || position - RecordPosition.record(position) != blockAt) {
                blockAt = position - RecordPosition.record(position);
                block = newest.get(blockAt);
                cached = block != null;
                if (block == null) {
                    block = segment.block(RecordPosition.offset(position), read);
                }
            }
            Event event = block.event(RecordPosition.record(position));
            // The place is a hash: only the whole key decides (docs/protocol.md section 2).
            found[i] = event.getKey().equals(wanted.get(i)) ? event : null;
            if (found[i] != null) {
                (cached ? cacheHits : diskHits).increment();
            }
        }
        return Arrays.asList(found);
    }

    private LogIndexException failure(String what, Exception cause) {
        if (closed) {
            return new LogIndexException("The log index is closed", cause);
        }
        if (cause instanceof DamagedIndexException damaged && IndexDamage.isOfPart(cause)) {
            // Only stands for segments: the next start writes it anew.
            try {
                pool.files().delete(damaged.file());
            } catch (IOException e) {
                cause.addSuppressed(e);
            }
        } else if (IndexDamage.isOfSegments(cause)) {
            onDamage.run();
        }
        return new LogIndexException(what + " the log index: " + cause.getMessage(), cause);
    }

    /** Thread-safe. */
    public IndexFigures figures() {
        IndexView view = contents.view();
        long events = writtenEvents;
        long disk = writtenBytes;
        for (SegmentFile segment : view.segments().headMap(view.segments().lastKey()).values()) {
            events += segment.stat().events();
            disk += segment.stat().bytes();
        }
        long memory = tableBytes();
        for (PartFile part : view.parts()) {
            disk += part.bytes();
            memory += part.memoryBytes();
        }
        return new IndexFigures(
                events,
                view.segments().size(),
                view.parts().size(),
                disk,
                memory + newest.bytes(),
                expired.get(),
                cacheHits.sum(),
                diskHits.sum());
    }

    /** What the newest rows take of the heap. */
    long tableBytes() {
        IndexView view = contents.view();
        RecentTable frozen = view.frozen();
        return view.active().bytes() + (frozen == null ? 0 : frozen.bytes());
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        upkeep.close();
        Exception failure = null;
        for (AutoCloseable part : List.of(writer, pool)) {
            try {
                part.close();
            } catch (Exception e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw new LogIndexException("Cannot close the log index", failure);
        }
    }
}
