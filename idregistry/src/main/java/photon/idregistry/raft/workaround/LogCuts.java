package photon.idregistry.raft.workaround;

import java.util.concurrent.CompletableFuture;

/**
 * Whether Ratis' flush index can be believed. Entries of which a new leader knows nothing are cut
 * off the log by its writer, some time after others have taken their place in memory. Until then
 * the flush index speaks of the old ones, while a heartbeat may already commit the new ones (Ratis
 * 3.3.0, RaftLogBase.updateCommitIndex).
 *
 * <p>A snapshot makes Ratis drop what is queued, without a word. Thread-safe.
 */
public final class LogCuts {
    /** Written under the monitor, as all. */
    private volatile int queued;

    /** Queued before the last snapshot came: dropped, or will be. */
    private volatile int earlier;

    private volatile boolean unflushed;
    private volatile long count;
    private long snapshots;

    /**
     * One is queued for the log's writer.
     *
     * @return a future that is done, and that the writer asks when it has cut the files
     */
    public synchronized CompletableFuture<Void> queued() {
        queued = queued + 1;
        count = count + 1;
        return new Cut(snapshots);
    }

    /** The writer begins a flush: it has corrected the flush index after the last cut. */
    public synchronized void flushing() {
        unflushed = false;
    }

    /** A snapshot is about to be put in place; nothing is appended before it is. */
    public synchronized void snapshotComes() {
        earlier = earlier + queued;
        queued = 0;
        snapshots++;
    }

    /**
     * The snapshot is in place, and what was queued before it came is done or dropped, or soon will
     * be: it concerns nothing behind the snapshot.
     */
    public synchronized void snapshotIsThere() {
        earlier = 0;
    }

    /** True if the flush index that is read from now on speaks of the entries that are there. */
    public boolean none() {
        return queued == 0 && earlier == 0 && !unflushed;
    }

    /** How many there were since the start. */
    public long count() {
        return count;
    }

    private synchronized void done(long snapshotsThen) {
        unflushed = true;
        if (snapshotsThen == snapshots) {
            queued = queued - 1;
        } else if (earlier > 0) {
            earlier = earlier - 1;
        }
    }

    private final class Cut extends CompletableFuture<Void> {
        private final long snapshotsThen;

        Cut(long snapshotsThen) {
            this.snapshotsThen = snapshotsThen;
            complete(null);
        }

        @Override
        public Void get() {
            done(snapshotsThen);
            return join();
        }
    }
}
