package photon.eventstore.tail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import photon.core.event.LogEvent;
import photon.core.loop.EventLoop;
import photon.core.share.StoreShare;
import photon.eventstore.index.IndexBatch;
import photon.eventstore.index.LogIndex;
import photon.proto.v1.Event;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LogOutage;
import photon.storage.tail.TailBatch;
import photon.storage.tail.TailBatch.Item;
import photon.storage.tail.TailLag;

/**
 * Reads the primary logs on and on and puts what is of the share into the index, in batches of
 * thousands, each together with the positions that it reaches. Bad records are durable before a
 * position passes them. One loop owns it.
 */
public final class PrimaryIndexer {
    /** One index write a batch; also what the batch in hand may hold in memory. */
    static final int RECORDS_A_BATCH_MAX = 4_096;

    /** How soon logs without news are looked at again, at first and after a while without any. */
    static final Duration IDLE_MIN = Duration.ofMillis(20);

    static final Duration IDLE_MAX = Duration.ofMillis(200);

    /** Logs that are written all the time are read to their end many times in this. */
    static final Duration BEHIND_AFTER = Duration.ofSeconds(2);

    /**
     * So long and the time between two listings it counts that all was read, from when the listing
     * was begun: a joiner waits a second longer for what may have been written since
     * (docs/protocol.md section 13).
     */
    static final Duration ALL_READ_FOR = Duration.ofSeconds(4);

    /** How often positions of files that are gone are looked through. */
    static final Duration FORGET_EVERY = Duration.ofMinutes(10);

    private final EventLoop loop;
    private final PrimaryLog primaryLog;
    private final StoreShare share;
    private final LogIndex index;
    private final BadRecordLog badRecordLog;
    private final Consumer<List<Event>> indexed;
    private final Consumer<TailProgress> progress;

    /** Files that cannot be read on, as this life has met them: at most one a file. */
    private final Set<Trouble> troubles = new HashSet<>();

    private final ReadFrontier frontier = new ReadFrontier();
    private long primaryEvents;

    /** Those that a position has passed, also in earlier lives. */
    private long badRecords;

    /** Written by the loop. */
    private final AtomicLong polls = new AtomicLong();

    /** Written by the loop. */
    private final AtomicLong eventsRead = new AtomicLong();

    private boolean caughtUp;
    private boolean everCaughtUp;

    /** When the listing was begun behind which all was last read. */
    private long caughtUpNanos;

    private long forgotNanos;

    private final LogOutage outage = new LogOutage("primary");
    private boolean stopped;
    private Duration idle = IDLE_MIN;

    /**
     * @param primaryLog reads on from the index's positions
     * @param share which events are put into the index: of the others the positions alone
     * @param indexed told of events, in the loop, when they can be looked up
     * @param progress told after each step, in the loop
     */
    public PrimaryIndexer(
            EventLoop loop,
            PrimaryLog primaryLog,
            StoreShare share,
            LogIndex index,
            BadRecordLog badRecordLog,
            Consumer<List<Event>> indexed,
            Consumer<TailProgress> progress) {
        this.loop = loop;
        this.primaryLog = primaryLog;
        this.share = share;
        this.index = index;
        this.badRecordLog = badRecordLog;
        this.indexed = indexed;
        this.progress = progress;
        this.forgotNanos = loop.nanoTime();
        this.primaryEvents = index.opened().primaryEvents();
        this.badRecords = index.opened().badRecords();
    }

    /** Goes on by itself from here. */
    public void start() {
        loop.execute(this::step);
    }

    /** Looks at the logs that have ended. Thread-safe. */
    public long polls() {
        return polls.getAcquire();
    }

    /** Events read in this life, whatever the share. Thread-safe. */
    public long eventsRead() {
        return eventsRead.getAcquire();
    }

    /** No step runs after this. */
    public void stop() {
        loop.checkInLoop();
        stopped = true;
    }

    /** Whether the logs can be read. */
    public LogOutage outage() {
        return outage;
    }

    /** Whether the logs can be read. In the loop. */
    public TailHealth health() {
        return new TailHealth(outage.sinceNanos(), outage.trouble());
    }

