package photon.core.loop;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Runs tasks one after another, in the order in which they were handed over. {@link #offer}, {@link
 * #execute} and {@link #schedule} may be called from anywhere.
 */
public interface EventLoop extends Executor {
    /**
     * Runs a task that continues work in flight (an answer, a completion): never refused while the
     * loop lives, since the work it continues was admitted and counted before. After {@link #close}
     * it is dropped.
     */
    @Override
    void execute(Runnable task);

    /**
     * Hands over new work on arrival.
     *
     * @return false if the queue is full: the caller answers RESOURCE_EXHAUSTED
     */
    boolean offer(Runnable task);

    /** Runs a task once, no sooner than the delay. */
    Cancellable schedule(Duration delay, Runnable task);

    /** Monotonic nanoseconds, only to be subtracted. */
    long nanoTime();

    /**
     * @throws photon.core.error.BugException if the caller does not run in this loop
     */
    void checkInLoop();

    /**
     * What the loop does not run any more is dropped; waits for the running task unless called from
     * it.
     */
    void close();

    /** A scheduled task. */
    interface Cancellable {
        /** Safe to call twice, and after the task has run. */
        void cancel();
    }
}
