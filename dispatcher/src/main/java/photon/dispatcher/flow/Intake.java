package photon.dispatcher.flow;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import photon.core.event.LogEvent;
import photon.core.loop.EventLoop;
import photon.core.loop.UnansweredCalls;
import photon.core.time.IntervalClock;
import photon.dispatcher.rules.Frontier;
import photon.dispatcher.rules.FrontierGate;
import photon.dispatcher.rules.IntakeRoom;
import photon.dispatcher.rules.OffsetTracker;
import photon.dispatcher.rules.Stagger;
import photon.storage.tail.TailBatch;
import photon.storage.tail.rules.BacklogShare;

/**
 * Takes in what the tail reads, as far as there is room, and knows how far each file is done.
 * Events of files that are read live go before those of files with a backlog, which have their
 * share. Main loop.
 */
final class Intake {
    /** Records a poll; two polls' worth may wait for their way on. */
    static final int POLL_RECORDS_MAX = 2_048;

    /** What is logged meanwhile goes the rest of its way in one message a hop. */
    private static final Duration IDLE_MIN = Duration.ofMillis(30);

    private static final Duration IDLE_MAX = Duration.ofMillis(200);

    private final LogReader reader;
    private final EventLoop loop;
    private final RowClock clock;
    private final IntervalClock wallClock;
    private final Stagger stagger;
    private final Settler settler;
    private final Counters counters;
    private final Runnable wake;
    private final IntakeRoom.Bounds bounds;
    private final IntakeQueue live = new IntakeQueue();
    private final IntakeQueue backlog = new IntakeQueue();
    private final BacklogShare share;

    /** Of a backlog's events: a quarter of the way is left to those that are read live. */
    private final int backlogOnTheirWayMax;

    /**
     * Files that had a backlog when they were read last and have events on their way, by number.
     */
    private final Set<Integer> backlogged = new HashSet<>();

    private final UnnamedFiles unnamed = new UnnamedFiles();
    private final Map<Integer, OffsetTracker> files = new HashMap<>();
    private final Map<Integer, Long> stored = new HashMap<>();
    private final UnansweredCalls reads = new UnansweredCalls();
    private Duration idle = IDLE_MIN;
    private long ranges;

    /** When the last poll ended, Unix milliseconds. */
    private long polledMillis;

    private boolean polling;

    /** Counts polls that were asked for: a pause ends with the poll that comes after it. */
    private long asked;

    /** There was no room for what waits in files with a backlog, and nothing else to be read. */
    private boolean roomAwaited;

    private boolean stopped;

    Intake(
            LogReader reader,
            EventLoop loop,
            RowClock clock,
            FlowSettings settings,
            Settler settler,
            Counters counters,
            Runnable wake) {
        this.reader = reader;
        this.loop = loop;
        this.clock = clock;
        this.wallClock = settings.clock();
        this.stagger = settings.stagger();
        this.settler = settler;
        this.counters = counters;
        this.bounds =
                new IntakeRoom.Bounds(
                        POLL_RECORDS_MAX,
                        Math.min(POLL_RECORDS_MAX, Math.max(1, settings.heldEventsMax() / 4)),
                        settings.heldEventsMax(),
                        settings.heldBytesMax(),
                        settings.liveBytesMax(),
                        settings.rangesMax());
        this.share = new BacklogShare(reader.backlogPercent());
        int onTheirWayMax = settings.liveInFlightMax();
        this.backlogOnTheirWayMax = onTheirWayMax - onTheirWayMax / 4;
        this.wake = wake;
    }

    /** Asks the tail for more if there is room for what may come. */
    void poll() {
        if (stopped || (polling && !roomAwaited)) {
            return;
        }
        backlogged.removeIf(number -> rangesOf(number) == 0);
        long ofBacklog = 0;
        for (int number : backlogged) {
            ofBacklog += rangesOf(number);
        }
        IntakeRoom room =
                IntakeRoom.of(bounds, live.load(ranges - ofBacklog), backlog.load(ofBacklog));
        if (room.records() == 0) {
            counters.noRoomSinceMillis = polledMillis;
        }
        if (room.records() == 0 || (roomAwaited && room.ofBacklog() == 0)) {
            return;
        }
        polling = true;
        roomAwaited = false;
        asked++;
        UnansweredCalls.Call call = reads.sent(1, loop.nanoTime());
        reader.poll(
                room.records(),
                room.ofBacklog(),
                polled -> {
                    call.answered();
                    polled(polled, room.ofBacklog() == 0);
                },
                this::unanswered);
    }

