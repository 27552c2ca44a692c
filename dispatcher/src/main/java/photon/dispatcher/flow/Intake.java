package photon.dispatcher.flow;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import photon.core.event.LogEvent;
import photon.core.loop.EventLoop;
import photon.core.loop.UnansweredCalls;
import photon.core.time.IntervalClock;
import photon.dispatcher.rules.OffsetTracker;
import photon.dispatcher.rules.Stagger;
import photon.storage.tail.TailBatch;

/**
 * Takes in what the tail reads, as far as there is room, and knows how far each file is done. Main
 * loop.
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
    private final int rangesMax;
    private final long weightMax;

    /** Fewer are not asked for: a poll costs the same however little it reads. */
    private final int pollMin;

    private final int heldEventsMax;
    private final HoldQueue hold;
    private final UnnamedFiles unnamed = new UnnamedFiles();
    private final GatedEvents gated = new GatedEvents();
    private final ArrayDeque<PendingEvent> ready = new ArrayDeque<>();
    private final Map<Integer, OffsetTracker> files = new HashMap<>();
    private final Map<Integer, Long> stored = new HashMap<>();
    private final UnansweredCalls reads = new UnansweredCalls();
    private Duration idle = IDLE_MIN;
    private long ranges;

    /** Of events that were read, but for those that are held. */
    private long weight;

    private boolean polling;
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
        this.heldEventsMax = settings.heldEventsMax();
        this.hold = new HoldQueue(heldEventsMax);
        this.pollMin = Math.min(POLL_RECORDS_MAX, Math.max(1, heldEventsMax / 4));
        this.rangesMax = settings.rangesMax();
        this.weightMax = settings.liveBytesMax();
        this.wake = wake;
    }

    /** Asks the tail for more if there is room for what may come. */
    void poll() {
        int waiting = unnamed.size() + gated.size();
        int room = Math.min(hold.room() - waiting, POLL_RECORDS_MAX);
        boolean full =
                room < pollMin
                        || weight >= weightMax
                        || ready.size() + waiting > POLL_RECORDS_MAX
                        || ranges + room > rangesMax;
        if (polling || stopped || full) {
            return;
        }
        polling = true;
        UnansweredCalls.Call call = reads.sent(1, loop.nanoTime());
        reader.poll(
                room,
                polled -> {
                    call.answered();
                    polled(polled);
                },
                this::unanswered);
    }

    /** What cannot be listed or read is not known to be read. */
    private void unanswered() {
        if (counters.caughtUp) {
            counters.caughtUp = false;
            wake.run();
        }
    }

    private void polled(LogReader.Polled polled) {
        if (stopped) {
            return;
        }
        counters.lagBytes = polled.lagBytes();
        counters.polls++;
        // Only a poll that lists the files can tell; one between two listings that reads nothing
        // new changes nothing about it.
        boolean nothingRead = polled.batch().items().isEmpty() && !polled.batch().more();
        counters.caughtUp =
                !polled.batch().endsAwaited()
                        && polled.batch().stall().isEmpty()
                        && (polled.batch().caughtUp() || (counters.caughtUp && nothingRead));
        long nowMicros = middle(wallClock.now());
        long nanoTime = loop.nanoTime();
        for (TailBatch.Item item : polled.batch().items()) {
            takeIn(item, nowMicros, nanoTime);
        }
        if (nothingRead) {
            loop.schedule(idle, this::pollAgain);
            Duration longer = idle.multipliedBy(2);
            idle = longer.compareTo(IDLE_MAX) > 0 ? IDLE_MAX : longer;
        } else {
            idle = IDLE_MIN;
            polling = false;
        }
        wake.run();
    }

    private void pollAgain() {
        polling = false;
        wake.run();
    }

    /** For measuring alone: nothing is decided by it. */
    private static long middle(IntervalClock.Interval now) {
        return now.earliestMicros() + (now.latestMicros() - now.earliestMicros()) / 2;
    }

    private void takeIn(TailBatch.Item item, long nowMicros, long nanoTime) {
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
            counters.newEvent(nanoTime);
            weight += event.weight();
            PendingEvent pending = PendingEvent.read(item, event, range, clock.millis());
            pending.read(nowMicros - event.id().micros(), nanoTime);
            unnamed.add(item.file(), pending, this::toGate);
        }
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
        gated.add(pending, loop.nanoTime(), this::add);
    }

    private void add(PendingEvent pending) {
        Duration delay = stagger.delayOf(pending.event.id());
        if (delay.isZero()) {
            ready.add(pending);
        } else {
            weight -= pending.event.weight();
            hold.add(pending, loop.nanoTime() + delay.toNanos());
        }
    }

    /** What the event store has read by now; see {@link GatedEvents#unreadFrom}. */
    void unreadFrom(long micros) {
        gated.unreadFrom(micros);
    }

    /** Sends on what waits for the event store no longer. */
    void release() {
        gated.release(loop.nanoTime(), this::add);
    }

    /** Events that wait for another datacenter wait no longer. */
    void releaseHeld() {
        hold.release();
    }

    /** The next event whose turn it is; null if there is none. */
    @Nullable PendingEvent next() {
        PendingEvent held = hold.poll(loop.nanoTime() - longerNanos());
        if (held != null) {
            weight += held.event.weight();
            return held;
        }
        return ready.poll();
    }

    private long longerNanos() {
        return stagger.longerInABacklog(counters.lagBytes, hold.size(), heldEventsMax).toNanos();
    }

    /** An event that {@link #next} gave is joined, or durable elsewhere. */
    void done(PendingEvent pending, OffsetTracker.ReadRange range) {
        weight -= pending.event.weight();
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
        unnamed.retired(numbers);
    }

    /**
     * Reads no more and lets go of what has not begun its way: it is read again in another life.
     */
    void stop() {
        stopped = true;
        unnamed.clear();
        gated.clear();
        hold.clear();
        ready.clear();
    }

    /** When the read began that has not ended; empty: none is under way. */
    OptionalLong readingNanos() {
        return reads.oldestNanos();
    }

    int gated() {
        return gated.size();
    }

    int held() {
        return hold.size();
    }

    int ready() {
        return ready.size() + unnamed.size();
    }

    /** How long until the first held event's turn; -1 if none is held. */
    long holdNanos() {
        return hold.waitNanos(loop.nanoTime() - longerNanos());
    }

    /** How long until an event goes on that the event store is waited for; -1 if none is. */
    long gateNanos() {
        return gated.waitNanos(loop.nanoTime());
    }
}
