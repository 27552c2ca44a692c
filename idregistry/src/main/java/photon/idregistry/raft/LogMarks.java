package photon.idregistry.raft;

import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Raises the {@link LogMark}s of a server's replicas each second, in a thread of its own: a disk
 * that is busy holds up nobody else. Thread-safe.
 */
final class LogMarks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogMarks.class);
    private static final long EVERY_MILLIS = 1_000;
    private static final long CLOSE_TIMEOUT_SECONDS = 2;

    private final Supplier<Collection<Replica>> replicas;
    private final ScheduledExecutorService thread;

    /** Of the thread: a failure is told once. */
    private boolean failing;

    LogMarks(String node, Supplier<Collection<Replica>> replicas) {
        this.replicas = replicas;
        this.thread =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread made = new Thread(task, node + "-marks");
                            made.setDaemon(true);
                            return made;
                        });
    }

    void start() {
        var unused =
                thread.scheduleWithFixedDelay(
                        this::raiseAll, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void raiseAll() {
        boolean failed = false;
        for (Replica replica : replicas.get()) {
            try {
                replica.raiseMark();
            } catch (IOException | RuntimeException e) {
                // A mark that is too low sees less; a replica that ends has others to tell it.
                failed = true;
                if (!failing) {
                    LOG.warn("The mark of {} stays where it was", replica.carrier(), e);
                }
            }
        }
        failing = failed;
    }

    /** Raises them once more: the replicas must not have been closed. */
    @Override
    public void close() {
        if (thread.isShutdown()) {
            return;
        }
        thread.execute(this::raiseAll);
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                LOG.info("The marks of the logs are not as high as they could be");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