    private long rangesOf(int number) {
        OffsetTracker file = files.get(number);
        return file == null ? 0 : file.ranges();
    }

    /** What cannot be listed or read is not known to be read. */
    private void unanswered() {
        if (counters.caughtUp) {
            counters.caughtUp = false;
            wake.run();
        }
    }

    /**
     * @param withoutBacklog nothing was asked for of files with a backlog
     */
    private void polled(LogReader.Polled polled, boolean withoutBacklog) {
        if (stopped) {
            return;
        }
        counters.lag = polled.lag();
        TailBatch.Backlog backlogNow = polled.batch().backlog();
        boolean besideABacklog = backlogNow.waits() || !backlogNow.files().isEmpty();
        live.gated.waitMax(
                besideABacklog ? FrontierGate.WAIT_MAX_BESIDE_A_BACKLOG : FrontierGate.WAIT_MAX);
        counters.polls++;
        // Only a poll that lists the files can tell; one between two listings that reads nothing
        // new changes nothing about it.
        boolean nothingRead = polled.batch().items().isEmpty() && !polled.batch().more();
        counters.caughtUp =
                !polled.batch().endsAwaited()
                        && polled.batch().stall().isEmpty()
                        && (polled.batch().caughtUp()
                                || (counters.caughtUp && nothingRead && !backlogNow.waits()));
        long nowMicros = middle(wallClock.now());
        polledMillis = TimeUnit.MICROSECONDS.toMillis(nowMicros);
        counters.noRoomSinceMillis = 0;
        Read read = new Read(nowMicros, loop.nanoTime(), clock.millis());
        for (TailBatch.Item item : polled.batch().items()) {
            takeIn(item, backlogNow.files().contains(item.file()), read);
        }
        if (nothingRead) {
            long pausedAfter = asked;
            loop.schedule(idle, () -> pollAgain(pausedAfter));
            roomAwaited = withoutBacklog && backlogNow.waits();
            Duration longer = idle.multipliedBy(2);
            idle = longer.compareTo(IDLE_MAX) > 0 ? IDLE_MAX : longer;
        } else {
            idle = IDLE_MIN;
            polling = false;
        }
        wake.run();
    }

    private void pollAgain(long pausedAfter) {
        if (pausedAfter != asked) {
            return; // there was room, and a poll, before the pause was over
        }
        polling = false;
        roomAwaited = false;
        wake.run();
    }

    /** For measuring alone: nothing is decided by it. */
    private static long middle(IntervalClock.Interval now) {
        return now.earliestMicros() + (now.latestMicros() - now.earliestMicros()) / 2;
    }

    /** When a batch was read: by the wall clock, the loop's and the rows'. */
    private record Read(long nowMicros, long nanoTime, long rowsMillis) {}

    private void takeIn(TailBatch.Item item, boolean ofBacklog, Read read) {
        if (ofBacklog) {
            backlogged.add(item.file());
        } else {
            backlogged.remove(item.file());
        }
        OffsetTracker file = files.computeIfAbsent(item.file(), f -> new OffsetTracker());
        LogEvent event = item.event();
        TailBatch.BadRecord bad = item.bad();
        if (event == null && bad == null) {
            file.skipped(item.offset(), item.endOffset());
            return;
        }
        OffsetTracker.ReadRange range = file.read(item.offset(), item.endOffset());
        ranges++;
        if (bad != null) {
            counters.badRecords++;
            settler.bad(item, bad, () -> done(range));
            return;
        }
        if (event != null) {
            counters.newEvent(read.nanoTime());
            PendingEvent pending = PendingEvent.read(item, event, range, read.rowsMillis());
            pending.ofBacklog = ofBacklog;
            queueOf(pending).weight += event.weight();
            queueOf(pending).unnamed++;
            pending.read(read.nowMicros() - event.id().micros(), read.nanoTime());
            unnamed.add(item.file(), pending, this::toGate);
        }
    }

    private IntakeQueue queueOf(PendingEvent pending) {
        return pending.ofBacklog ? backlog : live;
    }

    /** There are events that wait for a checkpoint that names their file. */
    boolean waitsForCheckpoint() {
        return unnamed.size() > 0;
    }

    /** A checkpoint that names these files is durable. */
    void named(Collection<Integer> numbers) {
        unnamed.named(numbers, this::toGate);
    }

    private void toGate(PendingEvent pending) {
        IntakeQueue queue = queueOf(pending);
        queue.unnamed--;
        queue.gated.add(pending, loop.nanoTime(), this::add);
    }

