package photon.idregistry.raft;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a Ratis server in a bounded time, once. Ratis waits at its close for entries that may
 * never come, its threads are no daemons, and a second call of its close does not wait for the
 * first. Thread-safe.
 */
final class RatisClose {
    private static final Logger LOG = LoggerFactory.getLogger(RatisClose.class);
    private static final long TIMEOUT_MILLIS = 30_000;

    private final RaftServer running;
    private final String name;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch filesClosed = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    RatisClose(RaftServer running, String name) {
        this.running = running;
        this.name = name;
    }

    /** Returns when everything has ended. */
    void close() {
        begin(false);
        await(ended);
    }

    /**
     * Returns when every group's files are closed. The server's network ends later, by itself:
     * Netty keeps its threads for two seconds in which somebody might still come. {@link #close}
     * waits for that.
     */
    void closeFiles() {
        begin(true);
        await(filesClosed);
    }

    private void begin(boolean filesFirst) {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        daemon(
                name + "-close",
                () -> {
                    if (filesFirst) {
                        closeGroups();
                        filesClosed.countDown();
                    }
                    closeServer();
                    filesClosed.countDown();
                    ended.countDown();
                });
    }

    /** Side by side: each may wait for a second until its log has ended. */
    private void closeGroups() {
        List<Thread> closing = new ArrayList<>();
        for (RaftGroupId group : running.getGroupIds()) {
            closing.add(daemon(name + "-close-group", () -> closeGroup(group)));
        }
        try {
            for (Thread each : closing) {
                each.join(TIMEOUT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeGroup(RaftGroupId group) {
        try {
            running.getDivision(group).close();
        } catch (IOException | RuntimeException e) {
            LOG.warn("Closing the files of {}", group, e);
        }
    }

    private void closeServer() {
        try {
            running.close();
        } catch (IOException | RuntimeException e) {
            LOG.warn("Closing the Raft server of {}", name, e);
        }
    }

    private static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void await(CountDownLatch awaited) {
        try {
            if (awaited.await(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        LOG.error(
                "The Raft server of {} has not closed within {} ms: end the process",
                name,
                TIMEOUT_MILLIS);
    }
}
