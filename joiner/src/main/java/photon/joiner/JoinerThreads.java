package photon.joiner;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import photon.core.error.BugHandler;
import photon.core.loop.EventLoop;
import photon.core.loop.ThreadLoop;
import photon.joiner.task.AdapterThreads;

/**
 * Every thread and queue of a joiner, with its bound. Nothing else in this module starts a thread.
 */
final class JoinerThreads {
    private static final int OFFERS_MAX = 4_096;

    /**
     * Owns all state but the files. Its queue is bounded by admission and by the network's flow.
     */
    final EventLoop main;

    /** Owns the work directory. Its queue is bounded by the cap on outstanding ids. */
    final EventLoop output;

    /** User code, may block. */
    final AdapterThreads adapters;

    private final ThreadPoolExecutor pool;

    JoinerThreads(JoinerSettings settings, BugHandler bugs) {
        main = new ThreadLoop(settings.slotName() + "-main", OFFERS_MAX, bugs);
        output = new ThreadLoop(settings.slotName() + "-output", OFFERS_MAX, bugs);
        AtomicInteger made = new AtomicInteger();
        String adapterName = settings.slotName() + "-adapter-";
        pool =
                new ThreadPoolExecutor(
                        settings.adapterThreads(),
                        settings.adapterThreads(),
                        10,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(settings.limits().joinerEventsMax()),
                        task -> {
                            Thread thread = new Thread(task, adapterName + made.incrementAndGet());
                            thread.setDaemon(true);
                            return thread;
                        });
        pool.allowCoreThreadTimeOut(true);
        adapters = new OfPool(pool, settings.adapterThreads());
    }

    /** Resized in the main loop only. */
    private record OfPool(ThreadPoolExecutor pool, int threads) implements AdapterThreads {
        @Override
        public void execute(Runnable task) {
            pool.execute(task);
        }

        @Override
        public int replaceOne() {
            pool.setMaximumPoolSize(pool.getMaximumPoolSize() + 1);
            pool.setCorePoolSize(pool.getMaximumPoolSize());
            return pool.getMaximumPoolSize() - threads;
        }

        @Override
        public void dropOne() {
            pool.setCorePoolSize(pool.getCorePoolSize() - 1);
            pool.setMaximumPoolSize(pool.getCorePoolSize());
        }
    }

    /** What still runs of a user's adapter is interrupted and not waited for. */
    void close() {
        List<Runnable> unused = pool.shutdownNow();
        main.close();
        output.close();
    }
}
