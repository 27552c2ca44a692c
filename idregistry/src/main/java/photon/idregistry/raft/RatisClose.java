package photon.idregistry.raft;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a Ratis server in a bounded time. Ratis waits at its close for entries that may never
 * come, and its threads are no daemons.
 */
final class RatisClose {
    private static final Logger LOG = LoggerFactory.getLogger(RatisClose.class);
    private static final long TIMEOUT_MILLIS = 30_000;

    private RatisClose() {}

    /** Returns when everything has ended. */
    static void close(RaftServer running, String name) {
        CountDownLatch ended = new CountDownLatch(1);
        daemon(
                name + "-close",
                () -> {
                    closeServer(running, name);
                    ended.countDown();
                });
        await(ended, name);
    }

    /**
     * Returns when every group's files are closed. The server's network ends later, by itself:
     * Netty keeps its threads for two seconds in which somebody might still come.
     */
    static void closeFiles(RaftServer running, String name) {
        CountDownLatch filesClosed = new CountDownLatch(1);
        daemon(
                name + "-close",
                () -> {
                    closeGroups(running, name);
                    filesClosed.countDown();
                    closeServer(running, name);
                });
        await(filesClosed, name);
    }

    /** Side by side: each may wait for a second until its log has ended. */
    private static void closeGroups(RaftServer running, String name) {
        List<Thread> closing = new ArrayList<>();
        for (RaftGroupId group : running.getGroupIds()) {
            closing.add(daemon(name + "-close-group", () -> closeGroup(running, group)));
        }
        try {
            for (Thread each : closing) {
                each.join(TIMEOUT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeGroup(RaftServer running, RaftGroupId group) {
        try {
            running.getDivision(group).close();
        } catch (IOException | RuntimeException e) {
            LOG.warn("Closing the files of {}", group, e);
        }
    }

    private static void closeServer(RaftServer running, String name) {
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

    private static void await(CountDownLatch ended, String name) {
        try {
            if (ended.await(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
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
