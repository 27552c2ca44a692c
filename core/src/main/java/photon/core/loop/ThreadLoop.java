package photon.core.loop;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import photon.core.error.BugHandler;

/** A loop that is a thread. A task that throws is a bug and goes to the {@link BugHandler}. */
public final class ThreadLoop implements EventLoop {
    private final String name;
    private final int offersMax;
    private final BugHandler bugs;
    private final ScheduledThreadPoolExecutor executor;
    private final AtomicInteger offersWaiting = new AtomicInteger();
    private volatile Thread thread = Thread.currentThread();

    /**
     * @param offersMax how many tasks that came by {@link #offer} may wait
     */
    public ThreadLoop(String name, int offersMax, BugHandler bugs) {
        this.name = name;
        this.offersMax = offersMax;
        this.bugs = bugs;
        this.executor =
                new ScheduledThreadPoolExecutor(
                        1,
                        task -> {
                            Thread made = new Thread(task, name);
                            made.setDaemon(true);
                            thread = made;
                            return made;
                        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setRejectedExecutionHandler((task, closed) -> {});
        executor.prestartCoreThread();
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(guarded(task));
    }

    @Override
    public boolean offer(Runnable task) {
        if (offersWaiting.incrementAndGet() > offersMax) {
            offersWaiting.decrementAndGet();
            return false;
        }
        executor.execute(
                guarded(
                        () -> {
                            offersWaiting.decrementAndGet();
                            task.run();
                        }));
        return true;
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        ScheduledFuture<?> scheduled =
                executor.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable bug) {
                bugs.onBug(name, bug);
            }
        };
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void checkInLoop() {
        check(
                Thread.currentThread() == thread,
                "Expected to run in loop %s, but ran in %s",
                name,
                Thread.currentThread().getName());
    }

    @Override
    public void close() {
        executor.shutdownNow();
        if (Thread.currentThread() != thread) {
            boolean interrupted = false;
            while (true) {
                try {
                    check(
                            executor.awaitTermination(1, TimeUnit.MINUTES),
                            "Expected loop %s to end within a minute",
                            name);
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
