package photon.simulation.kernel;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * What happens when, in one simulated world. The same seed gives the same order of the same tasks.
 * Not thread-safe: a world is one thread.
 */
public final class Timeline {
    /** When a world begins: 2026-01-01T00:00:00Z. */
    public static final long START_MICROS = 1_767_225_600_000_000L;

    /**
     * A task that blocks runs the rest of the world within itself; the stack bounds how many do.
     */
    private static final int NESTED_MAX = 12;

    private final DueQueue queue = new DueQueue();
    private final SplittableRandom random;
    private final Trace trace;
    private long nowNanos;
    private long steps;
    private int nested;

    public Timeline(long seed, Trace trace) {
        this.random = new SplittableRandom(seed);
        this.trace = trace;
        trace.follow(this);
    }

    /** Simulated nanoseconds since the world began. */
    public long nowNanos() {
        return nowNanos;
    }

    /** The true time, microseconds since 1970 UTC, which no process knows. */
    public long nowMicros() {
        return START_MICROS + nowNanos / 1_000;
    }

    /** The world's only source of randomness; a part that draws on its own takes a split of it. */
    public SplittableRandom random() {
        return random;
    }

    public Trace trace() {
        return trace;
    }

    /** Tasks run so far. */
    public long steps() {
        return steps;
    }

    /**
     * Runs a task then; those of one moment run in the order of these calls.
     *
     * @param nanos in the past: as soon as possible
     */
    public void at(long nanos, Runnable task) {
        queue.add(Math.max(nanos, nowNanos), task);
    }

    public void after(Duration delay, Runnable task) {
        at(nowNanos + delay.toNanos(), task);
    }

    /**
     * Runs the next task.
     *
     * @return false if there is none
     */
    public boolean step() {
        if (queue.isEmpty()) {
            return false;
        }
        nowNanos = Math.max(nowNanos, queue.firstNanos());
        steps++;
        queue.remove().run();
        return true;
    }

    /**
     * Runs the next task if it is due until then; else sets the clock there.
     *
     * @return false if none was
     */
    public boolean stepUntil(long nanos) {
        if (!queue.isEmpty() && queue.firstNanos() <= nanos) {
            return step();
        }
        nowNanos = Math.max(nowNanos, nanos);
        return false;
    }

    /**
     * Runs all that is due until then. May be called from within a task, which so blocks while the
     * rest of the world goes on.
     */
    public void runUntil(long nanos) {
        check(nested <= NESTED_MAX, "Expected at most %s tasks to block at once", NESTED_MAX);
        nested++;
        try {
            while (!queue.isEmpty() && queue.firstNanos() <= nanos) {
                step();
            }
            nowNanos = Math.max(nowNanos, nanos);
        } finally {
            nested--;
        }
    }

    /** False where one more task cannot block. */
    boolean mayBlock() {
        return nested < NESTED_MAX;
    }
}
