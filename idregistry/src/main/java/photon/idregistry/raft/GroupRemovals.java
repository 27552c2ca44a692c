package photon.idregistry.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.idregistry.raft.snapshot.SnapshotDisk;

/**
 * Takes replicas of groups away from a server. Ratis closes one; its directory is moved aside in
 * one step, and deleted from there: a directory of which a part is gone would be in the way of the
 * next start. Runs in a thread of its own, since closing waits for what is under way. Thread-safe.
 */
final class GroupRemovals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupRemovals.class);

    /** Above what closing a group takes that waits for its followers. */
    private static final long CLOSE_TIMEOUT_SECONDS = 10;

    /** A group that Ratis does not let go of must not keep all others. */
    private static final long REMOVAL_TIMEOUT_SECONDS = 60;

    private final Path storage;
    private final Path aside;
    private final RatisCalls calls;
    private final SnapshotDisk disk;
    private final GroupsMade groupsMade;
    private final ExecutorService worker;
    private volatile boolean closing;

    /**
     * @param data the server's
     */
    GroupRemovals(
            String node, Path data, RatisCalls calls, SnapshotDisk disk, GroupsMade groupsMade) {
        this.storage = RaftSettings.storage(data);
        this.aside = RaftSettings.removed(data);
        this.calls = calls;
        this.disk = disk;
        this.groupsMade = groupsMade;
        this.worker =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread thread = new Thread(task, node + "-removals");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** Deletes what a crash has left behind, at a start. */
    void finish() throws IOException {
        disk.deleteWhole(aside);
    }

    /**
     * Removes the group.
     *
     * @param gone run in the worker behind it
     * @return completed when nothing is left of it; failed if it may be there still
     */
    CompletableFuture<Void> remove(Supplier<RaftServer> server, UUID group, Runnable gone) {
        try {
            return CompletableFuture.runAsync(
                    () -> {
                        if (closing) {
                            throw new CancellationException("The node is closing");
                        }
                        removeNow(server.get(), group);
                        gone.run();
                    },
                    worker);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void removeNow(RaftServer server, UUID group) {
        try {
            RaftGroupId id = RaftGroupId.valueOf(group);
            for (RaftGroupId there : server.getGroupIds()) {
                if (there.equals(id)) {
                    GroupAdditions.running(
                                    server,
                                    GroupManagementRequest.newRemove(
                                            calls.client(),
                                            calls.server(),
                                            calls.nextCall(),
                                            id,
                                            false,
                                            false))
                            .orTimeout(REMOVAL_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                            .join();
                }
            }
            groupsMade.remove(group);
            Path directory = storage.resolve(group.toString());
            if (Files.exists(directory)) {
                Files.createDirectories(aside);
                Path out = aside.resolve(group.toString());
                disk.deleteWhole(out);
                disk.move(directory, out);
                disk.sync(storage);
            }
            disk.deleteWhole(aside.resolve(group.toString()));
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    /** What is being removed is removed; what waits is left to the next start of the server. */
    @Override
    public void close() {
        closing = true;
        worker.shutdown();
        try {
            if (!worker.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                LOG.info("A group that is being removed is removed at the next start");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