    private void add(PendingEvent pending) {
        Duration delay = stagger.delayOf(pending.event.id());
        IntakeQueue queue = queueOf(pending);
        if (delay.isZero()) {
            queue.ready.add(pending);
        } else {
            queue.weight -= pending.event.weight();
            queue.hold.add(pending, loop.nanoTime() + delay.toNanos());
        }
    }

    /** How far the event stores have read by now. */
    void heard(Frontier frontier) {
        live.gated.heard(frontier);
        backlog.gated.heard(frontier);
        wake.run();
    }

    /** Sends on what waits for the event store no longer. */
    void release() {
        live.gated.release(loop.nanoTime(), this::add);
        backlog.gated.release(loop.nanoTime(), this::add);
    }

    /** Events that wait for another datacenter wait no longer. */
    void releaseHeld() {
        live.hold.release();
        backlog.hold.release();
    }

    /** The next event whose turn it is; null if there is none. */
    @Nullable PendingEvent next() {
        long nanoTime = loop.nanoTime(); // once: it is asked for each event
        long liveNanos = holdNanos(live, nanoTime);
        long backlogNanos = holdNanos(backlog, nanoTime);
        boolean backlogHasNext =
                backlog.onTheirWay < backlogOnTheirWayMax && backlog.hasNext(backlogNanos);
        if (!backlogHasNext) {
            return live.next(liveNanos);
        }
        boolean itsTurn = !live.hasNext(liveNanos) || share.ofNext(1) > 0;
        return itsTurn ? backlog.next(backlogNanos) : live.next(liveNanos);
    }

    /** The clock by which held events wait: it is slow while what is read is behind. */
    private long holdNanos(IntakeQueue queue, long nanoTime) {
        long lagBytes = counters.lag.bytes() - (queue == live ? counters.lag.backlogBytes() : 0);
        Duration longer =
                stagger.longerInABacklog(
                        lagBytes, live.hold.size() + backlog.hold.size(), bounds.heldMax());
        return nanoTime - longer.toNanos();
    }

    /** An event that {@link #next} gave is joined, or durable elsewhere. */
    void done(PendingEvent pending, OffsetTracker.ReadRange range) {
        queueOf(pending).done(pending);
        done(range);
    }

    private void done(OffsetTracker.ReadRange range) {
        ranges -= range.finish();
    }

    /** Offsets that moved since they were last asked for. */
    Map<Integer, Long> movedOffsets() {
        Map<Integer, Long> moved = new HashMap<>();
        files.forEach(
                (number, file) -> {
                    long offset = file.finishedTo();
                    if (offset >= 0 && offset != stored.getOrDefault(number, -1L)) {
                        moved.put(number, offset);
                    }
                });
        stored.putAll(moved);
        return moved;
    }

    /** Nothing more comes of these files, and all that came is done. */
    void retired(List<Integer> numbers) {
        numbers.forEach(files::remove);
        numbers.forEach(stored::remove);
        numbers.forEach(backlogged::remove);
        unnamed.retired(numbers);
    }

    /**
     * Reads no more and lets go of what has not begun its way: it is read again in another life.
     */
    void stop() {
        stopped = true;
        unnamed.clear();
        live.clear();
        backlog.clear();
    }

    /** When the read began that has not ended; empty: none is under way. */
    OptionalLong readingNanos() {
        return reads.oldestNanos();
    }

    int gated() {
        return live.gated.size() + backlog.gated.size();
    }

    int held() {
        return live.hold.size() + backlog.hold.size();
    }

    int ready() {
        return live.ready.size() + backlog.ready.size() + unnamed.size();
    }

    /** How long until the first held event's turn; -1 if none is held. */
    long holdNanos() {
        long ofBacklog =
                backlog.onTheirWay < backlogOnTheirWayMax
                        ? backlog.hold.waitNanos(holdNanos(backlog, loop.nanoTime()))
                        : -1;
        return sooner(live.hold.waitNanos(holdNanos(live, loop.nanoTime())), ofBacklog);
    }

    /** How long until an event goes on that the event store is waited for; -1 if none is. */
    long gateNanos() {
        long nanoTime = loop.nanoTime();
        return sooner(live.gated.waitNanos(nanoTime), backlog.gated.waitNanos(nanoTime));
    }

    /** The shorter of two times; -1 is none. */
    static long sooner(long nanos, long others) {
        return nanos < 0 || others < 0 ? Math.max(nanos, others) : Math.min(nanos, others);
    }
}
