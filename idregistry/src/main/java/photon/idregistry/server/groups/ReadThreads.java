package photon.idregistry.server.groups;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.BugHandler;

/** Threads that read replicas' states for clients: some, since old ids are read from disk. */
public final class ReadThreads implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReadThreads.class);
    private static final int THREADS_MAX = 4;
    private static final long CLOSE_TIMEOUT_SECONDS = 60;

    private final String name;
    private final BugHandler bugs;
    private final ThreadPoolExecutor threads;

    /**
     * @param bugs told of a task that throws
     */
    public ReadThreads(String name, BugHandler bugs) {
        this.name = name;
        this.bugs = bugs;
        AtomicInteger made = new AtomicInteger();
        int count = Math.min(THREADS_MAX, Runtime.getRuntime().availableProcessors());
        this.threads =
                new ThreadPoolExecutor(
                        count,
                        count,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        task -> {
                            Thread thread = new Thread(task, name + "-" + made.getAndIncrement());
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** Does it in one of the threads; not at all once closed. */
    @Override
    public void execute(Runnable task) {
        try {
            threads.execute(() -> run(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("{} is closed, and reads no more", name);
        }
    }

    /** True once nothing more is taken. */
    boolean isClosed() {
        return threads.isShutdown();
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable bug) {
            bugs.onBug(name, bug);
        }
    }

    /**
     * Returns when no task runs any more, or after a minute; those that wait are dropped. None is
     * interrupted: that would close the file under all who read it.
     */
    @Override
    public void close() {
        threads.shutdown();
        threads.getQueue().clear();
        boolean interrupted = false;
        while (true) {
            try {
                if (!threads.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                    LOG.error(
                            "A read of {} has not ended within {} s", name, CLOSE_TIMEOUT_SECONDS);
                }
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