    private void step() {
        if (stopped) {
            return;
        }
        TailBatch batch;
        try {
            batch = primaryLog.poll(RECORDS_A_BATCH_MAX, loop.nanoTime());
        } catch (IOException e) {
            storeFailed(e);
            return;
        }
        polls.setRelease(polls.getPlain() + 1);
        outage.polled(batch, loop.nanoTime());
        if (!batch.items().isEmpty()) {
            store(batch.items());
        }
        boolean nothingNew = batch.items().isEmpty() && !batch.more();
        boolean stalled = batch.stall().isPresent();
        caughtUp = !stalled && (batch.caughtUp() || (caughtUp && nothingNew));
        if (!stalled && batch.caughtUp()) {
            everCaughtUp = true;
            caughtUpNanos = primaryLog.listedNanos();
        }
        tellProgress(batch.endsAwaited());
        forgetFiles();
        if (nothingNew) {
            loop.schedule(idle, this::step);
            Duration longer = idle.multipliedBy(2);
            idle = longer.compareTo(IDLE_MAX) < 0 ? longer : IDLE_MAX;
        } else {
            idle = IDLE_MIN;
            loop.execute(this::step);
        }
    }

    private void tellProgress(boolean endsAwaited) {
        long listEvery = primaryLog.listEvery().toNanos();
        boolean behind =
                !everCaughtUp
                        || loop.nanoTime() - caughtUpNanos > BEHIND_AFTER.toNanos() + listEvery;
        TailLag lag = primaryLog.lag();
        long unreadMicros = frontier.micros(primaryLog::unread, lag.notBegunMillis());
        progress.accept(
                new TailProgress(
                        primaryEvents,
                        badRecords + troubles.size(),
                        caughtUp && !endsAwaited,
                        behind,
                        behind ? unreadMicros : TailProgress.ALL_READ,
                        behind ? lag.live() : Optional.empty(),
                        everCaughtUp && primaryLog.inSight()
                                ? OptionalLong.of(
                                        caughtUpNanos + ALL_READ_FOR.toNanos() + listEvery)
                                : OptionalLong.empty(),
                        lag.bytes(),
                        lag.sinceMillis(),
                        lag.troubles(),
                        primaryLog.files()));
    }

    /** Positions of files that are gone would pile up otherwise, in memory and in the index. */
    private void forgetFiles() {
        if (loop.nanoTime() - forgotNanos < FORGET_EVERY.toNanos()) {
            return;
        }
        forgotNanos = loop.nanoTime();
        List<String> keys = primaryLog.forget(forgotNanos);
        if (!keys.isEmpty()) {
            index.forget(keys);
        }
    }

    /** Nothing was read, nothing is lost; lookups go on with what is indexed. */
    private void storeFailed(IOException e) {
        caughtUp = false;
        tellProgress(false);
        loop.schedule(outage.failed(e, loop.nanoTime()), this::step);
    }

    private void store(List<Item> items) {
        List<Event> events = new ArrayList<>(items.size());
        List<Item> bad = new ArrayList<>();
        int badPassed = 0;
        Map<Integer, Long> ends = new TreeMap<>();
        LogEvent newest = null;
        long read = 0;
        for (int i = 0; i < items.size(); i++) {
            Item item = items.get(i);
            LogEvent event = item.event();
            if (event != null) {
                if (share.holds(event.key())) {
                    events.add(event.toProto());
                }
                newest = event;
                read++;
            } else if (item.bad() != null && (passes(item) || troubles.add(Trouble.of(item)))) {
                bad.add(item);
                badPassed += passes(item) ? 1 : 0;
            }
            if (i + 1 == items.size() || items.get(i + 1).file() != item.file()) {
                // Once for what was read of a file in one go: not a box for each event.
                ends.merge(item.file(), item.endOffset(), Math::max);
                if (newest != null) {
                    frontier.read(item.file(), newest.id().micros());
                    newest = null;
                }
            }
        }
        if (!bad.isEmpty()) {
            writeDown(bad);
        }
        index.put(new IndexBatch(events, positions(ends), badPassed, primaryLog.latestMicros()));
        indexed.accept(events);
        primaryEvents += events.size();
        eventsRead.setRelease(eventsRead.getPlain() + read);
        badRecords += badPassed;
    }

    /** False: the rest of a file that cannot be read, which every life meets and reports anew. */
    private static boolean passes(Item bad) {
        return bad.endOffset() > bad.offset();
    }

    private List<FilePosition> positions(Map<Integer, Long> ends) {
        List<FilePosition> positions = new ArrayList<>(ends.size());
        ends.forEach((file, end) -> positions.add(primaryLog.position(file, end)));
        return positions;
    }

    /** A disk that does not take what must be durable stops the process. */
    private void writeDown(List<Item> bad) {
        try {
            badRecordLog.append(bad);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write the ledger of bad records", e);
        }
    }

    /** Where a file cannot be read on. */
    private record Trouble(String path, long offset) {
        static Trouble of(Item item) {
            return new Trouble(item.path(), item.offset());
        }
    }
}
