package photon.core.loop;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.PriorityQueue;

/**
 * A loop under a clock that the test moves. Tasks run in {@link #runUntilIdle} and {@link
 * #advance}, in the test's thread.
 */
public final class ManualLoop implements EventLoop {
    private final ArrayDeque<Runnable> ready = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private long nanos = 1_000_000_000L;
    private long timersMade;
    private boolean closed;

    @Override
    public void execute(Runnable task) {
        if (!closed) {
            ready.add(task);
        }
    }

    @Override
    public boolean offer(Runnable task) {
        execute(task);
        return true;
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        Timer timer = new Timer(nanos + Math.max(0, delay.toNanos()), timersMade++, task);
        if (!closed) {
            timers.add(timer);
        }
        return () -> timers.remove(timer);
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    /** Tasks that are ready to run. */
    public int queued() {
        return ready.size();
    }

    @Override
    public void checkInLoop() {}

    @Override
    public void close() {
        closed = true;
        ready.clear();
        timers.clear();
    }

    /** Runs what is ready, and what that makes ready, without moving the clock. */
    public void runUntilIdle() {
        while (true) {
            Runnable task = ready.poll();
            if (task == null) {
                Timer timer = timers.peek();
                if (timer == null || timer.due > nanos) {
                    return;
                }
                task = timers.remove().task;
            }
            task.run();
        }
    }

    /** Moves the clock, stopping at every timer on the way. */
    public void advance(Duration by) {
        long end = nanos + by.toNanos();
        runUntilIdle();
        while (!timers.isEmpty() && timers.peek().due <= end) {
            nanos = Math.max(nanos, timers.peek().due);
            runUntilIdle();
        }
        nanos = end;
        runUntilIdle();
    }

    private record Timer(long due, long number, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            int c = Long.compare(due, other.due);
            return c != 0 ? c : Long.compare(number, other.number);
        }
    }
}
