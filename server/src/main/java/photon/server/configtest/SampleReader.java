package photon.server.configtest;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import photon.core.config.StreamConfig;
import photon.core.error.FailedException;
import photon.core.error.IoText;
import photon.core.event.LogEvent;
import photon.core.time.IntervalClock;
import photon.server.configtest.rules.BadRecordReasons;
import photon.server.configtest.rules.StreamSample;
import photon.server.configtest.rules.StreamSample.FileTrouble;
import photon.server.configtest.rules.StreamSample.HalfWritten;
import photon.storage.files.FileStore;
import photon.storage.tail.LogTail;
import photon.storage.tail.TailBatch;

/**
 * Reads the head of a stream's files with the tail of a run, a record of each file in turn. It
 * never waits: what a file does not have now it does not have.
 */
final class SampleReader implements AutoCloseable {
    /** What is held of one stream, whatever the number of records. */
    private static final long HELD_BYTES_MAX = 64L << 20;

    private static final int READ_ON_RECORDS = 1_000;

    /** Of records, whatever becomes of them: filters may drop nearly all. */
    private static final long READ_ON_BYTES_MAX = 1L << 30;

    /** A file that fails is tried again by the tail, and reported at the third failure. */
    private static final int TRIES = 5;

    private static final long TRY_NANOS = 1_000_000_000;

    private final String name;
    private final StreamConfig stream;
    private final FileStore files;
    private final LogTail tail;
    private final List<LogEvent> events = new ArrayList<>();
    private final BadRecordReasons bad = new BadRecordReasons();
    private final List<FileTrouble> troubles = new ArrayList<>();
    private long heldBytes;
    private long leftOut;
    private long nanoTime;
    private int idle;
    private boolean atEnd;

    /**
     * @param name {@code primary} or {@code foreign}
     */
    SampleReader(String name, StreamConfig stream, FileStore files, IntervalClock clock) {
        this.name = name;
        this.stream = stream;
        this.files = files;
        // Its dates are to be judged, not to be left out.
        this.tail = new LogTail(files, stream.ofAnyDate(), List.of(), Duration.ofDays(1), clock);
    }

    /** Reads up to this many records, good or bad, and holds their events. */
    void sample(int records) {
        long read = 0;
        while (!atEnd && read < records && heldBytes < HELD_BYTES_MAX) {
            // One at a time: files take turns record by record, and what is left out is counted.
            for (TailBatch.Item item : poll(1)) {
                read++;
                LogEvent event = item.event();
                if (event != null) {
                    events.add(event);
                    heldBytes += event.weight();
                } else if (item.bad() == null) {
                    leftOut++;
                }
            }
        }
    }

    /** Reads on without holding anything. */
    void readOn(long eventsMax, Consumer<LogEvent> each, BooleanSupplier enough) {
        long read = 0;
        long bytes = 0;
        while (!atEnd && read < eventsMax && bytes < READ_ON_BYTES_MAX && !enough.getAsBoolean()) {
            for (TailBatch.Item item : poll(READ_ON_RECORDS)) {
                bytes += item.endOffset() - item.offset();
                LogEvent event = item.event();
                if (event != null) {
                    read++;
                    each.accept(event);
                }
            }
        }
    }

    List<LogEvent> events() {
        return events;
    }

    /** What was read until now. */
    StreamSample result() {
        try {
            return new StreamSample(
                    name,
                    stream,
                    GlobMatches.of(stream, files),
                    tail.kept(),
                    events,
                    leftOut,
                    bad,
                    troubles,
                    tail.unterminated().stream()
                            .map(file -> new HalfWritten(file.path(), file.length()))
                            .toList(),
                    atEnd);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void close() {
        tail.close();
    }

    private List<TailBatch.Item> poll(int recordsMax) {
        TailBatch batch;
        try {
            batch = tail.poll(recordsMax, nanoTime);
        } catch (IOException e) {
            throw failed(e);
        }
        if (!batch.items().isEmpty() || batch.more()) {
            idle = 0;
        } else {
            idle++;
            atEnd = idle >= TRIES;
            nanoTime += TRY_NANOS;
        }
        for (TailBatch.Item item : batch.items()) {
            TailBatch.BadRecord found = item.bad();
            if (found != null && item.offset() == item.endOffset()) {
                troubles.add(new FileTrouble(item.path(), found.reason()));
            } else if (found != null) {
                bad.add(item.path(), item.offset(), found.reason(), found.cause(), found.head());
            }
        }
        return batch.items();
    }

    private FailedException failed(IOException e) {
        return new FailedException(
                "%s.paths: the file system failed: %s".formatted(name, IoText.of(e)));
    }
}
