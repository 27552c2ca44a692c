package photon.idregistry.raft;

import java.io.IOException;
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

    static void close(RaftServer running, String name) {
        Thread closer =
                new Thread(
                        () -> {
                            try {
                                running.close();
                            } catch (IOException | RuntimeException e) {
                                LOG.warn("Closing the Raft server of {}", name, e);
                            }
                        },
                        name + "-close");
        closer.setDaemon(true);
        closer.start();
        try {
            closer.join(TIMEOUT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (closer.isAlive()) {
            LOG.error(
                    "The Raft server of {} has not closed within {} ms: end the process",
                    name,
                    TIMEOUT_MILLIS);
        }
    }
}
