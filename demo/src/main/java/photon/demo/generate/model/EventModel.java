package photon.demo.generate.model;

import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which record is logged next, and when. The same shape and the same stamps give the same
 * records. Not thread-safe.
 *
 * <p>Its time is that of the generated world. {@link #dueMicros} is when something happens next,
 * and {@link #step} lets it happen; ids get the time that {@code step} is told, which in a live run
 * is the wall clock's.
 *
 * <p>That a click is joinable is known by construction: it is logged after its primary event, or
 * that is held back and comes, at the latest from {@link #end}.
 */
public final class EventModel {
    private final LoadShape shape;
    private final Dice dice;
    private final PoissonArrivals arrivals;
    private final LoggingProcess[] primaries;
    private final LoggingProcess[] foreigns;
    private final double delayMedianMicros;
    private final double clicksExp;
    private final double orphansExp;
    private final PriorityQueue<Pending> pending = new PriorityQueue<>();
    private final Set<Long> held = new HashSet<>(); // only asked for single ones, never walked
    private long nextArrival;
    private long pendingMade;
    private long events;

    /**
     * Something that will be logged.
     *
     * @param record a click has neither process nor timestamp yet
     * @param held a primary event that waits for a click on it
     */
    private record Pending(long dueMicros, long number, LogRecord record, boolean held)
            implements Comparable<Pending> {
        @Override
        public int compareTo(Pending other) {
            int c = Long.compare(dueMicros, other.dueMicros);
            return c != 0 ? c : Long.compare(number, other.number);
        }
    }

    /**
     * @param startMicros when the generated world begins
     */
    public EventModel(LoadShape shape, long startMicros) {
        this.shape = shape;
        this.dice = new Dice(shape.seed());
        Dice clocks = dice.split();
        this.primaries =
                LoggingProcess.of(
                        LogStream.PRIMARY,
                        shape.processes(),
                        shape.primaryClockOffsetMax(),
                        clocks);
        this.foreigns =
                LoggingProcess.of(
                        LogStream.FOREIGN,
                        shape.processes(),
                        shape.foreignClockOffsetMax(),
                        clocks);
        this.delayMedianMicros = shape.clickDelayMedian().toNanos() / 1e3;
        double clicks = shape.clicksPerPrimary();
        this.clicksExp = StrictMath.exp(-clicks * (1 - shape.orphanShare()));
        this.orphansExp = StrictMath.exp(-clicks * shape.orphanShare());
        this.arrivals =
                new PoissonArrivals(
                        dice.split(),
                        shape.eventsPerSecond() / (1 + clicks),
                        shape.swing(),
                        startMicros);
        this.nextArrival = arrivals.next();
    }

    /** By index. */
    public LoggingProcess process(LogStream stream, int index) {
        return stream == LogStream.PRIMARY ? primaries[index] : foreigns[index];
    }

    /** When something happens next. */
    public long dueMicros() {
        Pending first = pending.peek();
        return first == null ? nextArrival : Math.min(nextArrival, first.dueMicros());
    }

    /** Distinct events so far, those held back among them. */
    public long events() {
        return events;
    }

    /**
     * Lets the next thing happen.
     *
     * @param trueMicros the time that it gets
     * @return what is logged; null: a primary event happened that is logged later
     */
    public @Nullable LogRecord step(long trueMicros) {
        Pending first = pending.peek();
        if (first == null || nextArrival <= first.dueMicros()) {
            return arrive(trueMicros);
        }
        pending.remove();
        LogRecord record = first.record();
        if (first.held()) {
            held.remove(heldKey(record.process(), record.micros()));
        } else if (record.process() < 0) {
            events++;
            record = stamped(record, trueMicros);
        }
        return logged(record, first.dueMicros());
    }

    /** Ends the world: the primary events that were not logged yet are logged now, in order. */
    public List<LogRecord> end() {
        List<LogRecord> last =
                pending.stream().filter(Pending::held).sorted().map(Pending::record).toList();
        pending.clear();
        held.clear();
        return last;
    }

    /** True for a primary event that happened and was not logged yet, but will be. */
    public boolean isHeldBack(int process, long micros) {
        return !held.isEmpty() && held.contains(heldKey(process, micros));
    }

    private static long heldKey(int process, long micros) {
        return micros * LoadShape.PROCESSES_MAX + process;
    }

    private @Nullable LogRecord arrive(long trueMicros) {
        long now = nextArrival;
        nextArrival = arrivals.next();
        events++;
        int process = dice.below(primaries.length);
        long micros = primaries[process].micros(trueMicros);
        LogRecord primary = LogRecord.primary(process, micros, dice.bits());
        int clicks = dice.poisson(clicksExp);
        boolean early = dice.chance(shape.earlyShare());
        if (early) {
            held.add(heldKey(process, micros));
            long hold = delay();
            later(now + (long) (hold * dice.unit()), click(primary, false), false);
            later(now + hold, primary, true);
            clicks--;
        }
        for (int i = 0; i < clicks; i++) {
            later(now + delay(), click(primary, false), false);
        }
        for (int i = dice.poisson(orphansExp); i > 0; i--) {
            // The primary event happened, so its id is nobody else's; but no log has it.
            int lost = dice.below(primaries.length);
            LogRecord never = LogRecord.primary(lost, primaries[lost].micros(trueMicros), 0);
            later(now + delay(), click(never, true), false);
        }
        return early ? null : logged(primary, now);
    }

    private LogRecord logged(LogRecord record, long dueMicros) {
        if (!record.repeat() && dice.chance(shape.repeatShare())) {
            later(dueMicros + delay(), record.repeated(), false);
        }
        return record;
    }

    private LogRecord click(LogRecord primary, boolean orphan) {
        return new LogRecord(
                LogStream.FOREIGN,
                -1,
                -1,
                primary.process(),
                primary.micros(),
                dice.bits(),
                orphan,
                false);
    }

    private LogRecord stamped(LogRecord click, long trueMicros) {
        int process = dice.below(foreigns.length);
        return new LogRecord(
                LogStream.FOREIGN,
                process,
                foreigns[process].micros(trueMicros),
                click.primaryProcess(),
                click.primaryMicros(),
                click.content(),
                click.orphan(),
                false);
    }

    private void later(long dueMicros, LogRecord record, boolean held) {
        pending.add(new Pending(dueMicros, pendingMade++, record, held));
    }

    private long delay() {
        double factor = StrictMath.exp(shape.clickDelaySpread() * dice.gaussian());
        return (long)
                Math.min(delayMedianMicros * factor, LoadShape.DELAY_MAX.toSeconds() * 1_000_000.0);
    }
}
