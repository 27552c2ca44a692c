package photon.idregistry.raft;

import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.idregistry.raft.snapshot.CutSnapshot;
import photon.idregistry.raft.snapshot.Pace;
import photon.idregistry.raft.snapshot.StoredSnapshot;
import photon.idregistry.replicated.GroupCut;

/**
 * Takes the snapshots of all groups of a process, one at a time, in a thread of its own. Thread-
 * safe.
 */
final class SnapshotScheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotScheduler.class);

    /** After one that failed: a disk that is full is so for a while. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long CLOSE_TIMEOUT_SECONDS = 10;

    private final RaftTuning tuning;
    private final ExecutorService worker;
    private final Map<UUID, Schedule> schedules = new ConcurrentHashMap<>();
    private volatile boolean closing;

    /** As of the last call that told. */
    private volatile long nowNanos;

    SnapshotScheduler(String node, RaftTuning tuning) {
        this.tuning = tuning;
        this.worker =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread thread = new Thread(task, node + "-snapshots");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /**
     * Begins those that are due.
     *
     * @param nanoTime monotonic
     */
    void takeDue(Collection<Replica> replicas, long nanoTime) {
        nowNanos = nanoTime;
        for (Replica replica : replicas) {
            Schedule schedule =
                    schedules.computeIfAbsent(replica.group(), id -> new Schedule(nanoTime));
            if (schedule.begin(replica.carrier().appliedBytes(), nanoTime, tuning)) {
                take(replica)
                        .whenComplete(
                                (index, failure) -> {
                                    schedule.end(failure != null);
                                    if (failure != null && !closing) {
                                        LOG.warn(
                                                "No snapshot of {} now; its log is kept",
                                                replica.carrier(),
                                                failure);
                                    }
                                });
            }
        }
    }

    /**
     * Takes one as soon as those before it are done, and deletes the log below it.
     *
     * @return the index that is safe on disk then; -1 for none
     */
    CompletableFuture<Long> take(Replica replica) {
        try {
            return CompletableFuture.supplyAsync(() -> taken(replica), worker);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Takes one as soon as those before it are done.
     *
     * @return the latest, to be read
     */
    CompletableFuture<GroupCut> cut(Replica replica) {
        return take(replica)
                .thenApply(
                        index -> {
                            StoredSnapshot latest = replica.carrier().latestSnapshot();
                            if (latest == null) {
                                throw new CompletionException(
                                        new java.io.IOException(
                                                "There is no snapshot of " + replica.carrier()));
                            }
                            return CutSnapshot.of(latest);
                        });
    }

    private long taken(Replica replica) {
        try {
            return replica.takeSnapshot(Pace.of(tuning.snapshotBytesPerSecond()), nowNanos);
        } catch (java.io.IOException e) {
            throw new CompletionException(e);
        }
    }

    /** Ends what is under way; the snapshots before stay. */
    @Override
    public void close() {
        closing = true;
        worker.shutdownNow();
        try {
            if (!worker.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                LOG.error("A snapshot has not ended within {} s", CLOSE_TIMEOUT_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** When the next snapshot of a group is due. */
    static final class Schedule {
        private long lastNanos;
        private boolean underWay;
        private boolean failed;

        Schedule(long nanoTime) {
            lastNanos = nanoTime;
        }

        /** True if one is to be taken now; {@link #end} follows then. */
        synchronized boolean begin(long appliedBytes, long nanoTime, RaftTuning tuning) {
            long elapsed = nanoTime - lastNanos;
            boolean due =
                    failed
                            ? elapsed >= RETRY_NANOS
                            : appliedBytes >= tuning.snapshotLogBytes()
                                    || elapsed >= tuning.snapshotEvery().toNanos();
            if (underWay || !due || (appliedBytes == 0 && !failed)) {
                return false;
            }
            underWay = true;
            lastNanos = nanoTime;
            return true;
        }

        synchronized void end(boolean withFailure) {
            underWay = false;
            failed = withFailure;
        }
    }
}
